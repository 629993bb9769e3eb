// Scatters and histograms of an arm, into arrays that the other arm returns unchanged.
//
//   ys = match c {                               ys = scatter [n] (is, vs) map (i, v) {
//     true -> {                                    p = select c i -1
//       zs = scatter [n] (is, vs) into (xs 1)  ->  return p, v } into (xs 1)
//       return zs }
//     else -> { return xs } }
//
// Where the arm is not taken, all places are out of range.
#pragma once

#include <optional>
#include <vector>

#include "gpu/plan/branches/guarded_nodes.h"

namespace halo::gpu {

struct GuardedUpdate {
  core::Stm stm;                // binds results of the branch
  std::vector<size_t> results;  // which ones
  core::Operand width;
};

// Of a statement of this arm of the branch. Nothing, if one of the arrays has another use, in
// either arm.
std::optional<GuardedUpdate> guardedUpdate(core::Program& program, const core::Stm& branch,
                                           const core::Stm& stm, const Taken& taken);

}  // namespace halo::gpu
