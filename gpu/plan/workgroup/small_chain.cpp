// The longest run of such statements; shorter ones where a workgroup has too much to do.
#include "gpu/plan/workgroup/small_chain.h"

#include <algorithm>
#include <unordered_set>

#include "gpu/plan/loops/step_work.h"
#include "gpu/plan/nests/in_order.h"
#include "gpu/plan/nests/nest.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

// Lanes share it; all other members are names, scalar code, or the host's checks. Float sums of
// several ranks have the order of their own launches.
bool isWorkOfLanes(const Program& program, const Stm& stm) {
  const auto* node = std::get_if<Screma>(&stm.expr);
  return node != nullptr && node->width.isConstant() && !node->partial_values && !node->chunk &&
         node->joins == Joins::kNothing && !stm.results.empty() &&
         hasScalarOperators(program, *node) && !hasOrder(program, *node) &&
         !hasOrderedRows(program, node->map.body);
}

class SmallRun {
 public:
  SmallRun(Program& program, const std::vector<Stm>& stms, const Operands& results, size_t first)
      : program_(program), stms_(stms), results_(results), first_(first) {
    if (!isWorkOfLanes(program_, stms[first])) return;
    for (size_t i = first; i < stms.size() && isMember(stms[i]); ++i) ends_.push_back(i + 1);
  }

  std::optional<SmallChain> run() {
    for (; ends_.size() > 1; ends_.pop_back()) {
      if (!isWorkOfLanes(program_, stms_[ends_.back() - 1])) continue;
      auto made = upTo(ends_.back());
      if (made) return made;
    }
    return std::nullopt;
  }

 private:
  bool isMember(const Stm& stm) const {
    const bool may_fail = mayFail(stm) && !std::holds_alternative<Assert>(stm.expr);
    return !may_fail && isOfSmallChain(program_, stm);
  }

  bool needsChain(const Stm& stm, const std::unordered_set<ValueId>& made) const {
    const auto used = freeValues(program_, stm);
    return std::any_of(used.begin(), used.end(),
                       [&](ValueId value) { return made.contains(value); });
  }

  std::optional<SmallChain> upTo(size_t end) {
    SmallChain chain;
    chain.count = end - first_;
    Body cell;
    std::unordered_set<ValueId> made;
    for (size_t i = first_; i < end; ++i) {
      const Stm& stm = stms_[i];
      const bool is_of_others = needsChain(stm, made);
      if (!isWorkOfLanes(program_, stm) && !is_of_others) {
        chain.before.push_back(stm);
        continue;
      }
      if (mayFail(stm)) return std::nullopt;
      cell.stms.push_back(stm);
      made.insert(stm.results.begin(), stm.results.end());
    }
    const std::vector<ValueId> results = resultsOf(cell, end);
    for (ValueId result : results) {
      for (const Operand& extent : program_.type(result).shape) {
        if (!extent.isConstant() && made.contains(extent.value)) return std::nullopt;
      }
    }
    if (results.empty() || !isShort(cell)) return std::nullopt;
    cell.results = Operands(results.begin(), results.end());
    chain.cell = asOnlyCell(program_, freshCopy(program_, cell), results, stms_[first_].span);
    return chain;
  }

  // Values that the statements behind the chain use.
  std::vector<ValueId> resultsOf(const Body& cell, size_t end) const {
    Body rest;
    rest.results = results_;
    rest.stms.assign(stms_.begin() + static_cast<std::ptrdiff_t>(end), stms_.end());
    const auto used = freeValues(program_, rest);
    std::vector<ValueId> results;
    for (const Stm& stm : cell.stms) {
      for (ValueId result : stm.results) {
        if (used.contains(result)) results.push_back(result);
      }
    }
    return results;
  }

  // As the step of a loop (step_work.h), whatever the sizes are.
  bool isShort(const Body& cell) {
    const auto works = std::count_if(cell.stms.begin(), cell.stms.end(),
                                     [&](const Stm& stm) { return isWorkOfLanes(program_, stm); });
    if (works < 2) return false;
    Loop steps;
    steps.form = ForLoop{program_.add("step", {ScalarType::kI64, {}}), Operand::ofI64(2)};
    steps.body.stms = cell.stms;
    const BoundedExtents bounded{{}, {{}, std::move(steps), false, {}}, {}};
    const std::optional<StepWork> work = workOfStep(program_, bounded, bounded);
    return work && work->is_short.results[0] == Operand(Scalar::ofBool(true));
  }

  Program& program_;
  const std::vector<Stm>& stms_;
  const Operands& results_;
  size_t first_;
  std::vector<size_t> ends_;  // of runs
};

}  // namespace

bool isOfSmallChain(const Program& program, const Stm& stm) {
  return isWorkOfLanes(program, stm) || isCheap(stm) || std::holds_alternative<Assert>(stm.expr);
}

std::optional<SmallChain> smallChain(Program& program, const std::vector<Stm>& stms,
                                     const Operands& results, size_t first) {
  return SmallRun(program, stms, results, first).run();
}

}  // namespace halo::gpu
