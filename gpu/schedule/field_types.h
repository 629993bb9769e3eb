// Types of schedules' fields, other than numbers and enumerations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace halo::gpu {

// Cells of a block along each axis, for launches of S steps, of S/2, .. and of one.
using TileBlocks = std::vector<std::vector<int64_t>>;

// The cells of an invocation, and how many invocations a workgroup has along and across rows.
struct TilePart {
  int64_t rows = 0, lines = 0, lanes = 0, height = 0;
  bool operator==(const TilePart&) const = default;
};

// Words of values that stay in registers; left out of the text where there are none.
struct OwnWords {
  int64_t words = 0;
  bool operator==(const OwnWords&) const = default;
};
// Of the scalars of one row, one column, one cell of a product that its elements read.
struct ProductValues {
  OwnWords of_row, of_column, of_cell;
  bool operator==(const ProductValues&) const = default;
};

// Cells of a nest along some of its levels, counted from the outside: `1x4` are four along level 1.
struct LevelTile {
  int64_t level = 0, cells = 1;
  bool operator==(const LevelTile&) const = default;
};
// Left out of the text where there are none.
struct LevelTiles {
  std::vector<LevelTile> levels;
  bool operator==(const LevelTiles&) const = default;
};

// Where partial values of workgroups are combined: by a second launch, or the last workgroup.
// Left out of the text where it is a launch.
enum class Finish : uint8_t { kLaunch, kLastWorkgroup };
inline std::span<const char* const> namesOf(Finish) {
  static constexpr const char* kNames[] = {"launch", "last_workgroup"};
  return kNames;
}

}  // namespace halo::gpu
