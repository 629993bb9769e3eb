// Versions in the order in which they are made.
#include "gpu/schedule/stencil/overlap.h"

#include <algorithm>

namespace halo::gpu {

Reach surroundings(const Unrolled& unrolled) {
  Reach all = unrolled.versions[0].needed;
  for (const Version& version : unrolled.versions) {
    for (size_t axis = 0; axis < all.lo.size(); ++axis) {
      all.lo[axis] = std::max(all.lo[axis], version.needed.lo[axis]);
      all.hi[axis] = std::max(all.hi[axis], version.needed.hi[axis]);
    }
  }
  return all;
}

TileStorage tileStorage(const Unrolled& unrolled) {
  TileStorage storage;
  std::vector<int> free_after;  // by array: the instance that reads it last
  storage.array.assign(unrolled.versions.size(), -1);
  for (size_t v = 0; v < unrolled.versions.size(); ++v) {
    const Version& version = unrolled.versions[v];
    if (version.last_use < 0) continue;
    size_t at = 0;
    while (at < storage.types.size() &&
           (storage.types[at] != version.type || free_after[at] >= version.made_by)) {
      ++at;
    }
    if (at == storage.types.size()) {
      storage.types.push_back(version.type);
      free_after.push_back(0);
    }
    free_after[at] = version.last_use;
    storage.array[v] = static_cast<int>(at);
  }
  return storage;
}

int64_t cellsOf(const Reach& around, const std::vector<int64_t>& block) {
  int64_t cells = 1;
  for (size_t axis = 0; axis < block.size(); ++axis) {
    cells *= around.lo[axis] + block[axis] + around.hi[axis];
  }
  return cells;
}

int64_t tileBytes(const Unrolled& unrolled, const std::vector<int64_t>& block) {
  const int64_t cells = cellsOf(surroundings(unrolled), block);
  int64_t bytes = 0;
  for (const core::ScalarType type : tileStorage(unrolled).types) {
    bytes += cells * std::max(prim::byteSize(type), 4);
  }
  return bytes;
}

int64_t spaceStreamBytes(const Unrolled& unrolled, const SpaceStreamSchedule& s) {
  const int64_t lines = s.subgroups * (s.lines > 1 ? 2 : 1);
  int64_t bytes = 0;
  for (const Version& version : unrolled.versions) {
    const bool is_read = version.last_use >= 0;
    bytes += is_read ? lines * s.lanes * s.vector * prim::byteSize(version.type) : 0;
  }
  return bytes;
}

StreamMargin streamMargin(const Unrolled& unrolled) {
  StreamMargin margin;
  for (const Version& version : unrolled.versions) {
    margin.vector = std::max<int64_t>(margin.vector, 16 / prim::byteSize(version.type));
  }
  const Reach around = surroundings(unrolled);
  for (size_t axis = 0; axis < around.lo.size(); ++axis) {
    margin.lost.push_back(std::max({around.lo[axis], around.hi[axis], int64_t{0}}));
  }
  int64_t& columns = margin.lost.back();
  columns = (columns + margin.vector - 1) / margin.vector * margin.vector;
  return margin;
}

}  // namespace halo::gpu
