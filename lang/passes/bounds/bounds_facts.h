// The facts known about integers at a place of a program, and a small prover on top.
//
// A value is a polynomial over *atoms*: values that are no sums or products of others. Wrapping
// arithmetic computes that polynomial modulo 2^64. So a polynomial that is proven to be between 0
// and an i64 is the computed value. Of a computed value it may be known that a check passed, or
// that it is the minimum of two. That holds of its polynomial only if that is *exact*: no step
// wrapped. Facts are polynomials over atoms that are not negative. Values of fewer bits have a
// polynomial only if it is exact.
//
// Read in this order: bounds_facts.cpp (values and facts of statements), bounds_conditions.cpp
// (facts of conditions), bounds_prover.cpp.
#pragma once

#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "lang/passes/simplify/polynomial.h"

namespace halo::passes {

class BoundsFacts {
 public:
  using Facts = std::vector<Polynomial>;

  explicit BoundsFacts(const core::Program& program) : program_(program) {}

  // Facts learned since a mark are forgotten at the end of the body that taught them.
  size_t mark() const { return trail_.size(); }
  void forgetTo(size_t mark);
  Facts takeTo(size_t mark);  // the same; the forgotten facts

  // The value of a scalar statement. `is_checked`: where it fails nothing behind it runs, so that a
  // divisor is not 0.
  void define(const core::Stm& stm, bool is_checked = true);
  // The results of an `if` whose arms know these facts.
  void defineArms(const core::Stm& stm, Facts on_true, Facts on_false);
  // A parameter whose argument is always this.
  void defineParam(core::ValueId param, const core::Operand& argument);
  void knowSizes(core::ValueId binder);                      // sizes of an existing array: >= 0
  void knowNotNegative(const std::optional<Polynomial>& p);  // p >= 0
  void knowCondition(const core::Operand& condition, bool holds);

  // The value modulo 2^64; the value itself, where need be as an atom of its own. Nothing for
  // values that are no integers, and for u64.
  std::optional<Polynomial> modular(const core::Operand& operand) const;
  std::optional<Polynomial> exact(const core::Operand& operand) const;
  // Elements of an array: the product of its sizes, modulo 2^64.
  std::optional<Polynomial> elementsOf(const core::Operands& shape) const;

  // `budget`: so many polynomials are looked at for a proof of each length.
  static constexpr int kBudget = 60;
  bool isNotNegative(const std::optional<Polynomial>& p, int budget = kBudget);
  bool holds(const core::Operand& condition);

 private:
  using Extremum = std::pair<core::Operand, core::Operand>;
  struct Arms {
    Facts on_true, on_false;
  };
  // `yes` where the condition holds, else `no`: a select, an if, && and ||.
  struct Choice {
    core::Operand condition, yes, no;
    std::shared_ptr<const Arms> arms = {};  // null: no facts of its own
  };
  // floor(dividend / divisor), the divisor above 0
  struct Quotient {
    Polynomial dividend;
    int64_t divisor;
  };
  // A fact of this atom, or that it is a size, or the number of an array's elements.
  struct Learned {
    enum { kFact, kSize, kCount } kind;
    Monomial about;
  };
  struct Known {
    core::Operand condition;
    bool holds;
  };
  using Alternatives = std::pair<Known, Known>;
  struct Search {
    int budget = 0;
    std::unordered_map<uint64_t, int> failed = {};  // depths of failed proofs, by hash
  };

  std::optional<Polynomial> forgetLast();
  void redefine(core::ValueId result);
  void knowSize(core::ValueId atom);
  void knowSum(core::ValueId value);
  void defineConversion(core::ValueId result, const core::Convert& convert);
  void defineOperation(core::ValueId result, const core::PrimOp& op, bool is_checked);
  void defineSum(core::ValueId result, const core::PrimOp& op);
  void defineBounded(core::ValueId result, const core::PrimOp& op, bool is_checked);
  void defineQuotient(core::ValueId result, const core::PrimOp& op);

  std::vector<Known> partsOf(const Known& known) const;
  std::optional<Alternatives> alternativesOf(const Known& known) const;
  std::vector<Known> withAllParts(const Known& known) const;
  void knowComparison(const Known& known);
  void knowEither(const Alternatives& either);
  Facts factsOf(const Known& known);
  void knowDifferent(const Polynomial& a, const Polynomial& b);

  // Whether all values of the type that the polynomial may have are in the range of the type.
  bool isInRange(const Polynomial& p, core::ScalarType type) const;
  bool isAtMost(const core::Operand& a, const core::Operand& b, int64_t offset);
  std::optional<std::pair<__int128, __int128>> rangeOf(const Polynomial& p) const;
  bool provesDirectly(const Polynomial& p, int budget) const;
  bool provesByArms(const Polynomial& p, int splits, int budget);
  bool prove(const Polynomial& p, int depth, Search& search) const;
  bool proveByFacts(const Polynomial& p, int depth, Search& search) const;
  bool proveWithExtremum(const Polynomial& p, int depth, Search& search) const;
  bool proveWithQuotient(const Polynomial& p, int depth, Search& search) const;
  const Choice* choiceIn(const Polynomial& p) const;
  std::optional<Polynomial> inArm(const Polynomial& p, const core::Operand& condition,
                                  bool holds) const;
  const core::Expr* definition(const core::Operand& operand) const;

  const core::Program& program_;
  std::unordered_map<core::ValueId, Polynomial> values_;
  std::unordered_set<core::ValueId> inexact_;
  std::unordered_map<core::ValueId, core::Expr> definitions_;
  std::unordered_map<core::ValueId, Choice> choices_;            // bools and integers
  std::unordered_map<core::ValueId, Extremum> minima_, maxima_;  // atoms that are min or max of two
  std::unordered_map<core::ValueId, Quotient> quotients_;        // atoms
  std::unordered_map<core::ValueId, Facts> facts_;               // by an atom in them
  std::unordered_set<core::ValueId> sizes_;                      // from 0 to the limit of an axis
  std::set<Monomial> element_counts_;                            // products that do not wrap
  std::vector<Learned> trail_;
};

}  // namespace halo::passes
