// Which code makes vectors of a loop whose iterations are independent, as a mark of the loop:
//
//   for i in 0 .. n vector 16 { straight code }              LLVM's loop vectoriser
//   for i in 0 .. n vector 64 lanes { loops, branches }      the code generator, with masks
//   for i in 0 .. n { calls, buffers that move }             neither: one iteration at a time
//
// `lanes` says outer-loop vectorisation of so many iterations at once (lane_size.h). Parallel loops
// carry the mark for the iterations of a chunk. `jit/emit` reads the marks and chooses neither; the
// verifier checks that each holds.
#pragma once

#include "lang/imp/private_arrays.h"

namespace halo::imp {

enum class VectorCode : uint8_t { kNone, kVectoriser, kLanes };

// The choice for a loop of a function. `uses`: of buffers by the function.
VectorCode vectorCode(const Program& program, const BufferUses& uses, const For& loop);
// The choice that the loop's marks state.
VectorCode markedVectorCode(const For& loop);

// May lanes run this loop? `For::lanes` requires it.
bool mayRunInLanes(const Program& program, const Block& body);
// May LLVM be told that the iterations are independent? `For::vector_width` without lanes
// requires it.
bool mayBeVectorised(const Program& program, const BufferUses& uses, const Block& body);

// Marks all loops of a finished host function, and puts the bodies of those in lanes in the order
// of use (lane_size.h). The inner loop of one with transposed loads runs in square tiles, and the
// remaining iterations in lanes.
void markVectorLoops(const Program& program, Function& function);

// Has the block statements that give memory to buffers, call, or leave the function's own code?
bool bindsBuffers(const Block& block);
// Has the block stores that may go past the caches?
bool hasStreams(const Block& block);

}  // namespace halo::imp
