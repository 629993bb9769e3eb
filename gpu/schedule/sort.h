// Schedules of radix sorts (docs/gpu.md#sorts).
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

// A tile's state for a digit is a status of two bits above a number of keys.
inline constexpr int kSortStatusBit = 30;
inline constexpr int64_t kSortMostLookingBack = int64_t{1} << kSortStatusBit;

KernelChoice chooseSort(const core::Program& program, const core::Function& kernel,
                        const Limits& limits, const Request& request);

// Of many tiles. `key_words`: of 32 bits; `is_alone`: no elements go along with the keys.
SortSchedule sortSchedule(const Limits& limits, const Request& request, size_t key_words,
                          bool is_alone);

int64_t sortSharedBytes(const SortSchedule& schedule);

}  // namespace halo::gpu
