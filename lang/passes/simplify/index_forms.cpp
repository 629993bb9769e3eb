// Polynomials are built on demand, from the statements of the whole body.
#include "lang/passes/simplify/index_forms.h"

#include <algorithm>
#include <limits>

#include "lang/core/visit.h"

namespace halo::passes {

using core::Operand;
using core::Operands;
using core::ValueId;
using prim::Op;

namespace {

constexpr size_t kMaxIndexTerms = 8;  // of an index; a longer sum is an atom

std::optional<Operand> emitTerm(core::Builder& b, const Monomial& factors,
                                Polynomial::Coefficient coefficient) {
  const bool fits = coefficient >= std::numeric_limits<int64_t>::min() &&
                    coefficient <= std::numeric_limits<int64_t>::max();
  if (!fits) return std::nullopt;
  Operand product = Operand::ofI64(static_cast<int64_t>(coefficient));
  for (const ValueId factor : factors) {
    product = product == core::kOne ? Operand(factor) : b.mul(product, factor);
  }
  return product;
}

// Terms that are added first, so that code reads as people write it: `n - i`.
std::optional<Operand> emitSum(core::Builder& b, const Polynomial& p) {
  std::optional<Operand> sum;
  for (const bool adds : {true, false}) {
    for (const auto& [factors, coefficient] : p.terms()) {
      if ((coefficient > 0) != adds) continue;
      const auto term = emitTerm(b, factors, adds ? coefficient : -coefficient);
      if (!term) return std::nullopt;
      const Operand before = sum.value_or(core::kZero);
      sum = adds ? b.add(before, *term) : b.sub(before, *term);
    }
  }
  return sum.value_or(core::kZero);
}

}  // namespace

IndexForms::IndexForms(const core::Body& whole) {
  core::visitStms(whole, [&](const core::Stm& stm) {
    if (std::holds_alternative<core::PrimOp>(stm.expr)) definitions_[stm.results[0]] = stm.expr;
  });
}

const core::Expr* IndexForms::definition(ValueId value) const {
  auto found = definitions_.find(value);
  return found == definitions_.end() ? nullptr : &found->second;
}

Polynomial IndexForms::of(const Operand& operand) {
  if (operand.isConstant()) return Polynomial::constant(operand.constant.asSigned());
  auto found = known_.find(operand.value);
  if (found != known_.end()) return found->second;
  const core::Expr* made = definition(operand.value);
  const auto* op = made == nullptr ? nullptr : std::get_if<core::PrimOp>(made);
  std::optional<Polynomial> form = op == nullptr ? std::nullopt : arithmetic(*op);
  if (!form || form->size() > kMaxIndexTerms) form = Polynomial::value(operand.value);
  known_.emplace(operand.value, *form);
  return *form;
}

std::optional<Polynomial> IndexForms::arithmetic(const core::PrimOp& op) {
  const bool is_known = op.op == Op::kAdd || op.op == Op::kSub || op.op == Op::kMul;
  if (op.type != prim::ScalarType::kI64 || !is_known) return std::nullopt;
  const Polynomial a = of(op.args[0]), b = of(op.args[1]);
  if (op.op == Op::kMul) return a.times(b);
  return a.plus(b, op.op == Op::kSub ? -1 : 1);
}

IndexForms::Form IndexForms::of(const Operands& indices) {
  Form form;
  for (const Operand& index : indices) form.push_back(of(index));
  return form;
}

std::optional<IndexForms::Form> IndexForms::with(const Form& form, ValueId atom,
                                                 const Polynomial& by) {
  Form result;
  for (const Polynomial& axis : form) {
    auto replaced = axis.substitute({{atom, by}});
    if (!replaced) return std::nullopt;
    result.push_back(std::move(*replaced));
  }
  return result;
}

bool IndexForms::mentions(const Form& form, const std::unordered_set<ValueId>& values) {
  return std::any_of(form.begin(), form.end(), [&](const Polynomial& axis) {
    return std::any_of(axis.terms().begin(), axis.terms().end(), [&](const auto& term) {
      return std::any_of(term.first.begin(), term.first.end(),
                         [&](ValueId factor) { return values.contains(factor); });
    });
  });
}

std::optional<Operands> IndexForms::emit(core::Builder& b, const Form& form) {
  Operands indices;
  for (const Polynomial& axis : form) {
    const auto index = emitSum(b, axis);
    if (!index) return std::nullopt;
    indices.push_back(*index);
  }
  return indices;
}

}  // namespace halo::passes
