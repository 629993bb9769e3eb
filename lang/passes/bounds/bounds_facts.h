// The facts known about integers at a place of a program, and a small prover on top.
//
// A value is a polynomial over *atoms*: values that are no sums or products of others. Wrapping
// arithmetic computes that polynomial modulo 2^64. So a polynomial that is proven to be between 0
// and an i64 is the computed value. But a fact about a computed value (a check passed, it is the
// minimum of two) holds of its polynomial only if that is *exact*: no step wrapped. Facts are
// polynomials over atoms that are not negative.
#pragma once

#include <set>
#include <unordered_map>
#include <unordered_set>

#include "lang/passes/simplify/polynomial.h"

namespace halo::passes {

class BoundsFacts {
 public:
  explicit BoundsFacts(const core::Program& program) : program_(program) {}

  // Facts learned since a mark are forgotten at the end of the body that taught them.
  size_t mark() const { return trail_.size(); }
  void forgetTo(size_t mark);

  void define(const core::Stm& stm);                         // the value of a scalar statement
  void knowSizes(core::ValueId binder);                      // sizes of an existing array: >= 0
  void knowNotNegative(const std::optional<Polynomial>& p);  // p >= 0
  void knowCondition(const core::Operand& condition, bool holds);

  // The value modulo 2^64; the value itself, where need be as an atom of its own. Nothing for
  // values that are no integers, and for u64.
  std::optional<Polynomial> modular(const core::Operand& operand) const;
  std::optional<Polynomial> exact(const core::Operand& operand) const;

  bool isNotNegative(const std::optional<Polynomial>& p) const;
  bool holds(const core::Operand& condition) const;

 private:
  using Extremum = std::pair<core::Operand, core::Operand>;
  // `yes` where the condition holds, else `no`: how && and || look.
  struct Choice {
    core::Operand condition, yes, no;
  };
  struct Known {
    core::Operand condition;
    bool holds;
  };

  void defineChoice(const core::Stm& stm);
  std::vector<Known> partsOf(const Known& known) const;
  void knowComparison(const Known& known);
  void knowDifferent(const Polynomial& a, const Polynomial& b);
  void defineSum(core::ValueId result, const core::PrimOp& op);
  void defineBounded(core::ValueId result, const core::PrimOp& op);
  bool isInRange(const Polynomial& p) const;  // of an i64
  bool isAtMost(const core::Operand& a, const core::Operand& b, int64_t offset) const;
  std::optional<std::pair<__int128, __int128>> rangeOf(const Polynomial& p) const;
  bool prove(const Polynomial& p, int depth, int& budget) const;
  bool proveWithExtremum(const Polynomial& p, int depth, int& budget) const;
  std::optional<Polynomial> replace(const Polynomial& p, core::ValueId atom,
                                    const Polynomial& by) const;
  const core::Expr* definition(const core::Operand& operand) const;

  const core::Program& program_;
  std::unordered_map<core::ValueId, Polynomial> values_;
  std::unordered_set<core::ValueId> inexact_;
  std::unordered_map<core::ValueId, core::Expr> definitions_;
  std::unordered_map<core::ValueId, Choice> choices_;            // bools
  std::unordered_map<core::ValueId, Extremum> minima_, maxima_;  // atoms that are min or max of two
  std::unordered_map<core::ValueId, std::vector<Polynomial>> facts_;  // by an atom in them
  std::vector<core::ValueId> trail_;
  std::unordered_set<core::ValueId> sizes_;
  std::set<Monomial> element_counts_;
};

}  // namespace halo::passes
