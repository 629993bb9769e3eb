// Index arithmetic of i64 as polynomials over atoms: values that are no sums, differences or
// products. Equal polynomials are equal indices, since both wrap modulo 2^64.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/passes/simplify/polynomial.h"

namespace halo::passes {

class IndexForms {
 public:
  using Form = std::vector<Polynomial>;  // one for each axis

  explicit IndexForms(const core::Body& whole);

  Polynomial of(const core::Operand& operand);
  Form of(const core::Operands& indices);
  // The statement that binds the value; nullptr: a parameter, or no scalar of one result.
  const core::Expr* definition(core::ValueId value) const;

  // With one atom replaced by a polynomial; nothing where coefficients overflow.
  static std::optional<Form> with(const Form& form, core::ValueId atom, const Polynomial& by);
  static bool mentions(const Form& form, const std::unordered_set<core::ValueId>& values);
  // Statements that compute the form; nothing where a coefficient is no i64.
  static std::optional<core::Operands> emit(core::Builder& b, const Form& form);

 private:
  std::optional<Polynomial> arithmetic(const core::PrimOp& op);

  std::unordered_map<core::ValueId, core::Expr> definitions_;
  std::unordered_map<core::ValueId, Polynomial> known_;
};

}  // namespace halo::passes
