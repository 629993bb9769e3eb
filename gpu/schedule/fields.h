// The names of a schedule's fields, in the order of its text: shared by printer and parser.
#pragma once

#include <span>

#include "gpu/plan/limits.h"
#include "gpu/schedule/schedule.h"
#include "gpu/schedule/stencil/fields.h"

namespace halo::gpu {

// Names of an enumeration's values, by value.
inline std::span<const char* const> namesOf(TransposeSchedule::Access) {
  static constexpr const char* kNames[] = {"elements", "vectors", "words"};
  return kNames;
}
inline std::span<const char* const> namesOf(TransposeSchedule::Order) {
  static constexpr const char* kNames[] = {"result", "tiles", "neighbours"};
  return kNames;
}
inline std::span<const char* const> namesOf(SortSchedule::Placement) {
  static constexpr const char* kNames[] = {"one_workgroup", "onesweep", "counted"};
  return kNames;
}

inline std::span<const char* const> namesOf(SplitProductSchedule::Blocks) {
  static constexpr const char* kNames[] = {"large", "small"};
  return kNames;
}
inline std::span<const char* const> namesOf(WorkgroupReduceSchedule::Order) {
  static constexpr const char* kNames[] = {"any", "sequence"};
  return kNames;
}

// visit(name, field) for each field; fields are int64_t, int, bool, enumerations and blocks.
template <typename Visit>
void visitFields(CpuSchedule&, Visit&&) {}
template <typename Visit>
void visitFields(TransposeSchedule& s, Visit&& visit) {
  visit("access", s.access);
  visit("side", s.side);
  visit("order", s.order);
  visit("merges_axes", s.merges_axes);
}
template <typename Visit>
void visitFields(SortSchedule& s, Visit&& visit) {
  visit("placement", s.placement);
  visit("digit_bits", s.digit_bits);
  visit("lanes", s.lanes);
  visit("workgroup", s.workgroup);
  visit("keys", s.keys);
  visit("lookback_tiles", s.lookback_tiles);
  visit("lookback_below", s.lookback_below);
  visit("prefetches", s.prefetches);
}
template <typename Visit>
void visitFields(ReduceSchedule& s, Visit&& visit) {
  visit("workgroup", s.workgroup);
  visit("lanes", s.lanes);
  visit("elements", s.elements);
  visit("chunk_elements", s.chunk_elements);
  visit("invocations", s.invocations);
  visit("unroll", s.unroll);
  visit("segments", s.segments);
  visit("segments_from", s.segments_from);
  visit("is_long", s.is_long);
}
template <typename Visit>
void visitFields(SubgroupReduceSchedule& s, Visit&& visit) {
  visit("workgroup", s.workgroup);
  visit("lanes", s.lanes);
  visit("run", s.run);
  visit("segments", s.segments);
  visit("turns", s.turns);
  visit("is_aligned", s.is_aligned);
}
template <typename Visit>
void visitFields(WorkgroupReduceSchedule& s, Visit&& visit) {
  visit("order", s.order);
  visit("workgroup", s.workgroup);
  visit("lanes", s.lanes);
  visit("vectors", s.vectors);
  visit("workgroups", s.workgroups);
}
template <typename Visit>
void visitFields(ProductValues& s, Visit&& visit) {
  visit("row_values", s.of_row);
  visit("column_values", s.of_column);
  visit("cell_values", s.of_cell);
}
template <typename Visit>
void visitFields(ProductSchedule& s, Visit&& visit) {
  visit("rows", s.rows);
  visit("columns", s.columns);
  visit("depth", s.depth);
  visit("cell_rows", s.cell_rows);
  visit("cell_columns", s.cell_columns);
  visit("lane_rows", s.lane_rows);
  visit("band", s.band);
  visit("is_fused", s.is_fused);
  visitFields(s.values, visit);
}
template <typename Visit>
void visitFields(SplitProductSchedule& s, Visit&& visit) {
  visit("depth", s.depth);
  visit("is_fused", s.is_fused);
  visit("chunks", s.chunks);
  visit("workgroups", s.workgroups);
  visit("chunk_elements", s.chunk_elements);
  visitFields(s.values, visit);
  visit("blocks", s.blocks);
}
template <typename Visit>
void visitFields(MatrixProductSchedule& s, Visit&& visit) {
  visit("rows", s.rows);
  visit("columns", s.columns);
  visit("depth", s.depth);
  visit("own_rows", s.own_rows);
  visit("own_columns", s.own_columns);
  visit("matrix_depth", s.matrix_depth);
  visit("element_bytes", s.element_bytes);
  visit("lanes", s.lanes);
  visit("copies", s.copies);
  visit("padding", s.padding);
  visit("prefetch", s.prefetch);
  visit("band", s.band);
}
template <typename Visit>
void visitFields(Limits& s, Visit&& visit) {
  visit("subgroup", s.subgroup);
  visit("shared_bytes", s.shared_bytes);
  visit("invocations", s.most_invocations);
  visit("scratch_bytes", s.scratch_bytes);
  visit("device_scope_atomics", s.groups_talk);
  visit("forward_progress", s.groups_finish);
  visit("matrix_f16", s.matrix_f16);
  visit("matrix_i8", s.matrix_i8);
  visit("matrix_u8", s.matrix_u8);
}

}  // namespace halo::gpu
