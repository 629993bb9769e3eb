// Finding collapsible map nests.
#include "gpu/plan/nest.h"

#include <algorithm>
#include <unordered_set>

namespace halo::gpu {

using namespace core;

namespace {

// Recomputed by each inner cell, and not computed at all if there is none: so it must be cheap and
// must not fail.
bool isCheap(const Stm& stm) {
  if (stm.checked) return false;
  return std::holds_alternative<PrimOp>(stm.expr) || std::holds_alternative<Convert>(stm.expr) ||
         std::holds_alternative<Literal>(stm.expr) || std::holds_alternative<Select>(stm.expr) ||
         std::holds_alternative<Index>(stm.expr) || std::holds_alternative<Slice>(stm.expr) ||
         std::holds_alternative<Iota>(stm.expr) || std::holds_alternative<Rearrange>(stm.expr) ||
         std::holds_alternative<Replicate>(stm.expr);
}

const Screma* innerMap(const Lambda& lambda) {
  if (lambda.body.stms.empty()) return nullptr;
  const Stm& last = lambda.body.stms.back();
  const Screma* inner = std::get_if<Screma>(&last.expr);
  if (inner == nullptr || !isMap(*inner)) return nullptr;
  if (last.results.size() != lambda.body.results.size()) return nullptr;
  for (size_t i = 0; i < last.results.size(); i++) {
    if (lambda.body.results[i] != Operand(last.results[i])) return nullptr;
  }
  std::unordered_set<ValueId> local;
  for (size_t i = 0; i + 1 < lambda.body.stms.size(); i++) {
    const Stm& stm = lambda.body.stms[i];
    if (!isCheap(stm)) return nullptr;
    local.insert(stm.results.begin(), stm.results.end());
  }
  local.insert(lambda.params.begin(), lambda.params.end());
  // The inner width must be known outside of the cell.
  if (!inner->width.isConstant() && local.contains(inner->width.value)) return nullptr;
  return inner;
}

}  // namespace

std::vector<const Screma*> mapNest(const Screma& outer, size_t max_levels) {
  std::vector<const Screma*> levels = {&outer};
  while (levels.size() < max_levels) {
    const Screma* inner = innerMap(levels.back()->map);
    if (inner == nullptr) break;
    levels.push_back(inner);
  }
  return levels;
}

}  // namespace halo::gpu
