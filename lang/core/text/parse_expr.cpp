// Operations on scalars and whole arrays, control and operands. Nodes of parallel work are in
// parse_nodes.
#include <charconv>

#include "lang/core/text/parser.h"
#include "lang/core/text/scalar_text.h"

namespace halo::core {

Expr Parser::expr() {
  Token head = name("an operation");
  if (auto e = scalarExpr(head)) return std::move(*e);
  if (auto e = arrayExpr(head)) return std::move(*e);
  if (head.text == "screma") return screma();
  if (head.text == "stencil") return stencil();
  if (head.text == "scatter") return scatter();
  if (head.text == "hist") return hist();
  if (head.text == "pad") return pad();
  if (head.text == "slide") return slide();
  if (head.text == "match") return match();
  if (head.text == "loop") return loop();
  if (head.text == "assert") return assertion();
  if (head.text == "call") {
    std::string function = functionName();
    return Call{std::move(function), operands("(", ")")};
  }
  fail(head, fmt::format("`{}` is not an operation", printable(head.text)));
  return Literal{};
}

std::optional<Expr> Parser::scalarExpr(const Token& head) {
  if (head.text == "literal") return Literal{operand().constant};
  if (head.text == "loose") {
    auto op = scalarExpr(take());
    auto* node = op ? std::get_if<PrimOp>(&*op) : nullptr;
    if (node == nullptr) {
      fail(head, "found no operation behind `loose`");
      return Literal{};
    }
    node->loose = true;
    return op;
  }
  if (head.text == "select") {
    Select select;
    select.condition = operand();
    select.on_true = operand();
    select.on_false = operand();
    return select;
  }
  size_t dot = head.text.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  auto type = prim::scalarTypeFromName(head.text.substr(0, dot));
  std::string_view rest = head.text.substr(dot + 1);
  if (!type) return std::nullopt;
  if (auto op = prim::opFromName(rest)) {
    PrimOp node{*op, *type, {}};
    for (int i = 0; i < prim::info(*op).arity; ++i) node.args.push_back(operand());
    return node;
  }
  using Kind = prim::ConvertKind;
  constexpr std::pair<std::string_view, Kind> kKinds[] = {
      {"of_", Kind::kValue}, {"bits_", Kind::kBits}, {"machine_", Kind::kMachine}};
  for (const auto& [prefix, kind] : kKinds) {
    if (rest.substr(0, prefix.size()) != prefix) continue;
    auto from = prim::scalarTypeFromName(rest.substr(prefix.size()));
    if (from) return Convert{kind, *from, *type, operand()};
  }
  return std::nullopt;
}

std::optional<Expr> Parser::arrayExpr(const Token& head) {
  if (head.text == "index") {
    ValueId array = value();
    return Index{array, operands("[", "]")};
  }
  if (head.text == "slice") {
    ValueId array = value();
    return Slice{array, dims()};
  }
  if (head.text == "update") return update();
  if (head.text == "iota" || head.text == "range") return iota(head.text == "range");
  if (head.text == "replicate") {
    Operands sizes = shape();
    return Replicate{std::move(sizes), operand()};
  }
  if (head.text == "array") {
    ScalarType type = scalarType();
    return ArrayLiteral{type, operands("{", "}")};
  }
  if (head.text == "scratch") {
    Type t = type();
    return Scratch{t.scalar, t.shape};
  }
  if (head.text == "rearrange") return rearrange();
  if (head.text == "reshape") {
    Operands sizes = shape();
    return Reshape{value(), std::move(sizes)};
  }
  if (head.text == "concat") {
    Operand total = size();
    return Concat{values(), total};
  }
  if (head.text == "copy") return Copy{value()};
  return std::nullopt;
}

Expr Parser::iota(bool is_range) {
  Iota iota;
  iota.range = is_range;
  iota.type = scalarType();
  iota.count = size();
  iota.start = operand();
  iota.step = operand();
  return iota;
}

Expr Parser::rearrange() {
  Rearrange rearrange;
  expect("(");
  list(")", [&] { rearrange.permutation.push_back(static_cast<int>(integer())); });
  rearrange.array = value();
  return rearrange;
}

std::vector<SliceDim> Parser::dims() {
  std::vector<SliceDim> all;
  expect("[");
  list("]", [&] {
    SliceDim dim;
    dim.start = operand();
    expect(":");
    dim.length = operand();
    expect(":");
    dim.stride = operand();
    all.push_back(dim);
  });
  return all;
}

Expr Parser::update() {
  Update node;
  node.array = value();
  if (peek(2).text == ":") {  // `[` start `:`
    node.dims = dims();
  } else {
    node.indices = operands("[", "]");
  }
  expect("=");
  node.value = operand();
  return node;
}

Expr Parser::match() {
  Match node;
  node.scrutinee = operand();
  expect("{");
  while (!error_ && !isNext("else")) {
    auto scalar = constant();
    if (!scalar) return unexpected("a constant or `else`"), node;
    expect("->");
    node.cases.push_back({*scalar, block()});
  }
  expect("else");
  expect("->");
  node.otherwise = block();
  expect("}");
  return node;
}

Expr Parser::loop() {
  Loop node;
  expect("(");
  list(")", [&] {
    Carried carried;
    carried.param = binder(&carried.consumed);
    expect("=");
    carried.initial = operand();
    node.carried.push_back(std::move(carried));
  });
  if (accept("while")) {
    Token token = peek();
    ValueId condition = value();
    WhileLoop form{-1};
    for (size_t i = 0; i < node.carried.size(); ++i) {
      if (node.carried[i].param == condition) form.condition = static_cast<int>(i);
    }
    if (form.condition < 0) fail(token, "the condition is not a carried value");
    node.form = form;
  } else {
    expect("for");
    Token index = name("the loop's index");
    expect("<");
    ForLoop form;
    form.bound = operand();
    if (!error_) form.index = bind(index, program_.type(form.bound));
    node.form = form;
  }
  expect("do");
  node.body = block();
  return node;
}

Expr Parser::assertion() {
  Assert node{operand(), diag::Code::assertion_failed, {}};
  Token token = name("a code such as `H7001`");
  int number = 0;
  if (token.text.size() == 5 && token.text[0] == 'H') {
    std::from_chars(token.text.data() + 1, token.text.data() + 5, number);
  }
  auto code = diag::codeFromNumber(number);
  if (!code) fail(token, fmt::format("`{}` is not a code", printable(token.text)));
  node.code = code.value_or(diag::Code::assertion_failed);
  node.operands = operands("(", ")");
  return node;
}

}  // namespace halo::core
