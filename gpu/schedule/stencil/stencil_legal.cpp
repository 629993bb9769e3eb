// A launch for each power of two of steps; subgroups whose lanes exchange columns.
#include "gpu/schedule/stencil/stencil_legal.h"

#include <algorithm>

#include "gpu/schedule/legal_rules.h"

namespace halo::gpu {
namespace {

// The fault in blocks for launches of `steps`, of half as many, .. and of one.
std::string blocksProblem(const TileBlocks& blocks, int64_t steps) {
  if (!isPower(steps)) return "the steps of a launch are a power of two";
  if (blocks.empty() || int64_t{1} << (blocks.size() - 1) != steps) {
    return fmt::format("{} blocks are not one for each power of two up to {} steps", blocks.size(),
                       steps);
  }
  for (const std::vector<int64_t>& block : blocks) {
    const bool has_cells =
        !block.empty() && block.size() <= 3 && *std::min_element(block.begin(), block.end()) >= 1;
    if (!has_cells || block.size() != blocks[0].size()) return "a block has cells along each axis";
  }
  return "";
}

template <typename Stream>
std::string streamProblem(const Stream& s, int64_t busy, const Limits& limits) {
  if (!isPower(s.steps)) return "the steps of a launch are a power of two";
  if (s.lanes < 1 || s.lanes != limits.subgroup) {
    return fmt::format("{} lanes exchange columns, a subgroup has {}", s.lanes, limits.subgroup);
  }
  if (s.subgroups < 1 || busy < 1) return "a workgroup has at least one subgroup";
  return isPower(s.vector) && s.vector >= 2 && s.vector <= 16 ? ""
                                                              : "a lane has 2, 4, 8 or 16 columns";
}

std::string partProblem(const char* what, const TilePart& part, const Limits& limits) {
  if (part.rows < 1 || part.lines < 1 || part.lanes < 1 || part.height < 1) {
    return fmt::format("{} have no cells", what);
  }
  if (part.lanes * part.height <= limits.most_invocations) return "";
  return fmt::format("{} have {} invocations, a workgroup has at most {}", what,
                     part.lanes * part.height, limits.most_invocations);
}

}  // namespace

std::string whyIllegal(const RegisterTileSchedule& s, const Limits& limits) {
  using Ends = RegisterTileSchedule::Ends;
  if (!isPower(s.columns) || s.columns > 16) return "a vector has 1, 2, 4, 8 or 16 cells";
  if (s.blocks < 1 || s.prefetch < 0 || s.slab < 0) return "an invocation has at least one block";
  if (s.is_unaligned && (s.ends == Ends::kLoads || !isPower(s.sector) || s.blocks != 1)) {
    return "cells or other kernels handle the ends of unaligned rows";
  }
  if (!s.is_unaligned && s.ends == Ends::kCells) return "aligned rows have ends at whole vectors";
  if (!isPower(s.rest_lanes) || s.rest_lanes > s.lanes) return "rests are a part of a workgroup";
  std::string problem = partProblem("tiles", {s.rows, s.lines, s.lanes, s.height}, limits);
  if (problem.empty() && !s.clamps_rows) problem = partProblem("edges", s.edges, limits);
  if (problem.empty() && s.ends == Ends::kPeeled) problem = partProblem("sides", s.sides, limits);
  return problem;
}

std::string whyIllegal(const OverlappedTileSchedule& s) {
  if (s.workgroup < 1) return "a workgroup has at least one invocation";
  return blocksProblem(s.blocks, s.steps);
}

std::string whyIllegal(const PlaneStreamSchedule& s, const Limits& limits) {
  const std::string fault = streamProblem(s, s.busy_subgroups, limits);
  if (!fault.empty()) return fault;
  if (s.chunk_rows < 1 || s.most_chunk_rows < s.chunk_rows) return "a chunk has at least one row";
  if (s.prefetch < 1) return "at least one row is loaded ahead";
  if (s.frame_workgroup < 1) return "a workgroup has at least one invocation";
  for (const TileBlocks* frame : {&s.frame_rows, &s.frame_columns}) {
    std::string problem = blocksProblem(*frame, s.steps);
    if (problem.empty() && frame->front().size() != 2) problem = "a frame is made of planes";
    if (!problem.empty()) return problem;
  }
  return "";
}

std::string whyIllegal(const SpaceStreamSchedule& s, const Limits& limits) {
  const std::string fault = streamProblem(s, s.busy_workgroups, limits);
  if (!fault.empty()) return fault;
  return s.lines < 1 || s.chunk_planes < 1 ? "a lane has at least one line" : "";
}

std::string whyIllegal(const TileReduceSchedule& s, const Limits& limits) {
  if (s.workgroup != 256) return "a tree combines 256 invocations";
  if (!isPower(s.columns) || s.columns > s.workgroup) {
    return fmt::format("{} columns are no part of a workgroup", s.columns);
  }
  if (s.cells < 1) return "an invocation has at least one cell";
  const bool is_one = s.last_combines > 0;
  return finishProblem(is_one ? Finish::kLastWorkgroup : Finish::kLaunch, limits);
}

}  // namespace halo::gpu
