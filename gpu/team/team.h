// A workgroup as a team: code that one invocation would run, shared by the lanes of a workgroup.
//
// Team form is Imp in which all lanes run the same statements (uniform code), except that
// - loops marked kParallel are independent iterations, which lanes take round-robin;
// - stores outside of such loops happen once;
// - Alloc, Free, Rebind, Swap and CopyBuffer of shared buffers are allowed outside of such loops;
// - a kParallel loop from 0 to the number of lanes runs each iteration in the lane of that number,
//   and may contain barriers.
//
//   alloc a[n]; for i < n parallel { store a[i] (..) }; s = load a[0]; if s > 0 { .. }
// becomes
//   for t < (n - lid + 63) / 64 { i = lid + 64 * t; store pool[a + i] (..) }; barrier; ..
//
// The passes, in this order: `keepUniform`, `keepInRegisters`, `TeamMemory`, `placeBarriers`,
// `shareLoops`, and `whyNotUniform`, which proves the assumption of the others.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "lang/imp/builder.h"

namespace halo::gpu {

// Failures leave control flow uniform. An iteration that fails is over, all lanes hear of it
// through a shared buffer of one u32, and nothing behind it runs. They are reported behind the last
// barrier. False in `supported`: a loop's condition can fail.
imp::Block keepUniform(imp::Program& program, imp::Block body, bool* supported);

// Copies of whole buffers as kParallel loops.
imp::Block expandCopies(imp::Program& program, const imp::Block& body);

// Arrays with one element for each lane, read only by the lane that made it, become variables of
// the lanes. They need neither stores nor loads nor a barrier.
//
//   for i < n parallel { store a[i] (f i) }; for j < n parallel { x = load a[j]; store b[g x] x }
// becomes, if there are at least n lanes,
//   declare v; for i < n parallel { v := f i }; for j < n parallel { x = v; store b[g x] x }
//
// `few`: as below.
imp::Block keepInRegisters(imp::Program& program, const imp::Block& body, int64_t lanes,
                           const std::set<imp::VarId>& few = {});

// The memory that a buffer names, as numbers; none where no other lane can see it.
using MemoryOf = std::function<std::set<int64_t>(imp::BufferId)>;
// A barrier before each statement that reads memory which another lane may have written since the
// last barrier. Also before one that writes memory which another lane may still read.
imp::Block placeBarriers(const imp::Block& body, const MemoryOf& memory);

// Loops and stores to lanes. `lid` (i64): 0 .. lanes - 1. `few`: numbers of iterations that are at
// most the lanes, whatever the sizes are.
imp::Block shareLoops(imp::Program& program, const imp::Block& body, int64_t lanes,
                      const imp::Operand& lid, const std::set<imp::VarId>& few = {});

// Whether all lanes reach every barrier and shuffle together: empty, or the offender. Takes loads
// at equal indices for equal, which barriers ensure.
std::string whyNotUniform(const imp::Program& program, const imp::Block& body);

}  // namespace halo::gpu
