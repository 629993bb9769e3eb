#include "gpu/schedule/cells/cells_legal.h"

#include <fmt/format.h>

#include "gpu/schedule/cells/rows.h"
#include "gpu/schedule/legal_rules.h"

namespace halo::gpu {

std::string whyIllegal(const MapSchedule& s) {
  using Layout = MapSchedule::Layout;
  if (!isPower(s.workgroup) || !isPower(s.line) || !isPower(s.planes) ||
      s.line * s.planes > s.workgroup) {
    return "invocations, those of a line and planes are powers of two, and lines fit";
  }
  if (s.cells < 1 || (s.layout == Layout::kSingle) != (s.cells == 1)) {
    return "a single cell is one, all others are several";
  }
  if (s.layout == Layout::kVectors && s.cells != 8 && s.cells != 16) {
    return "vectors have 8 or 16 small elements";
  }
  return "";
}

std::string whyIllegal(const CellSlotsSchedule& s) {
  if (s.workgroup < 1 || s.least_invocations < 1 || s.invocations < s.least_invocations) {
    return "no invocation has a slot";
  }
  return "";
}

std::string whyIllegal(const StagedCellsSchedule& s, const Limits& limits) {
  if (s.rows < 1 || s.side < s.rows || s.side % s.rows != 0 || s.padding < 0) {
    return "a square is whole rounds of rows";
  }
  const int64_t bytes = s.side * (s.side + s.padding) * 4;
  if (bytes > limits.shared_bytes) {
    return fmt::format("{} bytes of shared memory, a workgroup has {}", bytes, limits.shared_bytes);
  }
  return "";
}

std::string whyIllegal(const RowCellsSchedule& s, const Limits& limits) {
  if (s.workgroup < 1) return "a workgroup has at least one cell";
  if (s.row < 2 || s.row > 16) return "rows have 2 to 16 elements";
  if (s.levels < 1) return "cells are those of a map";
  if (s.words < 1) return "cells have no rows";
  if (s.elements < s.row) return "a lane has at least one row";
  if (s.is_vector && s.workgroup % 16 != 0) return "vectors are those of 16 cells each";
  if (s.workgroup * s.elements > kMaxRowElements) {
    return fmt::format("{} elements of an array, a workgroup moves at most {}",
                       s.workgroup * s.elements, kMaxRowElements);
  }
  if (s.bytes() <= limits.shared_bytes) return "";
  return fmt::format("{} bytes of shared memory, a workgroup has {}", s.bytes(),
                     limits.shared_bytes);
}

std::string whyIllegal(const RowCellsSchedule& s, const core::Function& kernel) {
  const bool is_map = kernel.kernel[0].kind == core::KernelKind::kMap;
  const auto levels = static_cast<int64_t>(kernel.kernel[0].space.size());
  if (s.levels <= (is_map ? levels : levels - 1)) return "";
  return fmt::format("cells inside of {} levels, the nest has {}", s.levels, levels);
}

std::string whyIllegal(const GroupSchedule& s, const Limits& limits) {
  const bool is_shared = s.pool != GroupSchedule::Pool::kDevice;
  if (!isPower(s.lanes)) return "lanes are a power of two";
  if (is_shared != (s.words > 0)) return "a pool in shared memory has words, no other has";
  if (s.words * 4 > limits.shared_bytes) {
    return fmt::format("{} bytes of shared memory, a workgroup has {}", s.words * 4,
                       limits.shared_bytes);
  }
  return "";
}

std::string whyIllegal(const CellLanesSchedule& s, const Limits& limits) {
  const bool is_group = s.lanes == s.workgroup;
  if (!isPower(s.lanes) || (!is_group && s.lanes > limits.subgroup)) {
    return fmt::format("{} lanes are no part of a subgroup, which has {}, and no workgroup",
                       s.lanes, limits.subgroup);
  }
  if ((s.workgroups > 0) != (s.run > 0) || (s.workgroups > 0 && !is_group)) {
    return "whole workgroups share a cell by runs of elements";
  }
  if (s.workgroups > 0 && !limits.groups_talk) {
    return "the last workgroup needs device-scope atomics";
  }
  if (s.turns < 1 || s.turns > 8) return "a lane has 1 to 8 elements under way";
  return lanesProblem(limits.subgroup, s.workgroup, limits);
}

}  // namespace halo::gpu
