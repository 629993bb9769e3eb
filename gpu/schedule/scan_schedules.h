// Schedules of scans and compaction, as schedule.h has those of all families, with their fields.
#pragma once

#include <cstdint>
#include <span>

namespace halo::gpu {

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

inline std::span<const char* const> namesOf(ScanSchedule::Carry) {
  static constexpr const char* kNames[] = {"reduce_then_scan", "lookback", "none"};
  return kNames;
}
inline std::span<const char* const> namesOf(ScanSchedule::Sink) {
  static constexpr const char* kNames[] = {"array", "scatter"};
  return kNames;
}
inline std::span<const char* const> namesOf(ColumnScanSchedule::Tile) {
  static constexpr const char* kNames[] = {"chunks",  "columns",      "wide_columns",  "staged",
                                           "vectors", "wide_vectors", "staged_vectors"};
  return kNames;
}

template <typename Visit>
void visitFields(ScanSchedule& s, Visit&& visit) {
  visit("carry", s.carry);
  visit("sink", s.sink);
  visit("is_aligned", s.is_aligned);
  visit("lanes", s.lanes);
  visit("workgroup", s.workgroup);
  visit("elements", s.elements);
  visit("lookback_tiles", s.lookback_tiles);
}
template <typename Visit>
void visitFields(ColumnScanSchedule& s, Visit&& visit) {
  visit("tile", s.tile);
  visit("workgroup", s.workgroup);
  visit("rows", s.rows);
  visit("parts", s.parts);
  visit("lanes", s.lanes);
  visit("vectors", s.vectors);
  visit("lookback_lanes", s.lookback_lanes);
  visit("lookback_tiles", s.lookback_tiles);
}
template <typename Visit>
void visitFields(CompactionSchedule& s, Visit&& visit) {
  visit("lanes", s.lanes);
  visit("elements", s.elements);
  visit("workgroups", s.workgroups);
}

}  // namespace halo::gpu
