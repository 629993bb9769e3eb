// Expressions.
#include <map>

#include "lang/imp/text/parser.h"

namespace halo::imp {

Expr Parser::expr() {
  static const std::map<std::string_view, BuiltIn> kBuiltIns = {
      {"global_id", BuiltIn::kGlobalId},   {"local_id", BuiltIn::kLocalId},
      {"group_id", BuiltIn::kGroupId},     {"group_count", BuiltIn::kGroupCount},
      {"group_size", BuiltIn::kGroupSize}, {"lane", BuiltIn::kLane},
      {"subgroup", BuiltIn::kSubgroup},    {"threads", BuiltIn::kThreads}};
  static const std::map<std::string_view, ShuffleKind> kShuffles = {
      {"shuffle_up", ShuffleKind::kUp},
      {"shuffle_down", ShuffleKind::kDown},
      {"shuffle_xor", ShuffleKind::kXor},
      {"shuffle_from", ShuffleKind::kFrom}};
  if (nextIsBuffer()) {
    BufferId id = buffer();
    Load load{id, index()};
    load.transposed = accept("transposed");
    return load;
  }
  if (accept("select")) {
    Operand condition = operand(), on_true = operand();
    return Select{condition, on_true, operand()};
  }
  if (auto found = kBuiltIns.find(peek().text); found != kBuiltIns.end()) {
    take();
    return BuiltInValue{found->second, smallNumber()};
  }
  if (auto found = kShuffles.find(peek().text); found != kShuffles.end()) {
    take();
    Operand value = operand();
    return Shuffle{found->second, value, operand()};
  }
  return operation();
}

// f32.add a b   i32.value_f32 x
Expr Parser::operation() {
  std::string_view head = peek().text;
  size_t dot = head.find('.');
  auto type = prim::scalarTypeFromName(head.substr(0, dot));
  std::string_view rest = dot == std::string_view::npos ? "" : head.substr(dot + 1);
  static const std::pair<std::string_view, prim::ConvertKind> kWords[] = {
      {"value_", prim::ConvertKind::kValue},
      {"bits_", prim::ConvertKind::kBits},
      {"machine_", prim::ConvertKind::kMachine}};
  for (auto [word, kind] : kWords) {
    if (!type || !rest.starts_with(word)) continue;
    auto from = prim::scalarTypeFromName(rest.substr(word.size()));
    if (!from) continue;
    take();
    return Convert{kind, *from, *type, operand()};
  }
  if (type && rest == "mad") {
    take();
    Operand a = operand();
    Operand b = operand();
    return Fma{*type, a, b, operand()};
  }
  auto op = prim::opFromName(rest);
  if (!type || !op) {
    fail("expected an operation");
    return Prim{prim::Op::kAdd, ScalarType::kI64, {}};
  }
  take();
  Operands args;
  for (int i = 0; i < prim::info(*op).arity; ++i) args.push_back(operand());
  return Prim{*op, *type, std::move(args)};
}

}  // namespace halo::imp
