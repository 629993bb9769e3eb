#include "lang/ad/operators/selections.h"

#include <algorithm>

#include "lang/ad/rules.h"

namespace halo::ad {

namespace {

class Selection {
 public:
  Selection(Program& program, const Lambda& op)
      : program_(program), op_(op), count_(op.params.size() / 2) {}

  // The body with one result: whether its results are the first operand.
  std::optional<Body> of(const Body& body) {
    Body found = body;
    found.results = {};
    for (const bool first : {true, false}) {
      if (!isOperand(body.results, first)) continue;
      found.results = {prim::Scalar::ofBool(first)};
      return found;
    }
    if (body.results.size() != count_ || body.results[0].isConstant()) return std::nullopt;
    for (Stm& stm : found.stms) {
      if (!makesAll(stm, body.results)) continue;
      auto& match = std::get<core::Match>(stm.expr);
      if (!ofArms(match)) return std::nullopt;
      stm.results = {program_.add("takes", kFlag)};
      found.results = {stm.results[0]};
      return found;
    }
    return ofSelects(body);
  }

 private:
  bool isOperand(const Operands& values, bool first) const {
    if (values.size() != count_) return false;
    for (size_t i = 0; i < count_; ++i) {
      if (values[i] != Operand(op_.params[i + (first ? 0 : count_)])) return false;
    }
    return true;
  }
  static bool makesAll(const Stm& stm, const Operands& values) {
    return std::holds_alternative<core::Match>(stm.expr) &&
           Operands(stm.results.begin(), stm.results.end()) == values;
  }
  bool ofArms(core::Match& match) {
    for (core::Case& arm : match.cases) {
      auto body = of(arm.body);
      if (!body) return false;
      arm.body = std::move(*body);
    }
    auto body = of(match.otherwise);
    if (body) match.otherwise = std::move(*body);
    return body.has_value();
  }

  // Each result is a choice by the same condition.
  std::optional<Body> ofSelects(const Body& body) const {
    Operands on_true, on_false;
    Operand condition;
    for (const Operand& result : body.results) {
      const auto at = core::makerOf(body.stms, result);
      const auto* select = at ? std::get_if<core::Select>(&body.stms[*at].expr) : nullptr;
      if (select == nullptr) return std::nullopt;
      if (!on_true.empty() && condition != select->condition) return std::nullopt;
      condition = select->condition;
      on_true.push_back(select->on_true);
      on_false.push_back(select->on_false);
    }
    const bool is_first = isOperand(on_true, true) && isOperand(on_false, false);
    const bool is_second = isOperand(on_true, false) && isOperand(on_false, true);
    if (!is_first && !is_second) return std::nullopt;
    Emitter e(program_);
    for (const Stm& stm : body.stms) e.append(stm);
    if (is_second) condition = e.op(Op::kNot, ScalarType::kBool, condition);
    return e.take({condition});
  }

  Program& program_;
  const Lambda& op_;
  size_t count_;
};

}  // namespace

std::optional<Lambda> selectionOf(Program& program, const Lambda& op) {
  const bool are_numbers = std::all_of(op.params.begin(), op.params.end(), [&](ValueId param) {
    return program.type(param).isScalar();
  });
  // It runs on neutral elements as well, whose positions may be those of no element.
  if (!are_numbers || core::mayFail(op)) return std::nullopt;
  auto body = Selection(program, op).of(op.body);
  if (!body) return std::nullopt;
  return Lambda{op.params, std::move(*body)};
}

Selected selectedBy(Emitter& e, const core::Screma& node, const Lambda& takes_first) {
  const Operands& neutral = node.reductions[0].neutral;
  const auto k = static_cast<ptrdiff_t>(neutral.size());
  const Operand none = Operand::ofI64(-1);
  std::vector<Type> types;
  for (const ValueId input : node.inputs) types.push_back(rowOf(e.type(input)));
  types.emplace_back();
  core::Screma find;
  find.width = node.width;
  find.inputs = node.inputs;
  find.inputs.push_back(e.iota(node.width));
  find.map = e.identity(types);
  Lambda op = e.combiner(types, [&](Emitter& at, const Operands& both) {
    const auto middle = both.begin() + k + 1;
    const Operand is_left = at.compare(Op::kLe, kZero, both[static_cast<size_t>(k)]);
    const Operand is_alone = at.compare(Op::kLt, both.back(), kZero);
    const Operand wins =
        at.apply(takes_first, {both.begin(), middle - 1}, {middle, both.end() - 1})[0];
    const Operand takes = at.either(is_alone, at.both(is_left, wins));
    Operands results;
    for (size_t i = 0; i < types.size(); ++i) {
      results.push_back(at.select(takes, both[i], both[types.size() + i]));
    }
    return results;
  });
  Operands start = neutral;
  start.push_back(none);
  find.reductions.push_back({std::move(op), std::move(start), false});
  const std::vector<ValueId> found = e.bindAll("selected", types, std::move(find));
  const Operand nothing = e.compare(Op::kLt, found.back(), kZero);
  const Operand wins = e.apply(takes_first, neutral, Operands(found.begin(), found.end() - 1))[0];
  const Operand is_neutral = e.either(nothing, wins);
  return {e.select(is_neutral, none, found.back()), is_neutral};
}

}  // namespace halo::ad
