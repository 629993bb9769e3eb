// Schedules: how a kernel is made, apart from its meaning. `choose` decides them, stage
// `kernels` prints them, templates carry them out. The separation is Halide's [Ragan-Kelley 2013].
//
// Structs are plain data. Their text and the meaning of each field are in fields.h; `legal` says
// which values a device can carry out.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "gpu/schedule/condition.h"
#include "gpu/schedule/product_schedule.h"
#include "lang/prim/prim.h"

namespace halo::gpu {

// The call runs on the CPU engine.
struct CpuSchedule {
  static constexpr const char* kName = "cpu";
  bool operator==(const CpuSchedule&) const = default;
};

// One invocation for each element.
struct MapSchedule {
  static constexpr const char* kName = "per_element";
  bool operator==(const MapSchedule&) const = default;
};

// Lanes of a subgroup share each cell of a map: its reductions of rows with their own lengths
// (docs/gpu.md#rows-of-cells).
struct CellLanesSchedule {
  static constexpr const char* kName = "cell_lanes";
  int64_t lanes = 8;  // of a cell; a power of two
  int64_t turns = 2;  // elements of a lane under way together
  int64_t workgroup = 256;
  bool operator==(const CellLanesSchedule&) const = default;
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

// A scan along the last axis in memory (docs/gpu.md#scans).
struct ScanSchedule {
  static constexpr const char* kName = "scan";
  // How a tile learns the sum of the elements before it.
  enum class Carry : uint8_t {
    kReduceThenScan,  // three launches: sums of tiles, their scan, tiles again [Blelloch 1990]
    kLookback,        // decoupled look-back at earlier tiles [Merrill, Garland 2016]
    kNone             // a tile holds whole segments
  };
  enum class Sink : uint8_t {
    kArray,   // scanned values are stored
    kScatter  // they say where a scatter writes
  };
  Carry carry = Carry::kReduceThenScan;
  Sink sink = Sink::kArray;
  bool is_aligned = false;     // segments are whole vectors of four elements
  int64_t lanes = 0;           // of a subgroup, where lanes exchange values
  int64_t workgroup = 256;     // invocations
  int64_t elements = 8;        // of an invocation, at a time
  int64_t lookback_tiles = 0;  // that a lane reads
  int64_t tile() const { return workgroup * elements; }
  bool operator==(const ScanSchedule&) const = default;
};

// A scan along another axis than the last in memory (docs/gpu.md#scans-of-columns).
struct ColumnScanSchedule {
  static constexpr const char* kName = "column_scan";
  enum class Tile : uint8_t {
    kChunks,        // an invocation walks down a chunk of a column; reduce-then-scan of chunks
    kColumns,       // 32 neighbouring columns, parts of rows in registers; look-back
    kWideColumns,   // the same with fewer parts
    kStaged,        // whole rows through shared memory; look-back
    kVectors,       // four columns an invocation; look-back
    kWideVectors,   // the same with fewer invocations
    kStagedVectors  // the same with whole rows through shared memory
  };
  Tile tile = Tile::kChunks;
  int64_t workgroup = 256;
  int64_t rows = 0;            // of an invocation; chunks: 0 lets the host choose by extents
  int64_t parts = 0;           // of a tile, one below the other; 0: as many as there is room for
  int64_t lanes = 0;           // of a subgroup
  int64_t vectors = 0;         // of a row of the tile at most
  int64_t lookback_lanes = 0;  // that look back for a column
  int64_t lookback_tiles = 0;  // that each of these reads
  bool operator==(const ColumnScanSchedule&) const = default;
};

// A scan of flags that only says where a scatter writes: flags are counted, then elements are read
// again and moved (docs/gpu.md#compaction).
struct CompactionSchedule {
  static constexpr const char* kName = "compaction";
  int64_t lanes = 0;       // of a subgroup, which has a chunk of elements
  int64_t elements = 0;    // of a lane, at a time
  int64_t workgroups = 0;  // at most
  bool operator==(const CompactionSchedule&) const = default;
};

// A histogram by atomic operations on 4-byte integers (docs/gpu.md#histograms).
struct AtomicHistSchedule {
  static constexpr const char* kName = "atomic_hist";
  enum class Bins : uint8_t {
    kMemory,  // of the destinations
    kRows,    // of the destinations, an invocation for each element of a row
    kShared,  // of each workgroup, which adds them to the destinations in the end
    kCopies,  // the same, several copies of each
    kParts,   // the same; neighbouring workgroups read the same elements for other bins each
    kSlots    // of the destinations, but frequent ones in slots of each workgroup
  };
  Bins bins = Bins::kMemory;
  int64_t workgroup = 0;   // invocations; 0: one for each element
  int64_t elements = 0;    // of an invocation, whose loads are under way together
  int64_t capacity = 0;    // bins, or slots, of an operation in shared memory
  int64_t workgroups = 0;  // at most; of a part
  bool operator==(const AtomicHistSchedule&) const = default;
};

// A histogram of few bins by any operators, also on rows: tables of teams in shared memory.
struct TableHistSchedule {
  static constexpr const char* kName = "table_hist";
  int64_t workgroup = 256;
  int64_t words = 0;  // of 32 bits in all tables of a workgroup
  bool operator==(const TableHistSchedule&) const = default;
};

// A histogram by any operator on scalars, in an order that extents and bins decide.
struct OrderedHistSchedule {
  static constexpr const char* kName = "ordered_hist";
  enum class Combine : uint8_t {
    kPairs,   // one workgroup compares the bins of its elements in pairs
    kLanes,   // each invocation has bins of its own in shared memory
    kClaims,  // a workgroup has bins in shared memory, which elements claim in rounds
    kRanges,  // the same, after elements are brought together by ranges of bins
    kSorted,  // elements are sorted by their bins, neighbours combined
    kWorkers  // each worker has bins of its own in device memory
  };
  Combine combine = Combine::kWorkers;
  int64_t workgroup = 0;
  int64_t bins = 0;    // in shared memory: of an invocation, of a workgroup, or of a range
  int64_t claims = 0;  // words in which elements claim bins; a power of two
  // Of an invocation: under way together, where invocations have bins of their own; else those
  // that claim bins in one round.
  int64_t elements = 0;
  bool operator==(const OrderedHistSchedule&) const = default;
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

using Schedule = std::variant<CpuSchedule, MapSchedule, CellLanesSchedule, TransposeSchedule,
                              SortSchedule, ScanSchedule, ColumnScanSchedule, CompactionSchedule,
                              AtomicHistSchedule, TableHistSchedule, OrderedHistSchedule,
                              ReduceSchedule, SubgroupReduceSchedule, WorkgroupReduceSchedule,
                              ProductSchedule, SplitProductSchedule, MatrixProductSchedule>;

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
