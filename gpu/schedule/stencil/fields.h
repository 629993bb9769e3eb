// The fields of ./schedules.h, in the order of their text.
#pragma once

#include <span>

#include "gpu/schedule/stencil/schedules.h"

namespace halo::gpu {

inline std::span<const char* const> namesOf(RegisterTileSchedule::Ends) {
  static constexpr const char* kNames[] = {"loads", "cells", "peeled"};
  return kNames;
}

template <typename Visit>
void visitFields(RegisterTileSchedule& s, Visit&& visit) {
  visit("columns", s.columns);
  visit("rows", s.rows);
  visit("lines", s.lines);
  visit("blocks", s.blocks);
  visit("prefetch", s.prefetch);
  visit("lanes", s.lanes);
  visit("height", s.height);
  visit("slab", s.slab);
  visit("slab_cells", s.slab_cells);
  visit("ends", s.ends);
  visit("clamps_rows", s.clamps_rows);
  visit("is_unaligned", s.is_unaligned);
  visit("sector", s.sector);
  visit("rest_lanes", s.rest_lanes);
  visit("edges", s.edges);
  visit("sides", s.sides);
}

template <typename Visit>
void visitFields(OverlappedTileSchedule& s, Visit&& visit) {
  visit("steps", s.steps);
  visit("workgroup", s.workgroup);
  visit("blocks", s.blocks);
}
template <typename Visit>
void visitFields(PlaneStreamSchedule& s, Visit&& visit) {
  visit("steps", s.steps);
  visit("lanes", s.lanes);
  visit("vector", s.vector);
  visit("subgroups", s.subgroups);
  visit("busy_subgroups", s.busy_subgroups);
  visit("chunk_rows", s.chunk_rows);
  visit("most_chunk_rows", s.most_chunk_rows);
  visit("moves_rows", s.moves_rows);
  visit("prefetch", s.prefetch);
  visit("copies_arrays", s.copies_arrays);
  visit("frame_workgroup", s.frame_workgroup);
  visit("frame_rows", s.frame_rows);
  visit("frame_columns", s.frame_columns);
}
template <typename Visit>
void visitFields(SpaceStreamSchedule& s, Visit&& visit) {
  visit("steps", s.steps);
  visit("lanes", s.lanes);
  visit("vector", s.vector);
  visit("lines", s.lines);
  visit("subgroups", s.subgroups);
  visit("busy_workgroups", s.busy_workgroups);
  visit("chunk_planes", s.chunk_planes);
  visit("copies_arrays", s.copies_arrays);
}
template <typename Visit>
void visitFields(TileReduceSchedule& s, Visit&& visit) {
  visit("workgroup", s.workgroup);
  visit("columns", s.columns);
  visit("cells", s.cells);
}

}  // namespace halo::gpu
