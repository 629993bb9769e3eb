// The common code of a node, computed once in front of the outer node: one array for each value.
#pragma once

#include <optional>

#include "lang/passes/fuse/row_costs.h"
#include "lang/passes/fuse/row_levels.h"

namespace halo::passes {

// Where the outer node stands.
struct RowSurroundings {
  std::unordered_set<core::ValueId> cells;   // names of the cells of nodes around it
  std::unordered_set<core::ValueId> spread;  // arrays whose elements share memory
  bool is_loop = false;                      // the outer node is one (share_iterations.h)
  size_t dear = kDear;                       // operations for an array
  // Notes the arrays that a statement around the outer node makes.
  void see(const core::Program& program, const core::Stm& stm);
};

// Whether the nest reads or makes an array with an element for each position of the levels. One
// level of a node's cells may always have an array. `per_cell`: the array is made in cells around
// the outer node.
bool holdsAsMuch(const core::Program& program, const Levels& levels, const RowNames& names,
                 const RowSurroundings& surroundings, bool per_cell);

// The node that makes the arrays for the last level; none if nothing is worth it.
std::optional<core::Stm> shareCommonCode(core::Program& program, const Levels& levels,
                                         const RowNames& names,
                                         const RowSurroundings& surroundings);

}  // namespace halo::passes
