// The longer rows are on average, the more lanes share a cell; a lane should have two elements or
// more. The lengths are unknown before the launch, but the arrays that rows lie in say how many
// elements there are for each cell.
#include "gpu/schedule/cells.h"

#include <algorithm>
#include <bit>

#include "gpu/plan/nests/lane_cells.h"

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

std::optional<KernelChoice> chooseCells(const core::Program& program, const core::Function& kernel,
                                        const Limits& limits, const Request& request) {
  if (!hasLanes(limits)) return std::nullopt;
  const std::optional<LaneCells> cells = asLaneCells(program, kernel);
  if (!cells || excludesLanes(cells->levels[0]->flattening)) return std::nullopt;
  KernelChoice choice;
  choice.alternatives = {"lanes", "plain"};
  if (request.forced == "lanes") {
    const int64_t lanes = request.number("lanes", 0, kUsualLanes);
    choice.versions.push_back({{}, schedule(lanes, limits, request), "requested"});
    return choice;
  }
  const Condition elements = Quantity::kRowElements, count = Quantity::kSegments;
  auto add = [&](int64_t lanes, int64_t row) {
    const CellLanesSchedule s = schedule(lanes, limits, request);
    const bool is_new = choice.versions.empty() ||
                        std::get<CellLanesSchedule>(choice.versions.back().schedule) != s;
    if (!is_new) choice.versions.pop_back();
    choice.versions.push_back({elements >= count * row, s, "lanes share the rows of a cell"});
  };
  if (request.allows("lanes")) {
    // All lanes go through the late parts of a loop.
    if (cells->loops.empty()) add(limits.subgroup, kLongRow);
    add(kUsualLanes, kUsualRow);
    add(kFewLanes, kShortRow);
  }
  choice.versions.push_back({{}, MapSchedule{}, "rows are short"});
  return choice;
}

}  // namespace halo::gpu
