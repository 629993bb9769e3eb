// The work of a step's statements in operations, as code of the host. Extents are not known before.
#pragma once

#include "gpu/plan/workgroup/likely_extents.h"
#include "lang/core/builder.h"

namespace halo::gpu {

// More operations, or elements, count as so many: products of two do not wrap.
inline constexpr int64_t kMaxWork = int64_t{1} << 30;

// Of one statement: `lanes` are the extents that a workgroup's lanes share, `turns` those that each
// goes through by itself.
struct StatementWork {
  core::Operands lanes, turns;
  // Some iterations are of maps and reductions. Other launches spread them over the device, but
  // lanes without a cell wait for those that have one: all of them count.
  bool holds_lanes = false;
  int64_t operations = 0;
  int64_t of_tables = 0;  // more of them if the arrays that the loop changes in place are far

  bool isSame(const StatementWork& other) const {
    return lanes == other.lanes && turns == other.turns && holds_lanes == other.holds_lanes;
  }
  core::Operands extents() const {
    core::Operands all = lanes;
    all.insert(all.end(), turns.begin(), turns.end());
    return all;
  }
};

core::Operand atMost(core::Builder& host, const core::Operand& number);  // kMaxWork
core::Operand times(core::Builder& host, core::Operand product, const core::Operands& extents,
                    LikelyExtents& likely);

// In one workgroup.
core::Operand operationsOf(core::Builder& host, const StatementWork& work, LikelyExtents& likely);
// The same, where arrays that the loop changes in place are in the device's memory.
core::Operand farOperationsOf(core::Builder& host, const StatementWork& work,
                              LikelyExtents& likely);
// The part of a statement's work, `all`, that other launches spread over invocations.
core::Operand ofOtherLaunches(core::Builder& host, const StatementWork& work,
                              const core::Operand& all, LikelyExtents& likely);

}  // namespace halo::gpu
