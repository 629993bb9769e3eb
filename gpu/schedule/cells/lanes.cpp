// The longer rows are on average, the more lanes share a cell; a lane should have two elements or
// more. The lengths are unknown before the launch, but the arrays that rows lie in say how many
// elements there are for each cell.
#include "gpu/schedule/cells/lanes.h"

#include <algorithm>
#include <bit>

namespace halo::gpu {
namespace {

constexpr int64_t kLongRow = 128;   // elements, for all lanes of a subgroup
constexpr int64_t kUsualRow = 12;   // for some of them
constexpr int64_t kUsualLanes = 8;  // power of two
constexpr int64_t kShortRow = 4, kFewLanes = 4;

// Few cells leave most of a device idle if a subgroup has each. Rows may overlap, as those of an
// autocorrelation do: then each is as long as the array, and the average says too little.
constexpr int64_t kFewCells = 1024;        // keep a device busy by a workgroup each
constexpr int64_t kGroupRow = 8;           // elements on average, for a workgroup
constexpr int64_t kSplitCells = 512;       // leave half of it idle
constexpr int64_t kSplitRow = 256;         // elements on average, for several workgroups
constexpr int64_t kSplitElements = 32768;  // at 16,384 one workgroup is faster
constexpr int64_t kSplitRun = 4096;        // elements for each, in four rounds of its lanes
constexpr int64_t kWorkgroups = 1024;      // of all cells

bool excludesLanes(core::Flattening wish) {
  return wish.has(core::Flattening::kOnlyIntra) || wish.has(core::Flattening::kSequential) ||
         wish.has(core::Flattening::kSequentialInner);
}

constexpr int64_t kTurns = 2, kTurnsOfLong = 4;

CellLanesSchedule schedule(int64_t lanes, const Limits& limits, const Request& request) {
  CellLanesSchedule s;
  s.turns = request.number("lanes", 1, lanes > kUsualLanes ? kTurnsOfLong : kTurns);
  s.lanes = std::min<int64_t>(lanes, limits.subgroup);
  s.workgroup = std::min(kCellLanesWorkgroup, limits.most_invocations);
  return s;
}

CellLanesSchedule ofGroup(const Limits& limits, const Request& request) {
  CellLanesSchedule s = schedule(kCellLanesWorkgroup, limits, request);
  s.lanes = s.workgroup;
  return s;
}

CellLanesSchedule requested(const LaneCells& cells, const Limits& limits, const Request& request) {
  const int64_t lanes = request.number("lanes", 0, kUsualLanes);
  const bool is_group = lanes > limits.subgroup && haveGroups(cells);
  if (!is_group) return schedule(lanes, limits, request);
  CellLanesSchedule s = ofGroup(limits, request);
  s.workgroups = limits.groups_talk && cells.rows.size() == 1 ? request.number("lanes", 2, 0) : 0;
  s.run = s.workgroups > 0 ? 1 : 0;
  return s;
}

}  // namespace

bool haveGroups(const LaneCells& cells) {
  const std::vector<core::Stm>& stms = cells.levels.back()->map.body.stms;
  const auto is_row = [&](const core::Stm& stm) {
    return !stm.results.empty() && cells.rows.contains(stm.results[0]);
  };
  const auto outside = std::count_if(stms.begin(), stms.end(), is_row);
  // All lanes repeat a loop in front of the rows.
  const bool has_loop = std::any_of(stms.begin(), stms.end(), [](const core::Stm& stm) {
    return std::holds_alternative<core::Loop>(stm.expr);
  });
  return !has_loop && cells.loops.empty() && outside == static_cast<ptrdiff_t>(cells.rows.size());
}

std::optional<LaneCells> cellsOfLanes(const core::Program& program, const core::Function& kernel,
                                      const Limits& limits) {
  const core::Expr& expr = kernel.body.stms.back().expr;
  if (!hasLanes(limits) || !std::holds_alternative<core::Screma>(expr)) return std::nullopt;
  std::optional<LaneCells> cells = asLaneCells(program, kernel);
  if (!cells || excludesLanes(cells->levels[0]->flattening)) return std::nullopt;
  return cells;
}

void addCellLanes(ScheduleVersions& versions, const LaneCells& cells, const Limits& limits,
                  const Request& request) {
  if (request.forced == "lanes") {
    versions.push_back({{}, requested(cells, limits, request), "requested"});
    return;
  }
  if (!request.allows("lanes")) return;
  const Condition elements = Quantity::kRowElements, count = Quantity::kSegments;
  if (haveGroups(cells)) {
    CellLanesSchedule s = ofGroup(limits, request);
    const Condition fill = count <= kFewCells && elements >= count * kGroupRow;
    versions.push_back({fill, s, "few cells have a workgroup each"});
    s.workgroups = kWorkgroups;
    s.run = kSplitRun;
    const Condition are_long = elements >= kSplitElements && elements >= count * kSplitRow;
    if (limits.groups_talk && cells.rows.size() == 1) {
      versions.insert(versions.end() - 1,
                      {count <= kSplitCells && are_long, s, "several workgroups share a long row"});
    }
  }
  auto add = [&](int64_t lanes, int64_t row) {
    const CellLanesSchedule s = schedule(lanes, limits, request);
    const bool is_new =
        versions.empty() || std::get<CellLanesSchedule>(versions.back().schedule) != s;
    if (!is_new) versions.pop_back();
    versions.push_back({elements >= count * row, s, "lanes share the rows of a cell"});
  };
  // All lanes go through the late parts of a loop.
  if (cells.loops.empty()) add(limits.subgroup, kLongRow);
  add(kUsualLanes, kUsualRow);
  add(kFewLanes, kShortRow);
}

}  // namespace halo::gpu
