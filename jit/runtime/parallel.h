// Parallel loops on oneTBB (cpu.md#parallel-loops): a range is cut into chunks, calls of a compiled
// function with a context of its own. Of several failing chunks the lowest one counts. One thread
// takes all at once, or pieces while better code may come (tiers.h).
#pragma once

#include "jit/runtime/runtime.h"

namespace halo::jit {

// Iterations lo .. hi - 1; `frame` holds the captures of the loop's body.
using ChunkBody = int32_t (*)(RunContext* context, const uint64_t* frame, int64_t lo, int64_t hi);

// `slot` holds the address of the body's code, and may change; `work` estimates the instructions of
// an iteration; `loop` is its variable in Imp, for profiles.
extern "C" int32_t rt_parallel(RunContext* context, uint64_t* slot, const uint64_t* frame,
                               int64_t lo, int64_t hi, int64_t work, uint32_t loop) noexcept;

// The same for a loop with an ordered section (imp::OrderedSection): iterations begin in their
// order, one a call.
extern "C" int32_t rt_ordered(RunContext* context, uint64_t* slot, const uint64_t* frame,
                              int64_t lo, int64_t hi, int64_t work, uint32_t loop) noexcept;
// The first waits until all iterations before `iteration` have left their ordered section, or until
// one of them failed; the second leaves it.
extern "C" int32_t rt_ordered_begin(RunContext* context, int64_t iteration) noexcept;
extern "C" int32_t rt_ordered_end(RunContext* context, int64_t iteration) noexcept;

}  // namespace halo::jit
