// The rings of all steps of a tile shall fit half of the second cache. The work that tiles do twice
// shall stay below a fifth. Steps of several stencils are fewer at once: each stencil needs a
// level.
#include "lang/imp/schedule/steps.h"
#include "lang/imp/simple_code.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/imp/lower/lowering.h"

namespace halo::imp {

using core::ValueId;

namespace {

constexpr int64_t kReach = 2;  // farther stencils are bound by arithmetic
constexpr size_t kStages = 4;
constexpr int64_t kWorkPerByte = 4;
constexpr int64_t kLineTile = 4096;
constexpr int64_t kPlaneRows = 512, kPlaneColumns = 1024;
constexpr int64_t kSpacePlanes = 128, kSpaceRows = 32, kSpaceColumns = 256;
constexpr int64_t kFewBytes = 8, kSomeBytes = 16, kManyBytes = 32;  // of a cell of all arrays

// Which result of which stage a value is.
std::optional<StepPlan::Carried> resultOf(const StepPlan& plan, ValueId value) {
  for (size_t s = 0; s < plan.stages(); ++s) {
    const std::vector<ValueId>& made = plan.stm(s).results;
    auto found = std::find(made.begin(), made.end(), value);
    if (found != made.end()) return StepPlan::Carried{s, static_cast<size_t>(found - made.begin())};
  }
  return std::nullopt;
}

// Every carried array's next value is a result of a stencil, each another one, or the earlier value
// of such an array. A lone stencil's result is carried; of several, a result may serve later ones
// alone.
bool findCarried(StepPlan& plan) {
  const core::Loop& loop = *plan.iterated.loop;
  std::unordered_set<ValueId> used;
  std::vector<int> takers(loop.carried.size());
  for (const core::Operand& result : loop.body.results) {
    std::optional<StepPlan::Carried> next = resultOf(plan, result.value);
    if (next) {
      if (!used.insert(result.value).second) return false;
      plan.carried.push_back(*next);
      continue;
    }
    size_t from = 0;
    while (from < loop.carried.size() && loop.carried[from].param != result.value) ++from;
    if (from == loop.carried.size() || takers[from]++ > 0) return false;
    next = resultOf(plan, loop.body.results[from].value);
    if (!next) return false;
    next->from = from;
    plan.carried.push_back(*next);
  }
  return plan.stages() > 1 || used.size() == plan.stm().results.size();
}

// Operations on a cell; a vector of divisions takes as long as this many others.
int64_t arithmeticOf(const core::Body& body) {
  constexpr int64_t kDivision = 8;
  int64_t work = 0;
  for (const core::Stm& stm : body.stms) {
    const auto* prim = std::get_if<core::PrimOp>(&stm.expr);
    const bool is_slow =
        prim != nullptr && (prim->op == prim::Op::kDiv || prim->op == prim::Op::kSqrt);
    work += is_slow ? kDivision : 1;
  }
  return work;
}

// A step by itself does not wait for memory.
bool isBoundByArithmetic(const core::Program& program, const StepPlan& plan) {
  int64_t work = 0, bytes = 0;
  for (size_t s = 0; s < plan.stages(); ++s) {
    const core::Stencil& stencil = plan.stencil(s);
    work += arithmeticOf(stencil.map.body);
    auto moves = [&](ValueId array) { bytes += prim::byteSize(program.type(array).scalar); };
    for (const core::Window& window : stencil.windows) moves(window.array);
    for (ValueId input : stencil.inputs) moves(input);
    for (ValueId result : plan.stm(s).results) moves(result);
  }
  return work > kWorkPerByte * bytes;
}

// Wrapping reads go to copies of the carried arrays; other arrays have no copies.
bool readsOnlyFields(const core::IteratedStencil& iterated, const core::Stencil& stencil) {
  return std::all_of(stencil.windows.begin(), stencil.windows.end(),
                     [&](const core::Window& w) { return iterated.fields.contains(w.array); }) &&
         std::all_of(stencil.inputs.begin(), stencil.inputs.end(),
                     [&](ValueId input) { return iterated.fields.contains(input); });
}

void measureWindows(StepPlan& plan, const core::Stencil& stencil) {
  for (const core::Window& window : stencil.windows) {
    for (size_t k = 0; k < plan.rank(); ++k) {
      if (window.boundary[k].kind == core::BoundaryKind::kWrap) plan.endless[plan.axis(k)] = true;
      if (!plan.iterated.fields.contains(window.array)) continue;
      for (const std::vector<int64_t>& offset : window.offsets) {
        int64_t& reach = plan.reach[plan.axis(k)];
        reach = std::max(reach, std::abs(std::max(offset[k], -kFarAway)));
      }
    }
  }
}

void chooseTile(StepPlan& plan) {
  const int64_t bytes = plan.bytes;
  if (plan.rank() == 3) {
    const bool is_near = std::max({plan.reach[0], plan.reach[1], plan.reach[2]}) == 1;
    plan.steps = is_near && plan.stages() == 1 ? 4 : 2;
    plan.tile = {kSpacePlanes, std::max<int64_t>(kSpaceRows * 4 / bytes, 8), kSpaceColumns};
    return;
  }
  const int64_t levels = bytes <= kFewBytes ? 16 : bytes <= kSomeBytes ? 8 : 4;
  const auto stages = static_cast<int64_t>(plan.stages());
  // Each level of several makes up for the reach of all of them.
  const int64_t farther = stages == 1 ? 1 : std::max({plan.reach[0], plan.reach[1], plan.reach[2]});
  plan.steps = std::max<int64_t>(levels / (stages * farther), 2);
  const int64_t columns = plan.rank() == 1 ? kLineTile : kPlaneColumns;
  plan.tile = {plan.rank() == 1 ? 1 : kPlaneRows, 1, bytes <= 4 ? columns : columns / 2};
}

const char* whyNotStage(const core::Program& program, const StepPlan& plan, size_t stage) {
  const core::Stencil& stencil = plan.stencil(stage);
  if (!isSimple(program, stencil.map.body)) return "checks or loops in the body";
  if (plan.wraps() && !readsOnlyFields(plan.iterated, stencil))
    return "wraps around beside arrays that do not change";
  const std::unordered_set<ValueId> used = core::freeValues(program, stencil.map);
  const bool reads_any = std::any_of(plan.iterated.fields.begin(), plan.iterated.fields.end(),
                                     [&](ValueId field) { return used.contains(field); });
  return reads_any ? "arrays read at any place" : nullptr;
}

}  // namespace

StepChoice planSteps(const core::Program& program, const core::Loop& loop, bool tiny) {
  auto found = core::iteratedStencil(program, loop);
  if (!found) return nullptr;
  if (found->stages.size() > kStages) return "many stencils in a step";
  if (!found->uniforms.empty()) return "other statements in a step";
  StepPlan plan{*found};
  if (!findCarried(plan)) return "carried arrays that no stencil makes";
  if (plan.stages() > 1 && plan.handsOver()) return "several stencils, and the step before is kept";
  for (size_t s = 0; s < plan.stages(); ++s) measureWindows(plan, plan.stencil(s));
  const int64_t farthest = std::max({plan.reach[0], plan.reach[1], plan.reach[2]});
  if (farthest == 0) return "no neighbours of carried arrays";
  if (farthest > kReach) return "neighbours too far: as fast step by step";
  if (plan.wraps() && plan.handsOver()) return "wraps around and keeps the step before";
  for (size_t s = 0; s < plan.stages(); ++s) {
    if (const char* why = whyNotStage(program, plan, s)) return why;
    for (ValueId made : plan.stm(s).results)
      plan.bytes += prim::byteSize(program.type(made).scalar);
  }
  for (size_t k = 0; k < loop.carried.size(); ++k) {
    const core::Type& next = program.type(loop.body.results[k]);
    if (next.scalar != program.type(loop.carried[k].param).scalar) return "another type each step";
    if (plan.carried[k].from) plan.bytes += prim::byteSize(next.scalar);
  }
  if (!tiny && plan.bytes > kManyBytes) return "as fast step by step: many arrays";
  if (!tiny && isBoundByArithmetic(program, plan)) return "as fast step by step: much arithmetic";
  chooseTile(plan);
  if (!tiny) return plan;
  plan.steps = 3;
  plan.tile = {plan.rank() == 1 ? 1 : 6, plan.rank() == 3 ? 4 : 1, kLineCells};
  return plan;
}

}  // namespace halo::imp
