// The parser of Imp text: recursive descent in the order program, function, statement, expression,
// small parts. Names end with their number (`x_3`, `xs$1`), which survives printing and parsing.
// The first error wins: from then on every token reads as the end of the text. Scope and types are
// the verifier's business.
#pragma once

#include <fmt/format.h>

#include "lang/core/text/lex.h"
#include "lang/imp/ir.h"

namespace halo::imp {

using core::Token;
using core::TokenKind;

class Parser : private core::TokenReader {
 public:
  Parser(const source::Files& files, source::FileId file) : TokenReader(files, file) {}

  diag::Result<Program> program() {
    while (peek().kind != TokenKind::kEnd) program_.functions.push_back(function());
    if (error_) return diag::Failure(std::move(*error_));
    return std::move(program_);
  }

 private:
  // ---- tokens

  void expect(std::string_view text) {
    if (!accept(text)) fail(fmt::format("expected `{}`", text));
  }
  void fail(const std::string& message);
  void assign() { expect(":"), expect("="); }

  // Between parentheses, separated by commas.
  template <typename Item>
  void list(Item item) {
    expect("(");
    if (accept(")")) return;
    do item();
    while (accept(","));
    expect(")");
  }

  // ---- small parts

  std::optional<size_t> number(std::string_view digits) const;
  int smallNumber() {
    auto value = number(peek().text);
    if (!value) fail("expected a number");
    take();
    return error_ ? 0 : static_cast<int>(*value);
  }
  bool nextIsBuffer() const { return isNext("$", 1); }
  BufferId buffer();
  VarId var();
  ScalarType scalarType();
  VarId binder() {
    VarId id = var();
    expect(":");
    ScalarType type = scalarType();
    if (!error_) program_.vars[id].type = type;
    return id;
  }
  std::optional<Scalar> constant();
  Operand operand() {
    if (auto scalar = constant()) return *scalar;
    return var();
  }
  Operands operands() {
    Operands items;
    list([&] { items.push_back(operand()); });
    return items;
  }
  std::vector<BufferId> bufferList() {
    std::vector<BufferId> items;
    list([&] { items.push_back(buffer()); });
    return items;
  }
  Operand index() {
    expect("[");
    Operand at = operand();
    expect("]");
    return at;
  }
  Operands shape() {
    Operands sizes;
    while (isNext("[")) sizes.push_back(index());
    return sizes;
  }
  std::string text() {
    if (peek().kind != TokenKind::kText) fail("expected a name in quotes");
    return std::string(take().text);
  }
  Space space();
  BufferId bufferBinder();

  // ---- functions

  Function function();
  void parameters(Function& f);
  void results(Function& f);
  void bufferDeclaration();
  Block block();

  // parse_stm.cpp, one for each word that begins a statement
  StmNode stm();
  StmNode declaration();
  StmNode assignment();
  StmNode loop();
  StmNode whileLoop();
  StmNode branch();
  StmNode failure();
  StmNode call();

  // parse_memory.cpp, likewise
  StmNode alloc();
  StmNode rebind();
  StmNode swap();
  StmNode copy();
  StmNode vector();
  StmNode matrix();
  StmNode append();
  StmNode ordered();
  StmNode atomic();
  StmNode read();
  StmNode launch();

  // parse_expr.cpp
  Expr expr();
  Expr operation();

  int nesting_ = 0;
  Program program_;
};

}  // namespace halo::imp
