#include "lang/imp/lower/in_place_root.h"

#include <algorithm>

#include "lang/base/match.h"

namespace halo::imp {

using core::ValueId;

namespace {

bool isMadeIn(const core::Body& body, ValueId value) {
  return std::any_of(body.stms.begin(), body.stms.end(), [&](const core::Stm& stm) {
    return std::find(stm.results.begin(), stm.results.end(), value) != stm.results.end();
  });
}

ValueId destination(const core::Hist& hist, size_t k) {
  for (const core::HistOp& operation : hist.operations) {
    if (k < operation.destinations.size()) return operation.destinations[k];
    k -= operation.destinations.size();
  }
  return {};
}

std::optional<ValueId> initial(const core::Program& core, const core::Loop& loop, size_t k) {
  const core::Operand& next = loop.body.results[k];
  if (next.isConstant() || loop.carried[k].initial.isConstant()) return std::nullopt;
  if (inPlaceRoot(core, loop.body, next.value) != loop.carried[k].param) return std::nullopt;
  return loop.carried[k].initial.value;
}

// Kernels work on the memory they are given; functions may get a dense copy.
std::optional<ValueId> argument(const core::Program& core, const core::Call& call, size_t k) {
  const core::Function* callee = core.find(call.function);
  if (callee == nullptr || callee->kernel.empty()) return std::nullopt;
  const std::optional<size_t> position = inPlaceArgument(core, *callee, k);
  return position ? std::optional(call.args[*position].value) : std::nullopt;
}

// The array in whose memory a statement leaves its result `k`, if not in memory of its own.
std::optional<ValueId> overwritten(const core::Program& core, const core::Expr& expr, size_t k) {
  return base::match(
      expr, [](const core::Update& e) { return std::optional(e.array); },
      [&](const core::Scatter& e) { return std::optional(e.destinations[k].array); },
      [&](const core::Hist& e) { return std::optional(destination(e, k)); },
      [&](const core::Loop& e) { return initial(core, e, k); },
      [&](const core::Match& e) { return commonRoot(core, e, k); },
      [&](const core::Call& e) { return argument(core, e, k); },
      base::otherwise([](const auto&) { return std::optional<ValueId>(); }));
}

}  // namespace

std::optional<ValueId> commonRoot(const core::Program& core, const core::Match& match, size_t k) {
  const core::Operand& last = match.otherwise.results[k];
  if (last.isConstant()) return std::nullopt;
  const ValueId root = inPlaceRoot(core, match.otherwise, last.value);
  if (isMadeIn(match.otherwise, root)) return std::nullopt;
  for (const core::Case& arm : match.cases) {
    const core::Operand& result = arm.body.results[k];
    if (result.isConstant() || inPlaceRoot(core, arm.body, result.value) != root) {
      return std::nullopt;
    }
  }
  return root;
}

bool bindsSizeOf(const core::Stm& stm, const core::Type& type) {
  return std::any_of(type.shape.begin(), type.shape.end(), [&](const core::Operand& size) {
    return !size.isConstant() &&
           std::find(stm.results.begin(), stm.results.end(), size.value) != stm.results.end();
  });
}

ValueId inPlaceRoot(const core::Program& core, const core::Body& body, ValueId value) {
  for (size_t s = body.stms.size(); s-- > 0;) {
    const core::Stm& stm = body.stms[s];
    auto at = std::find(stm.results.begin(), stm.results.end(), value);
    if (at == stm.results.end()) continue;
    const auto k = static_cast<size_t>(at - stm.results.begin());
    const std::optional<ValueId> before = overwritten(core, stm.expr, k);
    if (!before) return value;
    value = *before;
  }
  return value;
}

}  // namespace halo::imp
