// Schedules: how a kernel is made, apart from its meaning. `choose` decides them, stage
// `kernels` prints them, templates carry them out. The separation is Halide's [Ragan-Kelley 2013].
//
// Structs are plain data. Their text and the meaning of each field are in fields.h; `legal` says
// which values a device can carry out.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "gpu/schedule/cells/schedules.h"
#include "gpu/schedule/condition.h"
#include "gpu/schedule/hist_schedules.h"
#include "gpu/schedule/product_schedule.h"
#include "gpu/schedule/scan_schedules.h"
#include "gpu/schedule/stencil/schedules.h"
#include "lang/prim/prim.h"

namespace halo::gpu {

// The call runs on the CPU engine.
struct CpuSchedule {
  static constexpr const char* kName = "cpu";
  bool operator==(const CpuSchedule&) const = default;
};

// A copy along another axis than the last, by square tiles in shared memory
// (docs/gpu.md#copies).
struct TransposeSchedule {
  static constexpr const char* kName = "transpose";
  enum class Access : uint8_t {
    kElements,  // a tile of 32 x 32, one element at a time
    kVectors,   // 16 bytes of 4-byte elements
    kWords      // 16 bytes of smaller elements, which go through shared memory in words
  };
  // Which workgroups run one after another.
  enum class Order : uint8_t {
    kOfResult,     // in the order of the result
    kOfTiles,      // all tiles of the outer indices, then the next indices
    kOfNeighbours  // several tiles along the dense axis together, then in the order of the result
  };
  Access access = Access::kElements;
  Order order = Order::kOfResult;
  bool merges_axes = false;  // the axes behind the dense one are one axis of the tile
  int64_t side = 0;          // elements of a tile's side
  bool operator==(const TransposeSchedule&) const = default;
};

// Radix sort, from the lowest digit to the highest (docs/gpu.md#sorts).
struct SortSchedule {
  static constexpr const char* kName = "sort";
  // How a tile learns the places of its digits.
  enum class Placement : uint8_t {
    kOneWorkgroup,  // it is the only tile, and sorts by all digits
    kOnesweep,      // decoupled look-back at earlier tiles [Adinets, Merrill 2022]
    kCounted        // two launches count digits and add the counts, a third one moves keys
  };
  Placement placement = Placement::kCounted;
  int64_t digit_bits = 4;
  int64_t lanes = 0;           // of a subgroup that ranks its keys together; 0: by counters
  int64_t workgroup = 128;     // invocations, at least as many as bins
  int64_t keys = 8;            // of an invocation
  int64_t lookback_tiles = 0;  // read together
  int64_t lookback_below = 0;  // keys; from so many on, the digits of this sort are counted
  bool prefetches = true;      // values are loaded while keys move
  int64_t bins() const { return int64_t{1} << digit_bits; }
  int64_t tile() const { return workgroup * keys; }
  int64_t subgroups() const { return workgroup / lanes; }
  bool operator==(const SortSchedule&) const = default;
};

// A reduction by runs of neighbouring invocations, which a tree in shared memory combines. A run
// has a segment, or a chunk of one; a second launch combines chunks (docs/gpu.md#reductions).
struct ReduceSchedule {
  static constexpr const char* kName = "reduce";
  int64_t workgroup = 256;
  int64_t lanes = 256;          // of a run at most; a power of two
  int64_t elements = 16;        // of a lane, before a run gets twice as many lanes
  int64_t chunk_elements = 16;  // of a lane of a chunk, at least
  int64_t invocations = 0;      // for which segments are cut into chunks
  int64_t unroll = 4;           // elements whose loads are under way together, in straight code
  int64_t segments = 1;         // of a run, which loads their common elements once
  int64_t segments_from = 0;    // workgroups; fewer have one segment a run
  bool is_long = false;         // one element is work for a lane
  bool operator==(const ReduceSchedule&) const = default;
};

// A run of a subgroup's lanes reduces a segment by vectors of four elements.
struct SubgroupReduceSchedule {
  static constexpr const char* kName = "subgroup_reduce";
  int64_t workgroup = 256;
  int64_t lanes = 0;        // of a subgroup
  int64_t run = 0;          // lanes of a segment, a power of two; 0: the host chooses by its length
  int64_t segments = 4;     // of a run, one after another
  int64_t turns = 1;        // of a run under way together
  bool is_aligned = false;  // segments are whole vectors
  bool operator==(const SubgroupReduceSchedule&) const = default;
};

// A workgroup reduces a chunk of a segment by vectors of four elements; a second launch combines
// chunks.
struct WorkgroupReduceSchedule {
  static constexpr const char* kName = "workgroup_reduce";
  enum class Order : uint8_t {
    kAny,       // elements are combined in any order
    kSequence,  // neighbours are combined
  };
  Order order = Order::kAny;
  int64_t workgroup = 256;
  int64_t lanes = 0;       // of a subgroup
  int64_t vectors = 4;     // of a lane, under way together
  int64_t workgroups = 0;  // for which segments are cut into chunks
  int64_t tile() const { return 4 * workgroup * vectors; }
  bool operator==(const WorkgroupReduceSchedule&) const = default;
};

using Schedule =
    std::variant<CpuSchedule, MapSchedule, CellSlotsSchedule, StagedCellsSchedule,
                 CellLanesSchedule, GroupSchedule, TransposeSchedule, SortSchedule, ScanSchedule,
                 ColumnScanSchedule, CompactionSchedule, AtomicHistSchedule, TableHistSchedule,
                 OrderedHistSchedule, ReduceSchedule, SubgroupReduceSchedule,
                 WorkgroupReduceSchedule, ProductSchedule, SplitProductSchedule,
                 MatrixProductSchedule, RegisterTileSchedule, OverlappedTileSchedule,
                 PlaneStreamSchedule, SpaceStreamSchedule, TileReduceSchedule>;

// One way to run a kernel. The host takes the first version whose guard holds.
struct ScheduleVersion {
  Condition guard;  // the last version has none
  Schedule schedule;
  std::string reason;  // for --explain; no part of the text, not compared
  bool operator==(const ScheduleVersion& other) const {
    return guard == other.guard && schedule == other.schedule;
  }
};

}  // namespace halo::gpu
