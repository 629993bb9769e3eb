// The statements of a cell in groups, each of which becomes a nest of its own: one parallel
// statement, or the scalar code between two of them. Cheap code is in no group; code that needs it
// computes it again.
//
//   a = f x;  ys = map g (zs, a);  b = h x;  ws = scan (+) ys   ->   {a} {ys} {b} {ws}
#pragma once

#include <unordered_set>
#include <vector>

#include "gpu/plan/nests/kinds.h"

namespace halo::gpu {

struct CellGroup {
  std::vector<size_t> members;  // positions in the cell's body
  bool is_parallel = false;
};

class CellGroups {
 public:
  using Values = std::unordered_set<core::ValueId>;

  // `kinds`: of the statements of `cell`, which both outlive this.
  CellGroups(const core::Program& program, const core::Body& cell, const std::vector<Kind>& kinds);

  const std::vector<CellGroup>& all() const { return groups_; }
  bool isCheap(size_t i) const { return kinds_[i] == Kind::kCheap; }
  const Values& freeOf(size_t i) const { return free_[i]; }

  // Whether arrays that go from group to group have the same size in all cells: others have no
  // place outside of their cell.
  bool crossRegularly(const Classifier& classifier) const;
  // Whether a statement uses an array of another one, through cheap code as well.
  bool passArrays() const;
  // Whether anything but this group uses the value, through cheap code or not.
  bool isUsedOutside(core::ValueId value, const CellGroup& group) const;
  // Whether a statement makes the value that is not computed again.
  bool isMade(core::ValueId value) const;

  static Values valuesIn(const core::Operands& operands);

 private:
  Values valuesFor(size_t i) const { return throughCheap(free_[i]); }
  Values valuesForResults() const { return throughCheap(valuesIn(cell_.results)); }
  Values throughCheap(Values needed) const;
  std::unordered_set<size_t> makersOf(const Values& values) const;
  std::unordered_set<size_t> makersFor(size_t i) const { return makersOf(valuesFor(i)); }
  void group();

  const core::Program& program_;
  const core::Body& cell_;
  const std::vector<Kind>& kinds_;
  std::vector<Values> free_;  // by statement
  std::vector<CellGroup> groups_;
};

// Extents of each parallel statement and of the cheap `rows` of a cell. Empty if something else
// than the extents says how much one of them does, or cells differ.
std::vector<core::Operands> innerExtents(const core::Program& program, const core::Body& body,
                                         const std::vector<Kind>& kinds,
                                         const std::vector<core::ValueId>& rows,
                                         const Classifier& cell);

}  // namespace halo::gpu
