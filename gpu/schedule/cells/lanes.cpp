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

}  // namespace

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
    const int64_t lanes = request.number("lanes", 0, kUsualLanes);
    versions.push_back({{}, schedule(lanes, limits, request), "requested"});
    return;
  }
  if (!request.allows("lanes")) return;
  const Condition elements = Quantity::kRowElements, count = Quantity::kSegments;
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
