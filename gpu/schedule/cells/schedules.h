// Schedules of maps, scatters and arrays made element by element, as ../schedule.h has those of all
// families, with their fields.
#pragma once

#include <cstdint>
#include <span>

namespace halo::gpu {

// One invocation for each cell, or for a few of them (docs/gpu.md#per-element).
struct MapSchedule {
  static constexpr const char* kName = "per_element";
  // Where the cells of an invocation lie.
  enum class Layout : uint8_t {
    kSingle,  // there is one
    kApart,   // on a line, a workgroup's size apart: each load of the workgroup is one piece
    kBelow,   // below each other along the axis before the last: they share rows
    kVectors  // beside each other: accesses move 16 bytes
  };
  Layout layout = Layout::kSingle;
  int64_t cells = 1;        // of an invocation, whose loads are under way together
  int64_t workgroup = 256;  // invocations
  int64_t line = 256;       // of them along the last axis at most
  int64_t planes = 1;       // of them along the first axis of three at least
  bool operator==(const MapSchedule&) const = default;
};

// Cells that need device memory of their own: an invocation goes through several cells, in the
// memory of a slot.
struct CellSlotsSchedule {
  static constexpr const char* kName = "cell_slots";
  int64_t workgroup = 64;
  int64_t invocations = 0;        // at most; each has a slot
  int64_t least_invocations = 0;  // though slots need more than ..
  int64_t bytes = 0;              // .. so much memory
  bool operator==(const CellSlotsSchedule&) const = default;
};

// Cells that read along columns. A workgroup has a square of cells, whose reads pass through shared
// memory (docs/gpu.md#cells-that-read-along-columns).
struct StagedCellsSchedule {
  static constexpr const char* kName = "staged_cells";
  int64_t side = 32;         // of the square
  int64_t rows = 8;          // of the square at a time, each with `side` invocations
  int64_t padding = 1;       // elements behind a line, so that columns lie in different banks
  bool is_unrolled = false;  // the code of an invocation's cells stands side by side
  bool operator==(const StagedCellsSchedule&) const = default;
};

// A workgroup shares each cell. Statements with many elements go by its lanes, arrays lie in one
// pool (docs/gpu.md#sequential-cells-distribution-workgroup-for-each-cell).
struct GroupSchedule {
  static constexpr const char* kName = "group";
  enum class Pool : uint8_t {
    kUsual,  // shared memory that lets many cells be under way
    kWhole,  // all shared memory of a workgroup
    kDevice  // a part of a device buffer
  };
  Pool pool = Pool::kUsual;
  int64_t lanes = 256;    // at most: a power of two, no more than there are elements
  int64_t words = 0;      // of 32 bits, of shared memory
  bool one_turn = false;  // no statement has more elements than there are lanes
  bool has_runs = false;  // lanes combine several neighbouring elements each
  bool operator==(const GroupSchedule&) const = default;
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

inline std::span<const char* const> namesOf(MapSchedule::Layout) {
  static constexpr const char* kNames[] = {"single", "apart", "below", "vectors"};
  return kNames;
}

inline std::span<const char* const> namesOf(GroupSchedule::Pool) {
  static constexpr const char* kNames[] = {"usual", "whole", "device"};
  return kNames;
}

template <typename Visit>
void visitFields(MapSchedule& s, Visit&& visit) {
  visit("layout", s.layout);
  visit("cells", s.cells);
  visit("workgroup", s.workgroup);
  visit("line", s.line);
  visit("planes", s.planes);
}
template <typename Visit>
void visitFields(CellSlotsSchedule& s, Visit&& visit) {
  visit("workgroup", s.workgroup);
  visit("invocations", s.invocations);
  visit("least_invocations", s.least_invocations);
  visit("bytes", s.bytes);
}
template <typename Visit>
void visitFields(StagedCellsSchedule& s, Visit&& visit) {
  visit("side", s.side);
  visit("rows", s.rows);
  visit("padding", s.padding);
  visit("is_unrolled", s.is_unrolled);
}
template <typename Visit>
void visitFields(GroupSchedule& s, Visit&& visit) {
  visit("pool", s.pool);
  visit("lanes", s.lanes);
  visit("words", s.words);
  visit("one_turn", s.one_turn);
  visit("has_runs", s.has_runs);
}
template <typename Visit>
void visitFields(CellLanesSchedule& s, Visit&& visit) {
  visit("lanes", s.lanes);
  visit("turns", s.turns);
  visit("workgroup", s.workgroup);
}

}  // namespace halo::gpu
