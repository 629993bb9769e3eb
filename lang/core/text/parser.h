// The parser of Core text, shared by parse.cpp (programs, functions, bodies), parse_expr.cpp and
// parse_nodes.cpp (operations): recursive descent. The first error wins: it is remembered, and from
// then on every token reads as the end of the text, so that all loops stop. Scope, types and shapes
// are the verifier's business; the parser only needs every used name to be bound before.
#pragma once

#include <optional>
#include <vector>

#include "lang/core/text.h"
#include "lang/core/text/operand_reader.h"

namespace halo::core {

class Parser : private OperandReader {
 public:
  Parser(const source::Files& files, source::FileId file) : OperandReader(files, file) {}

  diag::Result<Program> program();

 private:
  // ---- programs

  void function();
  void shares(Function& f);
  void kernelHead(Function& f, size_t* space_at);
  void rowSort(Function& f);
  void functionResults(Function& f);

  // ---- bodies and statements

  Body block();
  Body statements();
  Stm statement();
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
  Expr iota(bool is_range);
  Expr rearrange();
  Lambda mapOrIdentity(const std::vector<ValueId>& inputs);
  void combine(Lambda& op, Operands& neutral);
  std::optional<Boundary> boundary();
  Window window(int rank);
  std::vector<Reduction> reductions();
  std::vector<SliceDim> dims();

  int nesting_ = 0;
};

}  // namespace halo::core
