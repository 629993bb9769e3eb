// Which scalars of host code stay in device memory.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "lang/core/ir.h"

namespace halo::gpu {

// Scalars that start in kernels, elements of arrays, and values computed from them, that nothing
// but kernels look at:
//
//   s = call main_1 n xs              reduce; s stays where the kernel writes it
//   t = f32.div s 2f32                computed again by every kernel that takes it
//   ys = call main_2 n t xs           map
//
// Reading one back costs a round trip to the device, tens of microseconds. Control flow, sizes and
// everything else that the host decides by needs the value at once; those are not in the set.
struct Placement {
  // Among them are carried values of loops: such parameters, results of bodies and of loops. So are
  // results of a match that the host decides, and results of the function, which are read when it
  // ends.
  std::unordered_set<core::ValueId> staying;
  // Computed scalars of `staying` that cost more than a launch where each invocation computes them:
  // a kernel of one invocation computes them once (carried.h).
  std::unordered_set<core::ValueId> chains;
  // While loops whose condition stays on the device, by the value of their condition in the next
  // iteration. The host starts some iterations ahead and looks afterwards how many there were. So
  // nothing but kernels in them may depend on the device (`isGuardable`).
  std::unordered_set<core::ValueId> guarded;
  // Why others are not, whose condition only the device knows: the host waits in each iteration.
  std::unordered_map<core::ValueId, std::string> unguarded;
  // Elements that kernels read in their array: of arrays of one element, which is never
  // overwritten, and those that nothing replaces before the last read (elements_in_place.h). All
  // others are copied where they are read, by the host or, if the position stays on the device, by
  // a kernel.
  std::unordered_set<core::ValueId> registers;
  std::unordered_set<core::ValueId> in_place;
  // Sizes among `staying` that kernels take from the device, and the host's bounds of them
  // (counted_sizes.h).
  std::unordered_map<core::ValueId, core::Operand> counted;
};
// `is_final`: nothing is put in front of loops any more. A loop whose first condition is older than
// other kernels' work is not guarded then.
Placement placeScalars(const core::Program& planned, const core::Function& host,
                       bool is_final = false);

}  // namespace halo::gpu
