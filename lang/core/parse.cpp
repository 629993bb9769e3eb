// Text to Core: recursive descent, in the order program, function, body, statement, expression,
// small parts. The first error wins: it is remembered, and from then on every token reads as the
// end of the text, so that all loops stop. Scope, types and shapes are the verifier's business; the
// parser only needs every used name to be bound somewhere before.
//
// A name `xs_3` is the value number 3, so that numbers survive printing and parsing. Other names
// (written by hand) get numbers behind the largest one in the text.
#include <fmt/format.h>

#include <charconv>
#include <unordered_map>

#include "lang/core/lex.h"
#include "lang/core/scalar_text.h"
#include "lang/core/shorthand.h"
#include "lang/core/text.h"

namespace halo::core {
namespace {

constexpr size_t kMaxValueNumber = size_t{1} << 20;  // 64 MiB of value infos
constexpr int kMaxNesting = 256;                     // of bodies: what the stack surely holds

// The number of `name_12`; nothing for names without one.
std::optional<size_t> valueNumber(std::string_view text) {
  size_t underscore = text.rfind('_');
  if (underscore == std::string_view::npos || underscore == 0) return std::nullopt;
  std::string_view digits = text.substr(underscore + 1);
  if (digits.empty() || digits.size() > 18 || (digits.size() > 1 && digits[0] == '0')) {
    return std::nullopt;
  }
  size_t number = 0;
  for (char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<size_t>(c - '0');
  }
  return number;
}

class Parser {
 public:
  Parser(const source::Files& files, source::FileId file) : tokens_(lex(files, file)) {
    size_t largest = 0;
    for (const Token& token : tokens_) {
      if (token.kind != TokenKind::kName) continue;
      if (auto number = valueNumber(token.text)) {
        if (*number > kMaxValueNumber) {
          fail(token, fmt::format("value number {} is above {}", *number, kMaxValueNumber));
        } else {
          largest = std::max(largest, *number + 1);
        }
      }
    }
    for (size_t i = 0; i < largest && !error_; i++) program_.add("", {});
    is_bound_.resize(largest);
  }

  diag::Result<Program> program() {
    while (peek().kind != TokenKind::kEnd) function();
    if (error_) return diag::Failure(std::move(*error_));
    return std::move(program_);
  }

 private:
  // ---- tokens

  const Token& peek(size_t ahead = 0) const {
    if (error_) return tokens_.back();
    return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
  }
  Token take() {
    Token token = peek();
    if (position_ + 1 < tokens_.size()) position_++;
    return token;
  }
  bool isNext(std::string_view text) const {
    const Token& token = peek();
    return token.text == text && token.kind != TokenKind::kEnd && token.kind != TokenKind::kText;
  }
  bool accept(std::string_view text) {
    if (!isNext(text)) return false;
    take();
    return true;
  }
  void fail(const Token& token, std::string message) {
    if (error_) return;
    error_ = diag::Diagnostic{
        diag::Code::malformed_core, diag::Severity::kError, std::move(message), token.span, {}, {}};
  }
  void unexpected(std::string_view needed) {
    fail(peek(), fmt::format("found `{}`, expected {}", printable(peek().text), needed));
  }
  static std::string printable(std::string_view text) {
    std::string shown;
    for (unsigned char c : text) {
      if (c >= 0x20 && c < 0x7f) {
        shown += static_cast<char>(c);
      } else {
        shown += fmt::format("\\x{:02x}", c);
      }
    }
    return shown;
  }
  void expect(std::string_view text) {
    if (!accept(text)) unexpected(fmt::format("`{}`", text));
  }
  Token name(std::string_view what) {
    if (peek().kind != TokenKind::kName) unexpected(what);
    return take();
  }
  // item, item, .. up to `close`, which is taken. `open` is taken already.
  template <typename Item>
  void list(std::string_view close, Item item) {
    if (accept(close)) return;
    while (!error_) {
      item();
      if (accept(close)) return;
      if (!accept(",")) unexpected(fmt::format("`,` or `{}`", close));
    }
  }

  // ---- programs

  void function();
  void kernelHead(Function& f, size_t* space_at);
  std::string functionName() {
    if (peek().kind != TokenKind::kText && peek().kind != TokenKind::kName) {
      unexpected("the name of a function");
    }
    return std::string(take().text);
  }
  void functionResults(Function& f);

  // ---- bodies and statements

  Body block() {
    if (++nesting_ > kMaxNesting)
      fail(peek(), fmt::format("more than {} bodies nested", kMaxNesting));
    expect("{");
    Body body = statements();
    nesting_--;
    return body;
  }
  Body statements();
  Stm statement();
  bool isBinderNext() const {
    return peek().kind == TokenKind::kName && peek(1).text == ":" &&
           peek(1).kind == TokenKind::kPunctuation;
  }
  ValueId binder(bool* consumed = nullptr) {
    Token token = name("a name");
    expect(":");
    if (consumed != nullptr) *consumed = accept("*");
    Type t = type();
    return bind(token, std::move(t));
  }
  ValueId bind(const Token& token, Type type);
  std::vector<ValueId> binders() {
    std::vector<ValueId> values;
    expect("(");
    list(")", [&] { values.push_back(binder()); });
    return values;
  }
  Lambda lambda() {
    Lambda l;
    l.params = binders();
    l.body = block();
    return l;
  }

  // ---- expressions

  Expr expr();
  std::optional<Expr> scalarExpr(const Token& head);
  std::optional<Expr> arrayExpr(const Token& head);
  Expr screma();
  Expr stencil();
  Expr scatter();
  Expr match();
  Expr loop();
  Expr assertion();
  Expr update();
  Lambda mapOrIdentity(const std::vector<ValueId>& inputs);
  void combine(Lambda& op, Operands& neutral);
  Window window(int rank);
  std::vector<Reduction> reductions();
  std::vector<SliceDim> dims();

  // ---- small parts

  Operand operand();
  std::optional<Scalar> constant();
  int64_t integer() {
    Token token = peek();
    auto scalar = constant();
    if (!scalar || scalar->type != ScalarType::kI64) fail(token, "expected an integer");
    return error_ ? 0 : scalar->asSigned();
  }
  ValueId value() { return lookUp(name("a value")); }
  ValueId lookUp(const Token& token) {
    auto found = bound_.find(token.text);
    if (found != bound_.end()) return found->second;
    fail(token, fmt::format("`{}` is not bound before this use", printable(token.text)));
    return {};
  }
  std::vector<ValueId> values() {
    std::vector<ValueId> all;
    expect("(");
    list(")", [&] { all.push_back(value()); });
    return all;
  }
  Operands operands(std::string_view open, std::string_view close) {
    Operands all;
    expect(open);
    list(close, [&] { all.push_back(operand()); });
    return all;
  }
  Operands shape() {
    Operands sizes;
    while (accept("[")) {
      sizes.push_back(operand());
      expect("]");
    }
    return sizes;
  }
  Operand size() {
    expect("[");
    Operand o = operand();
    expect("]");
    return o;
  }
  ScalarType scalarType() {
    Token token = name("a scalar type");
    auto found = prim::scalarTypeFromName(token.text);
    if (!found) fail(token, fmt::format("`{}` is not a scalar type", printable(token.text)));
    return found.value_or(ScalarType::kI64);
  }
  Type type() {
    Operands sizes = shape();
    return {scalarType(), std::move(sizes)};
  }

  std::vector<Token> tokens_;
  size_t position_ = 0;
  int nesting_ = 0;
  std::optional<diag::Diagnostic> error_;
  Program program_;
  std::unordered_map<std::string_view, ValueId> bound_;
  std::vector<bool> is_bound_;  // numbered values
};

// ---- programs

void Parser::kernelHead(Function& f, size_t* space_at) {
  // The space uses parameters, which come behind it: skip it now, read it then.
  *space_at = position_;
  while (isNext("[")) {
    while (!accept("]") && peek().kind != TokenKind::kEnd) take();
  }
  Token kind = name("a kind of kernel");
  f.kernel.push_back({});
  if (kind.text == "map") return;
  if (kind.text == "reduce") {
    f.kernel[0].kind = KernelKind::kReduce;
  } else if (kind.text == "scan") {
    f.kernel[0].kind = KernelKind::kScan;
  } else if (kind.text == "scatter") {
    f.kernel[0].kind = KernelKind::kScatter;
  } else if (kind.text == "stencil") {
    f.kernel[0].kind = KernelKind::kStencil;
  } else {
    fail(kind, "expected `map`, `reduce`, `scan`, `scatter` or `stencil`");
  }
}

void Parser::functionResults(Function& f) {
  expect("->");
  expect("(");
  list(")", [&] {
    if (isBinderNext()) {
      f.results.push_back(binder());
    } else {
      f.results.push_back(program_.add("result", type()));
    }
  });
}

void Parser::function() {
  Function f;
  Token head = take();
  f.span = head.span;
  f.is_entry = head.text == "entry";
  bool kernel = head.text == "kernel";
  if (!f.is_entry && !kernel && head.text != "fn") {
    return fail(
        head, fmt::format("found `{}`, expected `entry`, `fn` or `kernel`", printable(head.text)));
  }
  f.name = functionName();
  size_t space_at = 0;
  if (kernel) kernelHead(f, &space_at);
  expect("(");
  list(")", [&] {
    bool consumed = false;
    f.params.push_back(binder(&consumed));
    f.consumed.push_back(consumed);
  });
  if (kernel && !error_) {
    std::swap(position_, space_at);
    f.kernel[0].space = shape();
    std::swap(position_, space_at);
  }
  f.size_params = error_ ? 0 : impliedSizeParams(program_, f.params);
  if (accept("sizes")) f.size_params = static_cast<int>(integer());
  functionResults(f);
  f.size_results = error_ ? 0 : impliedSizeParams(program_, f.results);
  if (accept("sizes")) f.size_results = static_cast<int>(integer());
  f.body = block();
  program_.functions.push_back(std::move(f));
}

// ---- bodies and statements

ValueId Parser::bind(const Token& token, Type type) {
  if (error_) return {};
  std::string_view hint = token.text;
  ValueId value;
  if (auto number = valueNumber(token.text)) {
    value = ValueId(*number);
    hint = hint.substr(0, hint.rfind('_'));
    if (is_bound_[*number]) fail(token, fmt::format("value number {} is bound twice", *number));
    is_bound_[*number] = true;
    program_.values[value] = {std::string(hint), std::move(type)};
  } else {
    value = program_.add(std::string(hint), std::move(type));
  }
  bound_[token.text] = value;
  return value;
}

Body Parser::statements() {
  Body body;
  while (!error_) {
    if (accept(";")) continue;
    if (isNext("return") && !isBinderNext()) break;
    if (isNext("}") || peek().kind == TokenKind::kEnd) unexpected("a statement or `return`");
    body.stms.push_back(statement());
  }
  expect("return");
  if (accept("(")) {
    list(")", [&] { body.results.push_back(operand()); });
    expect("}");
  } else {
    list("}", [&] { body.results.push_back(operand()); });
  }
  return body;
}

Stm Parser::statement() {
  Stm stm;
  Token first = peek();
  std::vector<ValueId> results;
  if (isNext("(")) {
    results = binders();
    expect("=");
  } else if (isBinderNext()) {
    results.push_back(binder());
    expect("=");
  } else if (!isNext("assert")) {
    unexpected("a statement");
  }
  stm.results = std::move(results);
  stm.expr = expr();
  Token last = tokens_[position_ == 0 ? 0 : position_ - 1];
  stm.span = {first.span.file, first.span.begin, std::max(first.span.end, last.span.end)};
  if (accept("@")) {
    stm.checked = true;
    if (accept("?")) return stm;
    integer();
    expect(":");
    integer();
  }
  return stm;
}

// ---- expressions

Expr Parser::expr() {
  Token head = name("an operation");
  if (auto e = scalarExpr(head)) return std::move(*e);
  if (auto e = arrayExpr(head)) return std::move(*e);
  if (head.text == "screma") return screma();
  if (head.text == "stencil") return stencil();
  if (head.text == "scatter") return scatter();
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
    for (int i = 0; i < prim::info(*op).arity; i++) node.args.push_back(operand());
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
  if (head.text == "iota") {
    Iota iota;
    iota.type = scalarType();
    iota.count = size();
    iota.start = operand();
    iota.step = operand();
    return iota;
  }
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
  if (head.text == "rearrange") {
    Rearrange rearrange;
    expect("(");
    list(")", [&] { rearrange.permutation.push_back(static_cast<int>(integer())); });
    rearrange.array = value();
    return rearrange;
  }
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

Lambda Parser::mapOrIdentity(const std::vector<ValueId>& inputs) {
  if (accept("map")) return lambda();
  Lambda identity;
  for (ValueId input : inputs) {
    if (error_) break;
    Type row = program_.type(input);
    if (row.shape.empty()) {
      fail(peek(), fmt::format("input `{}` is not an array", program_.values[input].name));
      break;
    }
    row.shape.erase(row.shape.begin());
    ValueId param = program_.add("x", std::move(row));
    identity.params.push_back(param);
    identity.body.results.push_back(param);
  }
  return identity;
}

void Parser::combine(Lambda& op, Operands& neutral) {
  if (isNext("(")) {
    op = lambda();
  } else {
    Token head = name("an operator");
    size_t dot = std::min(head.text.find('.'), head.text.size());
    auto type = prim::scalarTypeFromName(head.text.substr(0, dot));
    auto found = prim::opFromName(head.text.substr(std::min(dot + 1, head.text.size())));
    if (!type || !found || prim::info(*found).arity != 2) {
      return fail(head, fmt::format("`{}` is not a binary operator", printable(head.text)));
    }
    ValueId a = program_.add("a", {*type, {}}), b = program_.add("b", {*type, {}});
    ValueId r = program_.add("r", {*type, {}});
    op.params = {a, b};
    op.body.stms.push_back({{r}, PrimOp{*found, *type, {a, b}}, false, head.span});
    op.body.results = {r};
  }
  if (isNext("(")) {
    neutral = operands("(", ")");
  } else {
    neutral = {operand()};
  }
}

std::vector<Reduction> Parser::reductions() {
  std::vector<Reduction> all;
  while (accept("reduce")) {
    Reduction reduction;
    reduction.commutative = accept("comm");
    combine(reduction.op, reduction.neutral);
    all.push_back(std::move(reduction));
  }
  return all;
}

Expr Parser::screma() {
  Screma node;
  node.width = size();
  node.inputs = values();
  node.map = mapOrIdentity(node.inputs);
  node.reductions = reductions();
  while (accept("scan")) {
    Scan scan;
    combine(scan.op, scan.neutral);
    node.scans.push_back(std::move(scan));
  }
  return node;
}

Window Parser::window(int rank) {
  Window w;
  w.array = value();
  while (accept("clamp")) w.boundary.push_back(Boundary::kClamp);
  if (w.boundary.empty()) unexpected("`clamp`");
  // One word for all axes will do.
  if (w.boundary.size() == 1) w.boundary.resize(static_cast<size_t>(std::min(rank, 8)));
  if (isNext("(")) {
    w.dynamic = values();
    return w;
  }
  expect("{");
  list("}", [&] {
    std::vector<int64_t> offset;
    if (accept("(")) {
      list(")", [&] { offset.push_back(integer()); });
    } else {
      offset.push_back(integer());
    }
    w.offsets.push_back(std::move(offset));
  });
  return w;
}

Expr Parser::stencil() {
  Stencil node;
  node.space = shape();
  expect("(");
  list(")", [&] {
    if (isNext("window") && peek(1).kind == TokenKind::kName) {
      take();
      node.windows.push_back(window(static_cast<int>(node.space.size())));
    } else {
      node.inputs.push_back(value());
    }
  });
  expect("map");
  node.map = lambda();
  node.reductions = reductions();
  return node;
}

Expr Parser::scatter() {
  Scatter node;
  node.width = size();
  node.inputs = values();
  node.map = mapOrIdentity(node.inputs);
  expect("into");
  expect("(");
  list(")", [&] {
    ValueId array = value();
    node.destinations.push_back({array, static_cast<int>(integer())});
  });
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
    for (size_t i = 0; i < node.carried.size(); i++) {
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

// ---- small parts

Operand Parser::operand() {
  if (auto scalar = constant()) return *scalar;
  return value();
}

std::optional<Scalar> Parser::constant() {
  const Token token = peek();
  if (token.kind == TokenKind::kName) {
    auto word = readWord(token.text);
    if (word) take();
    return word;
  }
  if (token.kind != TokenKind::kNumber) return std::nullopt;
  auto number = readNumber(take().text);
  if (!number) fail(token, fmt::format("`{}` is no value of its type", printable(token.text)));
  return number.value_or(prim::zero(ScalarType::kI64));
}

}  // namespace

diag::Result<Program> parse(const source::Files& files, source::FileId file) {
  return Parser(files, file).program();
}

}  // namespace halo::core
