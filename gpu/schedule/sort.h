// Schedules of radix sorts (docs/gpu.md#sorts).
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

// A tile's state for a digit is a status of two bits above a number of keys.
inline constexpr int kSortStatusBit = 30;
inline constexpr int64_t kSortMostLookingBack = int64_t{1} << kSortStatusBit;

KernelChoice chooseSort(const core::Program& program, const core::Function& kernel,
                        const Limits& limits, const Request& request);

// Of many tiles. In words of 32 bits: a key, and all that moves together.
struct SortWords {
  size_t of_key = 1, of_element = 1;
};
SortSchedule sortSchedule(const Limits& limits, const Request& request, const SortWords& words);

int64_t sortSharedBytes(const SortSchedule& schedule);

}  // namespace halo::gpu
