// Statements that wait: they become one kernel when a later statement needs them. Until then a call
// stands for them, which has their inputs.
#include "gpu/plan/planner.h"

#include <algorithm>

#include "gpu/plan/outline.h"
#include "lang/core/node_kinds.h"

namespace halo::gpu {

using namespace core;

// A scan and its scatter.
Stm Planner::keep(const Stm& scan, const Stm& scatter) {
  size_t reduced = 0;
  for (const Reduction& reduction : std::get<Screma>(scan.expr).reductions) {
    reduced += reduction.neutral.size();
  }
  std::vector<ValueId> results = scatter.results;
  results.insert(results.end(), scan.results.begin(),
                 scan.results.begin() + static_cast<long>(reduced));
  Operands space = {std::get<Screma>(scan.expr).width};
  return keep({scan, scatter}, results, {KernelKind::kScan, std::move(space)});
}

// A call that stands for them until then.
Stm Planner::keep(std::vector<Stm> stms, const std::vector<ValueId>& results, KernelInfo info) {
  std::string name = nextName();
  for (Stm& stm : stms) substitute(program_, stm.expr, same_);
  const std::unordered_set<ValueId> free = freeValues(program_, Body{stms, {}});
  Stm call{results, Call{name, Operands(free.begin(), free.end())}, false, stms.back().span};
  kept_.emplace(name, Kept{std::move(stms), results, std::move(info)});
  return call;
}

Stm Planner::keptKernel(const Kept& kept) {
  for (const Stm& stm : kept.stms) staysView(stm);
  return outlineAll(program_, kept.stms, kept.results, nextName(), kept.info, recompute_);
}

// 0, 1, .. of this body or of one around it.
bool Planner::isIota(const Body& body, ValueId value) const {
  auto is = [](const Stm& stm) { return isPlainIota(stm.expr); };
  auto around = recompute_.find(value);
  if (around != recompute_.end()) return is(around->second);
  return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
    return stm.results.size() == 1 && stm.results[0] == value && is(stm);
  });
}

}  // namespace halo::gpu
