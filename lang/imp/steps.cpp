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

// Every carried array's next value is a result of the stencil, each another one, or what such an
// array was before.
bool findCarried(StepPlan& plan) {
  const std::vector<ValueId>& made = plan.stm().results;
  const core::Loop& loop = *plan.iterated.loop;
  std::vector<int> uses(made.size()), takers(loop.carried.size());
  auto resultOf = [&](size_t k) {
    auto found = std::find(made.begin(), made.end(), loop.body.results[k].value);
    return static_cast<size_t>(found - made.begin());
  };
  for (size_t k = 0; k < loop.carried.size(); k++) {
    StepPlan::Carried next{resultOf(k)};
    if (next.result == made.size()) {
      size_t from = 0;
      while (from < loop.carried.size() && loop.carried[from].param != loop.body.results[k].value) {
        from++;
      }
      if (from == loop.carried.size() || takers[from]++ > 0) return false;
      next = {resultOf(from), from};
      if (next.result == made.size()) return false;
    } else if (uses[next.result]++ > 0) {
      return false;
    }
    plan.carried.push_back(next);
  }
  return std::all_of(uses.begin(), uses.end(), [](int count) { return count == 1; });
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

StepChoice planSteps(const core::Program& program, const core::Loop& loop, bool tiny) {
  auto found = core::iteratedStencil(program, loop);
  if (!found) return nullptr;
  if (found->stages.size() != 1) return "several stencils in a step";
  if (!found->scalars.stms.empty()) return "other statements in a step";
  StepPlan plan{*found};
  const core::Stencil& stencil = plan.stencil();
  if (!findCarried(plan)) return "carried arrays that no stencil makes";
  if (!isSimple(program, stencil.map.body)) return "checks or loops in the body";
  measureWindows(plan);
  const int64_t farthest = std::max({plan.reach[0], plan.reach[1], plan.reach[2]});
  if (farthest == 0) return "no neighbours of what is carried";
  if (farthest > kReach) return "neighbours too far: as fast step by step";
  if (plan.wraps() && !readsOnlyFields(*found, stencil))
    return "wraps around beside arrays that do not change";
  if (plan.wraps() && plan.handsOver()) return "wraps around and keeps the step before";
  const std::unordered_set<ValueId> used = core::freeValues(program, stencil.map);
  if (used.contains(found->form.index)) return "the step's number in the body";
  int64_t bytes = 0;
  for (size_t k = 0; k < loop.carried.size(); k++) {
    const ValueId param = loop.carried[k].param;
    if (used.contains(param)) return "arrays read at any place";
    const core::Type& next = program.type(loop.body.results[k]);
    if (next.scalar != program.type(param).scalar) return "another type each step";
    bytes += prim::byteSize(next.scalar);
  }
  chooseTile(plan, bytes);
  if (!tiny) return plan;
  plan.steps = 3;
  plan.tile = {plan.rank() == 1 ? 1 : 6, plan.rank() == 3 ? 4 : 1, kLineCells};
  return plan;
}

}  // namespace halo::imp
