// Rules of templates: powers of two where lanes are halved, whole vectors, whole subgroups.
#include "gpu/schedule/legal_reduce.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/schedule/legal_rules.h"
#include "gpu/schedule/reduce/product.h"

namespace halo::gpu {
namespace {

constexpr int64_t kMaxUnroll = 16;
constexpr int64_t kMaxSegments = 16;
constexpr int64_t kMaxTile = 64;  // cells
constexpr int64_t kMaxTurns = 8;
constexpr int64_t kMaxValueWords = 160;  // of an invocation's registers

constexpr char kManySegments[] = "the last workgroup combines one segment, the nest has several";

bool isWithin(int64_t value, int64_t least, int64_t most) {
  return value >= least && value <= most;
}

}  // namespace

std::string whyIllegal(const ReduceSchedule& s, const Limits& limits) {
  if (s.workgroup != 256) return "runs have workgroups of 256";
  if (!isPower(s.lanes) || s.lanes > s.workgroup) {
    return fmt::format("a run of {} lanes is no part of a workgroup", s.lanes);
  }
  const bool is_strided = s.run_lanes == ReduceSchedule::RunLanes::kStrided;
  if (is_strided && !s.tile.levels.empty()) return "lanes of a tile are neighbours";
  if (s.elements < 0 || s.chunk_elements < 1 || s.invocations < 1) {
    return "a lane has at least one element";
  }
  if (!isWithin(s.unroll, 1, kMaxUnroll)) {
    return fmt::format("1 to {} elements are under way together", kMaxUnroll);
  }
  int64_t cells = 1, before = -1;
  for (const LevelTile& each : s.tile.levels) {
    if (each.level <= before) return "a tile's levels are in order";
    before = each.level;
    if (!isWithin(each.cells, 1, kMaxTile)) return "a tile has cells along its levels";
    cells *= each.cells;
  }
  if (cells <= kMaxTile) return finishProblem(s.finish, limits);
  return fmt::format("a tile has at most {} cells", kMaxTile);
}

std::string whyIllegal(const ReduceSchedule& s, const core::Function& kernel) {
  const auto levels = static_cast<int64_t>(kernel.kernel[0].space.size());
  if (s.finish != Finish::kLaunch && levels != 1) return kManySegments;
  if (s.run_lanes == ReduceSchedule::RunLanes::kStrided && levels == 1) {
    return "the only segment has no neighbours";
  }
  if (s.tile.levels.empty() || s.tile.levels.back().level < levels) return "";
  return fmt::format("a tile along level {}, the nest has {}", s.tile.levels.back().level, levels);
}

std::string whyIllegal(const WorkgroupReduceSchedule& s, const core::Function& kernel) {
  const bool is_whole = kernel.kernel[0].space.size() == 1;
  return s.finish == Finish::kLaunch || is_whole ? "" : kManySegments;
}

std::string whyIllegal(const ColumnReduceSchedule& s) {
  if (s.workgroup != 256) return "steps of rows have workgroups of 256";
  if (!isWithin(s.columns, 2, s.workgroup)) return "a step has at least one row of two columns";
  if (s.neighbours != 1 && s.neighbours != 4) return "a load has one element, or four";
  if (s.workgroups < 1 || s.elements < s.neighbours) return "a lane has at least one load";
  if (isWithin(s.together * s.neighbours, 1, kMaxUnroll)) return "";
  return fmt::format("1 to {} elements are under way together", kMaxUnroll);
}

std::string whyIllegal(const SubgroupReduceSchedule& s, const Limits& limits) {
  if (s.run != 0 && (!isPower(s.run) || s.run > s.lanes)) {
    return fmt::format("a run of {} lanes is no part of a subgroup", s.run);
  }
  if (!isWithin(s.segments, 1, kMaxSegments)) {
    return fmt::format("a run has 1 to {} segments", kMaxSegments);
  }
  if (!isWithin(s.turns, 1, kMaxTurns)) {
    return fmt::format("1 to {} turns are under way together", kMaxTurns);
  }
  return lanesProblem(s.lanes, s.workgroup, limits);
}

std::string whyIllegal(const WorkgroupReduceSchedule& s, const Limits& limits) {
  if (!isPower(s.vectors) || s.vectors > kMaxUnroll) {
    return "a tree combines the vectors of a lane: they are a power of two";
  }
  if (s.order == WorkgroupReduceSchedule::Order::kSequence && s.vectors != 4) {
    return "lanes exchange 4 vectors each";
  }
  if (s.workgroups < 1) return "segments have at least one chunk";
  if (s.finish != Finish::kLaunch && s.workgroup != 256) return "a tree combines 256 invocations";
  if (const std::string why = finishProblem(s.finish, limits); !why.empty()) return why;
  return lanesProblem(s.lanes, s.workgroup, limits);
}

std::string whyIllegal(const ProductSchedule& s) {
  const bool is_whole = s.rows > 0 && s.columns > 0 && s.cell_rows > 0 && s.cell_columns > 0 &&
                        s.cell_rows % 4 == 0 && s.cell_columns % 4 == 0;
  if (!is_whole) return "an invocation has blocks of 4 x 4 cells";
  if (!isPower(s.lane_rows) || s.lane_rows > s.lanes())
    return "neighbouring invocations are a rectangle";
  if (!isPower(s.slices) || (s.slices > 1 && !isPower(s.threads()))) {
    return "slices of a chunk and their invocations are powers of two";
  }
  if (s.matrices < 1 || (s.matrices > 1 && s.slices > 1)) {
    return "a workgroup has at least one product, or slices of one";
  }
  if (s.rows % (s.cell_rows * s.lane_rows) != 0 ||
      s.columns % (s.cell_columns * s.lane_columns()) != 0) {
    return "a tile is not whole rectangles of invocations";
  }
  if (s.depth < 1 || kSplitUnit * 2 % s.depth != 0) {
    return fmt::format("{} elements of a line are no step", s.depth);
  }
  const int64_t threads = s.threads();
  if (s.rows * s.depth % threads != 0 || s.columns * s.depth % threads != 0) {
    return "invocations do not share the elements of a step evenly";
  }
  if (s.valueWords() > kMaxValueWords) {
    return fmt::format("{} words of rows, columns and cells do not fit registers", s.valueWords());
  }
  return s.band < 1 ? "a band has at least one tile" : "";
}

std::string whyIllegal(const SplitProductSchedule& s) {
  if (s.depth < 1 || kSplitUnit % s.depth != 0) {
    return fmt::format("chunks are not whole steps of {} elements", s.depth);
  }
  if (s.chunks < 0 || s.workgroups < 1 || s.chunk_elements < 1) {
    return "a line has at least one chunk";
  }
  const bool is_sliced = s.blocks == SplitProductSchedule::Blocks::kSlices;
  for (const SplitTile& each : splitProductTiles(s)) {
    if (is_sliced && kSlicedUnit % (each.tile.depth * each.tile.slices) != 0) {
      return fmt::format("slices are not whole steps of {} elements", each.tile.depth);
    }
    const std::string why = whyIllegal(each.tile);
    if (!why.empty()) return why;
  }
  return "";
}

}  // namespace halo::gpu
