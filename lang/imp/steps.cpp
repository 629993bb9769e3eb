// The rings of all steps of a tile shall fit half of the second cache, and what tiles do twice stay
// below a fifth.
#include "lang/imp/steps.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/imp/lowering.h"

namespace halo::imp {

using core::ValueId;

namespace {

constexpr int64_t kReach = 2;  // farther stencils are bound by arithmetic
constexpr int64_t kLineTile = 4096;
constexpr int64_t kPlaneRows = 512, kPlaneColumns = 1024;
constexpr int64_t kSpacePlanes = 128, kSpaceRows = 32, kSpaceColumns = 256;
constexpr int64_t kFewBytes = 8, kSomeBytes = 16;  // of a cell of all arrays

// Every carried array's next value is a result of the stencil, each another one.
bool makesAllCarried(const core::IteratedStencil& iterated) {
  const std::vector<ValueId>& made = iterated.stages[0]->results;
  if (made.size() != iterated.loop->carried.size()) return false;
  return std::all_of(made.begin(), made.end(), [&](ValueId result) {
    return std::count(iterated.loop->body.results.begin(), iterated.loop->body.results.end(),
                      core::Operand(result)) == 1;
  });
}

// What wraps around is read from copies of the carried arrays, and there are none of others.
bool readsOnlyFields(const core::IteratedStencil& iterated, const core::Stencil& stencil) {
  return std::all_of(stencil.windows.begin(), stencil.windows.end(),
                     [&](const core::Window& w) { return iterated.fields.contains(w.array); }) &&
         std::all_of(stencil.inputs.begin(), stencil.inputs.end(),
                     [&](ValueId input) { return iterated.fields.contains(input); });
}

void measureWindows(StepPlan& plan) {
  for (const core::Window& window : plan.stencil().windows) {
    for (size_t k = 0; k < plan.rank(); k++) {
      if (window.boundary[k].kind == core::BoundaryKind::kWrap) plan.endless[plan.axis(k)] = true;
      if (!plan.iterated.fields.contains(window.array)) continue;
      for (const std::vector<int64_t>& offset : window.offsets) {
        int64_t& reach = plan.reach[plan.axis(k)];
        reach = std::max(reach, std::abs(std::max(offset[k], -kFarAway)));
      }
    }
  }
}

void chooseTile(StepPlan& plan, int64_t bytes) {
  if (plan.rank() == 3) {
    const bool is_near = std::max({plan.reach[0], plan.reach[1], plan.reach[2]}) == 1;
    plan.steps = is_near ? 4 : 2;
    plan.tile = {kSpacePlanes, std::max<int64_t>(kSpaceRows * 4 / bytes, 8), kSpaceColumns};
    return;
  }
  plan.steps = bytes <= kFewBytes ? 16 : bytes <= kSomeBytes ? 8 : 4;
  const int64_t columns = plan.rank() == 1 ? kLineTile : kPlaneColumns;
  plan.tile = {plan.rank() == 1 ? 1 : kPlaneRows, 1, bytes <= 4 ? columns : columns / 2};
}

}  // namespace

std::optional<StepPlan> planSteps(const core::Program& program, const core::Loop& loop, bool tiny) {
  auto found = core::iteratedStencil(program, loop);
  if (!found || found->stages.size() != 1 || !found->scalars.stms.empty()) return std::nullopt;
  StepPlan plan{*found};
  const core::Stencil& stencil = plan.stencil();
  if (!makesAllCarried(*found) || !isSimple(program, stencil.map.body)) return std::nullopt;
  measureWindows(plan);
  const int64_t farthest = std::max({plan.reach[0], plan.reach[1], plan.reach[2]});
  if (farthest == 0 || farthest > kReach) return std::nullopt;
  if (plan.wraps() && !readsOnlyFields(*found, stencil)) return std::nullopt;
  const std::unordered_set<ValueId> used = core::freeValues(program, stencil.map);
  if (used.contains(found->form.index)) return std::nullopt;
  int64_t bytes = 0;
  for (size_t k = 0; k < loop.carried.size(); k++) {
    const core::ValueId param = loop.carried[k].param;
    if (used.contains(param)) return std::nullopt;
    const core::Type& next = program.type(loop.body.results[k]);
    if (next.scalar != program.type(param).scalar) return std::nullopt;
    bytes += prim::byteSize(next.scalar);
  }
  chooseTile(plan, bytes);
  if (!tiny) return plan;
  plan.steps = 3;
  plan.tile = {plan.rank() == 1 ? 1 : 6, plan.rank() == 3 ? 4 : 1, kLineCells};
  return plan;
}

}  // namespace halo::imp
