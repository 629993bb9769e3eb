// Backwards from the values that a step returns: counts are at most their number of elements.
#include "gpu/plan/sizes/carried_limits.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "gpu/plan/sizes/count_sources.h"
#include "lang/core/bound_values.h"
#include "lang/core/definitions.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

class Limits {
 public:
  Limits(const Program& program, const Loop& loop, ValueId size) : sources_(program), size_(size) {
    for (const Carried& carried : loop.carried) inside_.insert(carried.param);
    collect(loop.body);
  }

  bool bounds(const Operand& value) {
    if (value == Operand(size_)) return true;
    if (value.isConstant() || !inside_.contains(value.value)) {
      if (std::find(limits_.begin(), limits_.end(), value) == limits_.end()) {
        limits_.push_back(value);
      }
      return true;
    }
    if (const auto count = widths_.find(value.value); count != widths_.end()) {
      return bounds(count->second);
    }
    const Stm* stm = definitions_.find(value.value);
    return stm != nullptr && boundsResult(*stm, value.value);
  }
  Operands take() { return std::move(limits_); }

 private:
  void collect(const Body& body) {
    sources_.enter(body);
    for (const Stm& stm : body.stms) {
      for (const auto& [position, width] : sources_.countsOf(stm)) {
        widths_.emplace(stm.results[position], width);
      }
      definitions_.add(stm);
      core::addBound(stm, inside_);
      visitBodies(stm.expr, [&](const Body& inner) { collect(inner); });
    }
  }
  bool boundsResult(const Stm& stm, ValueId result) {
    if (const auto* op = std::get_if<PrimOp>(&stm.expr)) {
      return op->op == Op::kMax && bounds(op->args[0]) && bounds(op->args[1]);
    }
    if (const auto* select = std::get_if<Select>(&stm.expr)) {
      return bounds(select->on_true) && bounds(select->on_false);
    }
    const auto* match = std::get_if<Match>(&stm.expr);
    if (match == nullptr) return false;
    const auto k = static_cast<size_t>(std::find(stm.results.begin(), stm.results.end(), result) -
                                       stm.results.begin());
    return bounds(match->otherwise.results[k]) &&
           std::all_of(match->cases.begin(), match->cases.end(),
                       [&](const Case& one) { return bounds(one.body.results[k]); });
  }

  CountSources sources_;
  ValueId size_;
  std::unordered_set<ValueId> inside_;           // bound by the loop
  std::unordered_map<ValueId, Operand> widths_;  // of counts: how many elements
  core::Definitions definitions_;
  Operands limits_;
};

}  // namespace

std::optional<Operands> carriedLimits(const Program& program, const Loop& loop, size_t position) {
  Limits limits(program, loop, loop.carried[position].param);
  if (!limits.bounds(loop.body.results[position])) return std::nullopt;
  return limits.take();
}

}  // namespace halo::gpu
