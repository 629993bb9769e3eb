// Cells around a block, or at the ends of a strip, that several steps compute and do not store.
// Schedules and templates share these facts of an unrolled stencil.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/plan/loops/iterated.h"
#include "gpu/schedule/schedule.h"

namespace halo::gpu {

// How far cells around a block are loaded, along each axis, both ways.
Reach surroundings(const Unrolled& unrolled);

// The arrays of a tile in shared memory: an array is reused once all invocations have read it.
struct TileStorage {
  std::vector<int> array;  // by version; -1: no reads in shared memory
  std::vector<core::ScalarType> types;
};
TileStorage tileStorage(const Unrolled& unrolled);

int64_t cellsOf(const Reach& around, const std::vector<int64_t>& block);
int64_t tileBytes(const Unrolled& unrolled, const std::vector<int64_t>& block);

// Of a workgroup: the outer lines of its subgroups, which others read.
int64_t spaceStreamBytes(const Unrolled& unrolled, const SpaceStreamSchedule& schedule);

// The columns of a lane that are one vector of 16 bytes of the narrowest type, at least two. The
// cells at each end of a strip that are not stored, by axis; along the last one whole vectors.
struct StreamMargin {
  int64_t vector = 2;
  std::vector<int64_t> lost;
};
StreamMargin streamMargin(const Unrolled& unrolled);

}  // namespace halo::gpu
