// A branch of host code by a scalar of the device, without the host's decision:
//
//   ys: [n]f32, s: f32 = match c {
//     true -> { zs = screma [n] (xs) map (x) { .. };  return zs, a }
//     else -> { return xs, b } }
// becomes
//   is = iota i64 [n] 0i64 1i64
//   ys = screma [n] (is) map (i) {
//     y = match c { true -> { x = index xs[i]; ..; return z }
//                   else -> { x = index xs[i]; return x } }
//     return y }
//   s = select c a b
//
// Total scalar code of both arms runs. Reductions, scans and maps for them run as well, with cells
// that read nothing where their arm is not taken (guarded_nodes.h). Other maps, views and replaced
// elements become code of the elements of the results (arm_elements.h).
//
// The host need not wait for the condition; but arrays that an arm returns unchanged are copied,
// and both arms' cells start. So this is for few cells.
#pragma once

#include <optional>

#include "gpu/plan/branches/device_scalars.h"
#include "lang/core/ir.h"

namespace halo::gpu {

struct GuardedBranch {
  std::vector<core::Stm> stms;
  core::Body cells;  // host code in front of the branch: how many there are
};

// Of a match on a bool. Nothing, if an arm holds something else, or more than a few such nodes.
std::optional<GuardedBranch> guardBranch(core::Program& program, const core::Stm& stm,
                                         DeviceScalars of_device);

}  // namespace halo::gpu
