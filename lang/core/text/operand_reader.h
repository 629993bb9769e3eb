// The lower half of the parser of Core text (parser.h): words, names, types and operands.
//
// A name `xs_3` is the value number 3, so that numbers survive printing and parsing. Other names
// (written by hand) get numbers behind the largest one in the text.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/core/ir.h"
#include "lang/core/text/lex.h"

namespace halo::core {

class OperandReader : protected TokenReader {
 protected:
  OperandReader(const source::Files& files, source::FileId file);

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

  std::string functionName() {
    if (peek().kind != TokenKind::kText && peek().kind != TokenKind::kName) {
      unexpected("the name of a function");
    }
    return std::string(take().text);
  }

  // ---- names that statements bind

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

  // ---- operands and types

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

  Program program_;
  std::unordered_map<std::string_view, ValueId> bound_;
  std::vector<bool> is_bound_;  // numbered values
};

}  // namespace halo::core
