// Products of matrices that the GPU engine makes in tiles, wherever their inputs lie in memory
// (docs/gpu.md#products): those of these sizes. The sizes of the whole product alone decide the
// order of each sum, so several ranks can do the same.
#pragma once

#include <cstdint>

namespace halo::core {

inline constexpr int64_t kMinProductDepth = 16;       // elements of a line
inline constexpr int64_t kMinProductExtent = 48;      // rows, and columns
inline constexpr int64_t kMinProductCells = 1 << 17;  // of all products of a batch

}  // namespace halo::core
