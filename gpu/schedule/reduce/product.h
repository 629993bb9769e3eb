// Schedules of reductions that have the form of a matrix product (docs/gpu.md#products).
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

// Versions for `levels`, a nest as of reduceNest; none where the nest is no product or its tiles
// do not fit the device. Guards ask whether the launch's inputs are matrices.
void addProducts(KernelChoice& choice, const core::Program& program, const core::Function& kernel,
                 const std::vector<const core::Screma*>& levels, const Limits& limits,
                 const Request& request);

// The same for batches of small products, which come before tiles of segments.
void addBatchedProducts(KernelChoice& choice, const core::Program& program,
                        const core::Function& kernel,
                        const std::vector<const core::Screma*>& levels, const Limits& limits,
                        const Request& request);

// A split product has the first of these whose condition on rows and columns holds.
struct SplitTile {
  Condition suits;
  ProductSchedule tile;
  const char* name;  // of its kernel
};
std::vector<SplitTile> splitProductTiles(const SplitProductSchedule& schedule);

inline constexpr int64_t kSplitUnit = 16;  // chunks have a multiple of the elements of any step
// .. and of any step of all slices.
inline constexpr int64_t kSlicedUnit = 128;

}  // namespace halo::gpu
