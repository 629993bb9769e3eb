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
  // Sizes among `staying` that kernels take from the device, and what the host gives them room for
  // (counted_sizes.h).
  std::unordered_map<core::ValueId, core::Operand> counted;
};
// `is_final`: nothing is put in front of loops any more. A loop whose first condition is older than
// other kernels' work is not guarded then.
Placement placeScalars(const core::Program& planned, const core::Function& host,
                       bool is_final = false);

// The kernel that the statement calls, if it calls one.
const core::Function* kernelOf(const core::Program& program, const core::Stm& stm);

// Total scalar code without arrays: kernels may compute it again.
bool isComputed(const core::Stm& stm);

// Code of the host that may change places with a kernel: it neither launches nor waits. Of checks
// that fail together the replay finds the first.
bool launchesNothing(const core::Stm& stm);

// A row of an array, by a place that is asserted before. Where only the device knows the place, a
// kernel copies the row: far less time than a wait, unless the rows are matrices.
bool readsRow(const core::Program& program, const core::Stm& stm);

// Whether `callee` may take this parameter from the device: it is no size.
bool isPlainScalar(const core::Program& program, const core::Function& callee, size_t param);

// Whether the body uses the value as anything but data.
bool isSizeIn(const core::Program& program, const core::Body& body, core::ValueId value);

}  // namespace halo::gpu
