#include "lang/ad/changes.h"

#include <algorithm>

#include "lang/core/visit.h"

namespace halo::ad {

namespace {

// A change, and the array that it is of.
struct Step {
  Change change;
  ValueId of;
};

std::optional<Step> stepOfLoop(const core::Loop& loop, Change change) {
  const core::Carried& carried = loop.carried[change.result];
  const auto inner = traceOf(loop.body, loop.body.results[change.result]);
  const bool is_own = inner && inner->before == carried.param && !inner->changes.empty();
  if (!is_own || !std::holds_alternative<core::ForLoop>(loop.form)) return std::nullopt;
  if (carried.initial.isConstant()) return std::nullopt;
  change.inner = inner->changes;
  return Step{std::move(change), carried.initial.value};
}

std::optional<Step> stepOfMatch(const core::Match& match, Change change) {
  std::optional<ValueId> of;
  for (const Body* arm : core::armsOf(match)) {
    const auto trace = traceOf(*arm, arm->results[change.result]);
    if (!trace || (of && *of != trace->before)) return std::nullopt;
    of = trace->before;
    change.arms.push_back(trace->changes);
  }
  return Step{std::move(change), *of};
}

std::optional<Step> stepOf(const Stm& stm, Change change) {
  if (const auto* update = std::get_if<core::Update>(&stm.expr)) {
    return Step{std::move(change), update->array};
  }
  if (const auto* scatter = std::get_if<core::Scatter>(&stm.expr)) {
    if (scatter->destinations.size() > 1) return std::nullopt;
    return Step{std::move(change), scatter->destinations[0].array};
  }
  if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) {
    if (hist->operations.size() > 1) return std::nullopt;
    return Step{change, hist->operations[0].destinations[change.result]};
  }
  if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
    return stepOfLoop(*loop, std::move(change));
  }
  if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
    return stepOfMatch(*match, std::move(change));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Trace> traceOf(const Body& body, const Operand& after) {
  if (after.isConstant()) return std::nullopt;
  Changes changes;
  ValueId now = after.value;
  while (const auto at = core::makerOf(body.stms, now)) {
    const Stm& stm = body.stms[*at];
    if (const auto* copy = std::get_if<core::Copy>(&stm.expr)) {
      now = copy->array;
      continue;
    }
    const auto result = std::find(stm.results.begin(), stm.results.end(), now);
    auto step = stepOf(stm, {*at, static_cast<size_t>(result - stm.results.begin())});
    if (!step) return std::nullopt;
    changes.insert(changes.begin(), std::move(step->change));
    now = step->of;
  }
  return Trace{std::move(changes), now};
}

std::optional<PlacesOfNode> placesOf(const Expr& expr) {
  const auto first = [](const std::vector<ValueId>& inputs, int count) {
    return std::vector<ValueId>(inputs.begin(), inputs.begin() + count);
  };
  if (const auto* scatter = std::get_if<core::Scatter>(&expr)) {
    return PlacesOfNode{scatter->width,
                        first(scatter->inputs, scatter->destinations[0].index_rank)};
  }
  if (const auto* hist = std::get_if<core::Hist>(&expr)) {
    return PlacesOfNode{hist->width, first(hist->inputs, hist->operations[0].index_rank), true};
  }
  return std::nullopt;
}

}  // namespace halo::ad
