// Comparisons of a loop's index with an invariant, and the conditions that its branches depend on.
// See split_loops.h.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lang/imp/ir.h"

namespace halo::imp {

inline constexpr int64_t kMaxShift = 1 << 20;  // of an index in a comparison

// index + shift compared with `bound`
struct IndexComparison {
  prim::Op op;
  int64_t shift;
  Operand bound;
};

// How index + shift may compare with the bound in a piece of the loop.
struct Relation {
  bool less, equal, greater;
};

// The value of the comparison by `op` in such a piece; nothing: iterations differ.
std::optional<bool> decided(prim::Op op, const Relation& relation);

// The first conditions of the branches in a loop; those of checks, which fail, come last.
class LoopConditions {
 public:
  // `most_shift`: of a comparison. Ends near the highest number wrap where it is above 0.
  LoopConditions(const Program& program, const For& loop, int64_t most_shift);

  // A condition that is the same in all iterations.
  const std::optional<VarId>& invariant() const { return invariant_; }
  const std::optional<IndexComparison>& comparison() const { return comparison_; }
  // All comparisons in the loop of the same shifted index with the same bound: variables that hold
  // them, and their operations.
  std::vector<std::pair<VarId, prim::Op>> withSameOperands(const IndexComparison& comparison) const;

 private:
  void collect(const Operand& condition);
  std::optional<IndexComparison> asComparison(const Expr& expr) const;
  std::optional<int64_t> shiftOf(const Operand& operand) const;
  bool isInvariant(const Operand& operand) const;

  const Program& program_;
  const For& loop_;
  int64_t most_shift_;
  std::unordered_map<VarId, const Expr*> lets_;
  std::unordered_set<VarId> inner_;  // indices of loops inside
  std::optional<VarId> invariant_;
  std::optional<IndexComparison> comparison_;
};

}  // namespace halo::imp
