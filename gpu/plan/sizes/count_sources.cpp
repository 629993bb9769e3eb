// An element of an array of counts comes from a kernel of one invocation.
#include "gpu/plan/sizes/count_sources.h"

#include <algorithm>

#include "gpu/plan/host_code.h"
#include "lang/core/counts.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

// The only array of which the value is an element, unless it is 0; nothing if it is anything else.
bool isElementOf(const Body& body, const Operand& value, ValueId& array) {
  if (value.isConstant()) return value == kZero;
  const auto made = makerOf(body.stms, value);
  if (!made) return false;
  const Expr& expr = body.stms[*made].expr;
  if (const auto* index = std::get_if<Index>(&expr)) {
    const bool is_same = !array.valid() || array == index->array;
    array = index->array;
    return is_same;
  }
  const auto* match = std::get_if<Match>(&expr);
  if (match == nullptr || body.stms[*made].results.size() != 1) return false;
  return isElementOf(match->otherwise, match->otherwise.results[0], array) &&
         std::all_of(match->cases.begin(), match->cases.end(), [&](const Case& one) {
           return isElementOf(one.body, one.body.results[0], array);
         });
}

}  // namespace

// `k = i64.min own n` and a slice `room[0:k:1]` of an array of n elements. Any other minimum may be
// negative, and so may one that the program itself holds against 0.
void CountSources::enter(const Body& body) {
  std::unordered_map<ValueId, Operand> rooms;
  for (const Stm& stm : body.stms) {
    if (const auto* op = std::get_if<PrimOp>(&stm.expr)) {
      const bool is_least = op->op == prim::Op::kMin && op->type == ScalarType::kI64;
      if (is_least && !op->args[0].isConstant()) rooms.emplace(stm.results[0], op->args[1]);
      const bool is_test = op->op == prim::Op::kGe && op->args[1] == kZero;
      if (is_test && !op->args[0].isConstant()) {
        rooms.erase(op->args[0].value);
        step_sizes_.erase(op->args[0].value);
      }
    }
    const auto* slice = std::get_if<Slice>(&stm.expr);
    if (slice == nullptr) continue;
    const SliceDim& front = slice->dims[0];
    const auto room = front.length.isConstant() ? rooms.end() : rooms.find(front.length.value);
    const bool is_front = front.start == kZero && front.stride == kOne;
    if (is_front && room != rooms.end() && room->second == program_.type(slice->array).shape[0]) {
      step_sizes_.insert(room->first);
    }
  }
}

CountSources::Found CountSources::countsOf(const Stm& stm) {
  if (const auto* least = std::get_if<PrimOp>(&stm.expr)) {
    return step_sizes_.contains(stm.results[0]) ? Found{{0, least->args[1]}} : Found{};
  }
  const Function* kernel = kernelOf(program_, stm);
  if (kernel == nullptr) return {};
  return kernel->kernel[0].space.empty() ? ofElements(stm, *kernel) : ofNodes(stm, *kernel);
}

CountSources::Found CountSources::ofNodes(const Stm& stm, const Function& kernel) {
  Found counts;
  for (const Stm& made : kernel.body.stms) {
    const auto* node = std::get_if<Screma>(&made.expr);
    const auto width = node == nullptr ? std::nullopt : argument(stm, kernel, node->width);
    if (!width) continue;
    const auto resultOf = [&](size_t position) -> std::optional<size_t> {
      const Operands& results = kernel.body.results;
      const auto at = std::find(results.begin(), results.end(), Operand(made.results[position]));
      return at == results.end() ? std::nullopt
                                 : std::optional(static_cast<size_t>(at - results.begin()));
    };
    for (const size_t count : core::countsOf(*node)) {
      if (const auto at = resultOf(count)) counts.emplace_back(*at, *width);
    }
    for (const size_t array : runningCountsOf(*node)) {
      if (const auto at = resultOf(array)) running_.emplace(stm.results[*at], *width);
    }
  }
  return counts;
}

CountSources::Found CountSources::ofElements(const Stm& stm, const Function& kernel) const {
  Found counts;
  for (size_t k = 0; k < kernel.body.results.size(); ++k) {
    ValueId array;
    const Operand& result = kernel.body.results[k];
    if (!program_.type(result).isScalar() || !isElementOf(kernel.body, result, array)) continue;
    const auto given = array.valid() ? argument(stm, kernel, array) : std::nullopt;
    const auto running = given ? running_.find(given->value) : running_.end();
    if (running != running_.end()) counts.emplace_back(k, running->second);
  }
  return counts;
}

// The call's argument for a parameter; a constant is itself.
std::optional<Operand> CountSources::argument(const Stm& stm, const Function& kernel,
                                              const Operand& param) const {
  if (param.isConstant()) return param;
  const auto at = std::find(kernel.params.begin(), kernel.params.end(), param.value);
  if (at == kernel.params.end()) return std::nullopt;
  return std::get<Call>(stm.expr).args[static_cast<size_t>(at - kernel.params.begin())];
}

}  // namespace halo::gpu
