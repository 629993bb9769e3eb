// The indices of a kernel as polynomials. Atoms are the variables that no sum, difference or
// product defines: `t = mul row n;  u = add t col` gives `row * n + col` for u. Two indices whose
// polynomials differ by a constant are that many elements distant.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "lang/imp/ir.h"
#include "lang/passes/simplify/polynomial.h"

namespace halo::gpu {

class IndexPolynomials {
 public:
  IndexPolynomials(const imp::Program& program, const imp::Function& kernel);

  // Of an i64; its atoms have the numbers of the kernel's variables. Nothing: it is too large.
  std::optional<passes::Polynomial> of(const imp::Operand& operand) const;

  // The index's step from one iteration of the loop to the next, if all are equal.
  std::optional<passes::Polynomial> stepOf(const imp::For& loop, const imp::Operand& index) const;
  // The n of a few for which iteration i has `a` where iteration i + n has `b`. Both move with the
  // loop alike, and move at all; else nothing.
  std::optional<int64_t> iterationsBetween(const imp::For& loop, const imp::Operand& a,
                                           const imp::Operand& b) const;
  // The index's step from one invocation of a line to the next; nothing: it is not known.
  std::optional<int64_t> laneStep(const imp::Operand& index) const;

 private:
  void look(const imp::Stm& stm);
  std::optional<passes::Polynomial> movedBy(const passes::Polynomial& place,
                                            imp::VarId index) const;

  struct Range {
    size_t begin, end;
  };
  bool changesIn(const imp::For& loop, imp::VarId var) const;

  const imp::Program& program_;
  std::unordered_map<imp::VarId, imp::Prim> sums_;
  std::unordered_map<imp::VarId, size_t> bound_;  // by which statement of the kernel
  std::unordered_map<imp::VarId, Range> inside_;  // the statements of a loop, by its index
  std::unordered_set<imp::VarId> lanes_;          // numbers of an invocation along x
  std::unordered_set<imp::VarId> varying_;        // values that may differ between invocations
};

}  // namespace halo::gpu
