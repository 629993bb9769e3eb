// Whole reductions of scalars in chunks, the order in which the GPU engine combines them
// (docs/gpu.md#reductions). The number of elements alone decides it, so several ranks can do the
// same:
//
//   chunk    whole tiles of kChunkTile elements, as few as make at most about kMaxChunks chunks; a
//            workgroup has one
//   value    that of the only chunk, or of all of them joined by the lanes of a second launch
#pragma once

#include <cstdint>

namespace halo::core {

inline constexpr int64_t kChunkTile = 4096;
inline constexpr int64_t kMaxChunks = 1024;

}  // namespace halo::core
