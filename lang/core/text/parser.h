// The parser of Core text, shared by parse.cpp (programs, functions, bodies), parse_expr.cpp and
// parse_nodes.cpp (operations): recursive descent. The first error wins: it is remembered, and from
// then on every token reads as the end of the text, so that all loops stop. Scope, types and shapes
// are the verifier's business; the parser only needs every used name to be bound before.
//
// A name `xs_3` is the value number 3, so that numbers survive printing and parsing. Other names
// (written by hand) get numbers behind the largest one in the text.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <unordered_map>

#include "lang/core/text.h"
#include "lang/core/text/lex.h"

namespace halo::core {

class Parser : private TokenReader {
 public:
  Parser(const source::Files& files, source::FileId file);

  diag::Result<Program> program();

 private:
  // ---- tokens

  void fail(const Token& token, std::string message) {
    if (error_) return;
    error_ = diag::Diagnostic{
        diag::Code::malformed_core, diag::Severity::kError, std::move(message), token.span, {}, {}};
  }
  void unexpected(std::string_view needed) {
    fail(peek(), fmt::format("found `{}`, expected {}", printable(peek().text), needed));
  }
  static std::string printable(std::string_view text);
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

  Body block();
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
  Flattening flattening();
  // As parallel constructs begin: attributes, width, inputs, map.
  template <typename Node>
  Node mapped();
  Expr screma();
  Expr stencil();
  PartialTiles partialTiles();
  Expr scatter();
  Expr hist();
  Expr pad();
  Expr slide();
  Expr match();
  Expr loop();
  Expr assertion();
  Expr update();
  Lambda mapOrIdentity(const std::vector<ValueId>& inputs);
  void combine(Lambda& op, Operands& neutral);
  std::optional<Boundary> boundary();
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

  int nesting_ = 0;
  Program program_;
  std::unordered_map<std::string_view, ValueId> bound_;
  std::vector<bool> is_bound_;  // numbered values
};

}  // namespace halo::core
