// Stencils: outer axes are plain loops whose neighbours' rows are found (by the boundary) once per
// row. The innermost axis is split. The interior, where no neighbour is outside, has unit stride
// and no test. One loop over the cells left and right of it handles the boundary.
// With offsets that only the run tells there is an interior where all rows are inside as well.
//
//   x:   0 .. left | left .............. right | right .. width
//        border    | interior (vector)         | border
#include <algorithm>

#include "lang/base/check.h"
#include "lang/imp/schedule/lane_reduction.h"
#include "lang/imp/schedule/stencil/sweep.h"
#include "lang/imp/simple_code.h"

namespace halo::imp {

namespace {

constexpr int64_t kFarRows = 8;
// In addition to the windows; rows of more arrays at once are more streams than the caches follow.
constexpr size_t kSharedArrays = 2;
constexpr size_t kSharedNeighbours = 32, kSharedStatements = 64;

}  // namespace

// Are there rows above or below a cell that the next rows read as well, and registers for them? In
// space the planes around are streams enough: four rows of each made it two to three times as slow.
const char* whySingleRows(const core::Program& program, const core::Stm& stm) {
  const auto& node = std::get<core::Stencil>(stm.expr);
  if (node.space.size() != 2) return "only planes have several rows at once";
  if (node.inputs.size() + stm.results.size() > kSharedArrays) return "too many arrays";
  bool shares = false;
  size_t neighbours = 0;
  for (const core::Window& window : node.windows) {
    neighbours += window.offsets.size();
    for (const std::vector<int64_t>& offset : window.offsets) {
      shares = shares || offset[0] != window.offsets[0][0];
      if (offset[0] > kFarRows || offset[0] < -kFarRows) return "neighbours too far";
    }
  }
  if (!shares) return "rows have no neighbours in common";
  if (neighbours > kSharedNeighbours) return "too many neighbours";
  if (!isSimple(program, node.map.body)) return "checks or loops in the body";
  return node.map.body.stms.size() > kSharedStatements ? "a long body" : nullptr;
}

void Lowering::lower(const core::Stm& stm, const core::Stencil& node) {
  Sweep sweep(*this, stm, scalars(node.space));
  size_t reduced = 0;
  for (const core::Reduction& reduction : node.reductions) reduced += reduction.neutral.size();
  for (size_t k = reduced; k < stm.results.size(); ++k) {
    sweep.outputs.push_back(destinations_.mapOutput(stm.results[k]));
  }
  bool dynamic = std::any_of(node.windows.begin(), node.windows.end(),
                             [](const core::Window& window) { return !window.dynamic.empty(); });
  bool use_lanes = canUseLanes(node.reductions, node.map);
  sweep.split = target_.vectorise && !dynamic && (node.reductions.empty() || use_lanes);
  if (dynamic && target_.vectorise) sweep.findInterior();
  const bool in_lanes = use_lanes && sweep.split;
  HALO_CHECK(in_lanes || !node.partial_tiles || !target_.vectorise,
             "partial values of a stencil without lanes");
  if ((in_lanes && independent_ == 0) || node.partial_tiles) {
    sweep.reduceBands();
    for (size_t k = 0; k < sweep.outputs.size(); ++k) {
      set(stm.results[reduced + k], sweep.outputs[k]);
    }
    return;
  }
  std::optional<LaneReduction> lanes;
  if (in_lanes) {
    lanes.emplace(*this, node.reductions);
    sweep.lanes = &*lanes;
    lanes->start();
  } else {
    sweep.accumulators = AccumulatorLowering(*this, stm).startReductions(node.reductions);
  }
  sweep.lowerAxes();
  if (lanes) {
    lanes->fold();
    for (size_t k = 0; k < reduced; ++k) set(stm.results[k], lanes->result(k));
  }
  for (const auto& accumulators : sweep.accumulators) {
    AccumulatorLowering(*this, stm).finish(accumulators);
  }
  for (size_t k = 0; k < sweep.outputs.size(); ++k) set(stm.results[reduced + k], sweep.outputs[k]);
}

void Lowering::Sweep::lowerAxes() {
  size_t axis = position.size();
  if (axis + 1 == extents.size()) {
    lowerRow();
    return;
  }
  static const char* const kNames[] = {"z", "y"};
  bool rows_apart = lanes == nullptr && accumulators.empty();
  auto row = [&](Operand i) {
    position.push_back(i);
    lowerAxes();
    position.pop_back();
  };
  const char* name = kNames[axis + 3 - extents.size()];
  if (axis == 0 && band) return low_.loop(name, band->first, band->second, false, row);
  if (rows_apart && sharesRows()) return lowerRows();
  if (rows_apart && split) {  // the vectors are in the row
    low_.parallelLoop(name, kZero, extents[axis], row);
  } else {
    low_.loop(name, kZero, extents[axis], rows_apart, row);
  }
}

// Do cells at the ends of a row have neighbours outside?
bool Lowering::Sweep::hasEnds() const {
  if (isEndless(extents.size() - 1)) return false;
  return std::any_of(node.windows.begin(), node.windows.end(), [](const core::Window& window) {
    return std::any_of(window.offsets.begin(), window.offsets.end(),
                       [](const std::vector<int64_t>& offset) { return offset.back() != 0; });
  });
}

bool Lowering::Sweep::sharesRows() const {
  return split && position.empty() && whySingleRows(low_.core_, stm) == nullptr;
}

}  // namespace halo::imp
