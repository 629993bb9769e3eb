// Rows whose elements have names, while a pass writes out the code that makes and reads them.
#pragma once

#include <unordered_map>

#include "lang/core/ir.h"
#include "lang/core/rewrite.h"
#include "lang/passes/loops/element_uses.h"

namespace halo::passes {

class Known {
 public:
  explicit Known(core::Program& program) : program_(program) {}

  // The results of a statement that makes a row from scalars.
  void define(const core::Stm& stm);
  std::optional<core::Operands> elements(core::ValueId array) const;
  DefinitionOf lookUp() const;

  // A copy of a known row, or one with an element replaced, becomes a row of its elements.
  void makeRow(core::Stm& stm) const;

  // Appends the statements of a body that stands nowhere else, and gives back its results.
  // Constants are folded, known arms take the place of their branch, known elements that of reads.
  // A row with an element replaced is a row of the new elements.
  core::Operands writeOut(core::Body body, std::vector<core::Stm>& out);

 private:
  void write(core::Stm stm, std::vector<core::Stm>& out);
  std::optional<core::Operand> fold(const core::Expr& expr) const;
  std::optional<core::Expr> rowOf(const core::Expr& expr) const;
  core::Operand place(const core::Operand& operand) const;

  core::Program& program_;
  std::unordered_map<core::ValueId, core::Expr> rows_;
  core::Substitution places_;  // of folded values
};

}  // namespace halo::passes
