// Schedules of stencils, as ../schedule.h has those of all families.
#pragma once

#include <cstdint>
#include <vector>

namespace halo::gpu {

// Cells of a block along each axis, for launches of S steps, of S/2, .. and of one.
using TileBlocks = std::vector<std::vector<int64_t>>;

// The cells of an invocation, and how many invocations a workgroup has beside and below each other.
struct TilePart {
  int64_t rows = 0, lines = 0, lanes = 0, height = 0;
  bool operator==(const TilePart&) const = default;
};

// One step: an invocation has a tile of cells and loads each row that these read once, to registers
// (docs/gpu.md#register-tile). Rows lie along the axis before the last, or the first of three;
// lines along the middle one of three.
struct RegisterTileSchedule {
  static constexpr const char* kName = "register_tile";
  // The code that handles the ends of rows.
  enum class Ends : uint8_t {
    kLoads,   // each load beside the own cells; rows are whole vectors
    kCells,   // each neighbour, and each store
    kPeeled,  // other kernels: nothing is tested
  };
  int64_t columns = 1;  // neighbouring cells of a row: a vector
  int64_t rows = 1, lines = 1;
  int64_t blocks = 1;            // pieces of `columns` cells, `lanes` pieces apart
  int64_t prefetch = 2;          // rows that are loaded before they are needed
  int64_t lanes = 32;            // invocations of a workgroup along rows
  int64_t height = 8;            // and along the axis before the last
  int64_t slab = 0;              // workgroups along lines that go through all rows together; 0: all
  int64_t slab_cells = 600'000;  // of a plane: smaller planes have one slab
  Ends ends = Ends::kLoads;
  bool clamps_rows = false;  // every row is clamped where it is loaded; else there are edge kernels
  bool is_unaligned = false;  // rows begin anywhere: a kernel for each alignment offset
  int64_t sector = 1;         // cells: of unaligned rows, the first one begins a multiple of it
  int64_t rest_lanes = 8;     // of a row's last workgroup: so few are done for many rows together
  TilePart edges, sides;      // of the kernels beside the interior: whole rows; ends of rows
  bool operator==(const RegisterTileSchedule&) const = default;
};

// Several steps of a loop: a workgroup loads a block with its surroundings and does the steps in
// shared memory (docs/gpu.md#overlapped-tile).
struct OverlappedTileSchedule {
  static constexpr const char* kName = "overlapped_tiles";
  int64_t steps = 1;  // of a launch, a power of two; the rest by halves
  int64_t workgroup = 256;
  TileBlocks blocks;
  bool operator==(const OverlappedTileSchedule&) const = default;
};

// Several steps of a loop over a plane: a subgroup goes down a strip of columns with rows in
// registers; overlapped tiles do the frame (docs/gpu.md#streaming).
struct PlaneStreamSchedule {
  static constexpr const char* kName = "plane_stream";
  int64_t steps = 1;
  int64_t lanes = 0;           // of a subgroup, beside each other
  int64_t vector = 4;          // columns of a lane
  int64_t subgroups = 4;       // of a workgroup
  int64_t busy_subgroups = 0;  // for which columns are cut into chunks
  int64_t chunk_rows = 16;     // at least
  int64_t most_chunk_rows = 512;
  bool moves_rows = false;     // a trip is one row, which moves down the ring; else rows rename
  int64_t prefetch = 8;        // rows, where rows move
  bool copies_arrays = false;  // to rows of whole vectors, and back
  int64_t frame_workgroup = 256;
  TileBlocks frame_rows, frame_columns;
  bool operator==(const PlaneStreamSchedule&) const = default;
};

// Several steps of a loop over a space: a workgroup goes through it, plane by plane, with planes in
// registers [Nguyen 2010].
struct SpaceStreamSchedule {
  static constexpr const char* kName = "space_stream";
  int64_t steps = 1;
  int64_t lanes = 0;            // of a subgroup, beside each other
  int64_t vector = 4;           // columns of a lane
  int64_t lines = 3;            // of a lane
  int64_t subgroups = 8;        // of a workgroup, below each other
  int64_t busy_workgroups = 0;  // for which planes are cut into chunks
  int64_t chunk_planes = 32;    // at least
  bool copies_arrays = false;   // to lines of whole vectors, and back
  bool operator==(const SpaceStreamSchedule&) const = default;
};

// A step with reductions over its cells: a workgroup computes a tile and combines its values, a
// second launch combines those of tiles.
struct TileReduceSchedule {
  static constexpr const char* kName = "tile_reduce";
  int64_t workgroup = 256;
  int64_t columns = 64;  // invocations beside each other
  int64_t cells = 16;    // of an invocation
  bool operator==(const TileReduceSchedule&) const = default;
};

}  // namespace halo::gpu
