// Parallel loops on oneTBB (CPU.md 5): a range is cut into chunks, each a call of a compiled
// function with a context of its own. Of several failing chunks the lowest one counts.
#pragma once

#include "jit/runtime.h"

namespace halo::jit {

// Iterations lo .. hi - 1; `frame` holds what the loop's body captured.
using ChunkBody = int32_t (*)(RunContext* context, const uint64_t* frame, int64_t lo, int64_t hi);

extern "C" int32_t rt_parallel(RunContext* context, ChunkBody body, const uint64_t* frame,
                               int64_t lo, int64_t hi, int64_t work) noexcept;

}  // namespace halo::jit
