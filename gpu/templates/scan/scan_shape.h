// How large the tiles of a scan are (scan_tile.h).
#pragma once

#include <cstdint>

#include "gpu/templates/kernel/four.h"

namespace halo::gpu {

// How a tile is cut; the same for every device with these subgroups.
struct ScanShape {
  int64_t lanes;         // of a subgroup
  int64_t group;         // invocations
  int64_t vectors;       // of each invocation
  int64_t of_block = 1;  // tiles that a lane sees when it looks back
  int64_t ofSubgroup() const { return lanes * vectors * static_cast<int64_t>(kFour); }
  int64_t elements() const { return group * vectors * static_cast<int64_t>(kFour); }
  int64_t subgroups() const { return group / lanes; }
};

// Whole arrays, the same where elements are scattered, tiles of whole segments, segments of several
// tiles. `aligned`: segments are whole vectors.
enum class ScanWay : uint8_t { kWhole, kScattered, kRows, kLines };
ScanShape shapeFor(const KernelCall& call, const core::Screma& screma, ScanWay way, bool aligned);

// Elements of as many whole segments as fit into a tile; tiles begin at multiples of four elements.
imp::Operand ofWholeRows(imp::Builder& host, const imp::Operand& segment, const ScanShape& shape);

}  // namespace halo::gpu
