// Inequalities that may hold at the head of a loop, for a walk over its body to confirm.
//
//   (lo_9: i64, hi_10: i64, go_11: bool) =
//     loop (lo_3: i64 = 0i64, hi_4: i64 = n_1, go_5: bool = c_2) while go_5 do { .. }
// gives  lo >= 0, hi <= n, lo <= hi, lo <= n, hi >= 0, and lo < hi while the loop goes on.
//
// They compare the carried integers with initial values, with each other, with the loop's index and
// with extents of arrays that the body indexes. The condition of the loop is one, too. The Houdini
// algorithm [Flanagan, Leino 2001] assumes all, and drops those that the body breaks, until the
// others are inductive: inductive_invariants.cpp.
//
// Why: binary searches, merges and filters keep their places in carried values.
#pragma once

#include "lang/passes/bounds/bounds_facts.h"

namespace halo::passes {

struct LoopInvariant {
  Polynomial p;           // >= 0; over the carried parameters, the loop's index, outer values
  bool if_going = false;  // only where the body runs, not at the loop's end
  friend bool operator==(const LoopInvariant&, const LoopInvariant&) = default;
};

std::vector<LoopInvariant> possibleInvariants(const core::Program& program, const core::Loop& loop,
                                              const BoundsFacts& facts);

}  // namespace halo::passes
