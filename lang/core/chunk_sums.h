// Whole reductions of scalars in chunks, the order in which the GPU engine combines them
// (docs/gpu.md#reductions). The number of elements alone decides it, so several ranks can do the
// same:
//
//   chunk    whole tiles of kChunkTile elements, as few as make at most about kMaxChunks chunks; a
//            workgroup has one. Those of up to kFewElements are of kShortTile elements: the device
//            has more to do at once. More chunks cost more than that saves.
//            (100 sums of exponentials on an H200, chunks of kChunkTile and of kShortTile: 131,072
//            elements 1,183 us and 1,000, 1,048,576 elements 1,430 and 1,888.)
//   value    that of the only chunk, or of all of them joined by the lanes of a second launch
#pragma once

#include <cstdint>

namespace halo::core {

inline constexpr int64_t kChunkTile = 4096;
inline constexpr int64_t kMaxChunks = 1024;
inline constexpr int64_t kShortTile = 1024;
inline constexpr int64_t kFewChunks = 128;
inline constexpr int64_t kFewElements = kFewChunks * kShortTile;

}  // namespace halo::core
