// Finding collapsible map nests.
#include "gpu/plan/nests/nest.h"

#include <algorithm>
#include <unordered_set>

#include "lang/core/rewrite.h"
#include "lang/core/tile_sums.h"

namespace halo::gpu {

using namespace core;

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

namespace {

// `local`: names that the levels above bind; this one's are added.
const Screma* innerScrema(const Lambda& lambda, std::unordered_set<ValueId>& local) {
  if (lambda.body.stms.empty()) return nullptr;
  const Stm& last = lambda.body.stms.back();
  const Screma* inner = std::get_if<Screma>(&last.expr);
  if (inner == nullptr) return nullptr;
  if (last.results.size() != lambda.body.results.size()) return nullptr;
  for (size_t i = 0; i < last.results.size(); i++) {
    if (lambda.body.results[i] != Operand(last.results[i])) return nullptr;
  }
  for (size_t i = 0; i + 1 < lambda.body.stms.size(); i++) {
    const Stm& stm = lambda.body.stms[i];
    if (!isCheap(stm)) return nullptr;
    local.insert(stm.results.begin(), stm.results.end());
  }
  local.insert(lambda.params.begin(), lambda.params.end());
  // The inner width must be known outside of the cell, at every level.
  if (!inner->width.isConstant() && local.contains(inner->width.value)) return nullptr;
  return inner;
}

}  // namespace

std::vector<const Screma*> mapNest(const Screma& outer, size_t max_levels) {
  std::vector<const Screma*> levels = {&outer};
  std::unordered_set<ValueId> local;
  while (levels.size() < max_levels) {
    const Screma* inner = innerScrema(levels.back()->map, local);
    if (inner == nullptr || !isMap(*inner)) break;
    levels.push_back(inner);
  }
  return levels;
}

bool worksOnScalars(const Program& program, const Lambda& op) {
  return std::all_of(op.params.begin(), op.params.end(),
                     [&](ValueId param) { return program.type(param).isScalar(); });
}

bool hasScalarOperators(const Program& program, const Screma& screma) {
  const auto is_scalar = [&](const auto& node) { return worksOnScalars(program, node.op); };
  return std::all_of(screma.reductions.begin(), screma.reductions.end(), is_scalar) &&
         std::all_of(screma.scans.begin(), screma.scans.end(), is_scalar);
}

bool inAnyOrder(const std::vector<Reduction>& reductions) {
  return std::all_of(reductions.begin(), reductions.end(), isInAnyOrder);
}

std::vector<const Screma*> reduceNest(const Program& program, const Screma& outer) {
  std::vector<const Screma*> levels = {&outer};
  std::unordered_set<ValueId> local;
  while (isMap(*levels.back())) {
    const Screma* inner = innerScrema(levels.back()->map, local);
    if (inner == nullptr || !inner->scans.empty()) return {};
    levels.push_back(inner);
  }
  if (!levels.back()->scans.empty() || !hasScalarOperators(program, *levels.back())) return {};
  return levels;
}

bool scansMention(const Program& program, const Screma& screma,
                  const std::unordered_set<ValueId>& values) {
  return std::any_of(screma.scans.begin(), screma.scans.end(), [&](const Scan& scan) {
    std::unordered_set<ValueId> used = freeValues(program, scan.op);
    for (const Operand& neutral : scan.neutral) {
      if (!neutral.isConstant()) used.insert(neutral.value);
    }
    return std::any_of(used.begin(), used.end(),
                       [&](ValueId value) { return values.contains(value); });
  });
}

std::vector<const Screma*> scanNest(const Program& program, const Screma& outer) {
  std::vector<const Screma*> levels = {&outer};
  std::unordered_set<ValueId> bound;
  while (isMap(*levels.back())) {
    const Lambda& map = levels.back()->map;
    std::unordered_set<ValueId> local = bound;
    const Screma* inner = innerScrema(map, local);
    if (inner == nullptr || !inner->reductions.empty()) return {};
    levels.push_back(inner);
    bound.insert(map.params.begin(), map.params.end());
    for (const Stm& stm : map.body.stms) bound.insert(stm.results.begin(), stm.results.end());
  }
  const Screma& last = *levels.back();
  if (!last.reductions.empty() || !hasScalarOperators(program, last)) return {};
  if (scansMention(program, last, bound)) return {};
  return levels;
}

}  // namespace halo::gpu
