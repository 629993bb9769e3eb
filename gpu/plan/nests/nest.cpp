// Finding collapsible map nests.
#include "gpu/plan/nests/nest.h"

#include <algorithm>
#include <unordered_set>

#include "lang/base/check.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/tile_sums.h"
#include "lang/core/visit.h"

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

using Values = std::unordered_set<ValueId>;

// The inner level that statement `k` is. `local`: names that the levels above bind; this one's are
// added.
const Screma* innerLevel(const Lambda& lambda, size_t k, Values& local) {
  const Screma* inner = std::get_if<Screma>(&lambda.body.stms[k].expr);
  if (inner == nullptr) return nullptr;
  for (size_t i = 0; i < k; ++i) {
    const Stm& stm = lambda.body.stms[i];
    if (!isCheap(stm)) return nullptr;
    local.insert(stm.results.begin(), stm.results.end());
  }
  local.insert(lambda.params.begin(), lambda.params.end());
  // The inner width must be known outside of the cell, at every level.
  if (!inner->width.isConstant() && local.contains(inner->width.value)) return nullptr;
  return inner;
}

const Screma* innerScrema(const Lambda& lambda, Values& local) {
  if (lambda.body.stms.empty() || !returnsResultsOf(lambda.body, lambda.body.stms.back())) {
    return nullptr;
  }
  return innerLevel(lambda, lambda.body.stms.size() - 1, local);
}

// Whether the elements are read at places of their own in a row of the cell.
bool readsRowOf(const Lambda& element, const Values& local) {
  bool reads = false;
  visitStms(element.body, [&](const Stm& stm) {
    const auto* index = std::get_if<Index>(&stm.expr);
    if (index == nullptr || !local.contains(index->array)) return;
    for (ValueId place : element.params) {
      const Operands& at = index->indices;
      reads = reads || std::find(at.begin(), at.end(), Operand(place)) != at.end();
    }
  });
  return reads;
}

// Cheap code, or a branch of such code.
bool isElementCode(const Stm& stm) {
  if (isCheap(stm)) return true;
  bool is_code = std::holds_alternative<Match>(stm.expr) && !stm.checked;
  forEachBody(stm.expr, [&](const Body& arm) {
    is_code = is_code && std::all_of(arm.stms.begin(), arm.stms.end(), isElementCode);
  });
  return is_code;
}

// The reduction of a cell that ends with an epilogue.
const Screma* reductionBefore(const Program& program, const Lambda& lambda, Values& local) {
  const std::vector<Stm>& stms = lambda.body.stms;
  const auto last = std::find_if(stms.rbegin(), stms.rend(), [](const Stm& stm) {
    return std::holds_alternative<Screma>(stm.expr);
  });
  // Without code behind it the nest returns all totals; its readers take those they need.
  const bool has_code = last != stms.rend() && last != stms.rbegin();
  if (!has_code || !isPlainReduction(std::get<Screma>(last->expr))) return nullptr;
  const bool is_scalar = std::all_of(stms.rbegin(), last, [&](const Stm& stm) {
    return isCheap(stm) && std::all_of(stm.results.begin(), stm.results.end(),
                                       [&](ValueId made) { return program.type(made).isScalar(); });
  });
  const bool gives_scalars =
      std::all_of(lambda.body.results.begin(), lambda.body.results.end(),
                  [&](const Operand& result) { return program.type(result).isScalar(); });
  if (!is_scalar || !gives_scalars) return nullptr;
  const Screma* inner = innerLevel(lambda, static_cast<size_t>(stms.rend() - last) - 1, local);
  if (inner == nullptr) return nullptr;
  // Cells that all walk over the same elements are bound by arithmetic: their kernel has no
  // registers to spare (an n-body simulation lost 7 % on an H200).
  const bool reads_own = std::any_of(inner->inputs.begin(), inner->inputs.end(),
                                     [&](ValueId input) { return local.contains(input); }) ||
                         readsRowOf(inner->map, local);
  return reads_own ? inner : nullptr;
}

}  // namespace

bool isPlainReduction(const Screma& screma) {
  size_t totals = 0;
  for (const Reduction& reduction : screma.reductions) totals += reduction.neutral.size();
  const std::vector<Stm>& element = screma.map.body.stms;
  return totals > 0 && screma.scans.empty() && screma.map.body.results.size() == totals &&
         !screma.partial_values && screma.joins == Joins::kNothing &&
         std::all_of(element.begin(), element.end(), isElementCode);
}

std::vector<const Screma*> mapNest(const Screma& outer, size_t max_levels) {
  std::vector<const Screma*> levels = {&outer};
  Values local;
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
  Values local;
  while (isMap(*levels.back())) {
    const Lambda& map = levels.back()->map;
    Values bound = local;
    const Screma* inner = innerScrema(map, bound);
    if (inner == nullptr) inner = reductionBefore(program, map, bound = local);
    if (inner == nullptr || !inner->scans.empty()) return {};
    local = std::move(bound);
    levels.push_back(inner);
  }
  if (!levels.back()->scans.empty() || !hasScalarOperators(program, *levels.back())) return {};
  return levels;
}

const Stm& statementOf(const Screma& level, const Screma& inner) {
  const std::vector<Stm>& stms = level.map.body.stms;
  const auto found = std::find_if(stms.begin(), stms.end(), [&](const Stm& stm) {
    return std::get_if<Screma>(&stm.expr) == &inner;
  });
  HALO_CHECK(found != stms.end(), "a level of another nest");
  return *found;
}

Body prologueOf(const Screma& level, const Screma& inner) {
  const std::vector<Stm>& stms = level.map.body.stms;
  const std::ptrdiff_t place = &statementOf(level, inner) - stms.data();
  return {{stms.begin(), stms.begin() + place}, {}};
}

Body epilogueOf(const Screma& level, const Screma& inner) {
  const std::vector<Stm>& stms = level.map.body.stms;
  const std::ptrdiff_t place = &statementOf(level, inner) - stms.data();
  return {{stms.begin() + place + 1, stms.end()}, level.map.body.results};
}

bool hasEpilogue(const std::vector<const Screma*>& levels) {
  if (levels.size() < 2) return false;
  const Lambda& cell = levels[levels.size() - 2]->map;
  const Stm& last = cell.body.stms.back();
  return std::get_if<Screma>(&last.expr) != levels.back() || !returnsResultsOf(cell.body, last);
}

bool scansMention(const Program& program, const Screma& screma, const Values& values) {
  return std::any_of(screma.scans.begin(), screma.scans.end(), [&](const Scan& scan) {
    Values used = freeValues(program, scan.op);
    for (const Operand& neutral : scan.neutral) {
      if (!neutral.isConstant()) used.insert(neutral.value);
    }
    return std::any_of(used.begin(), used.end(),
                       [&](ValueId value) { return values.contains(value); });
  });
}

std::vector<const Screma*> scanNest(const Program& program, const Screma& outer) {
  std::vector<const Screma*> levels = {&outer};
  Values bound;
  while (isMap(*levels.back())) {
    const Lambda& map = levels.back()->map;
    Values local = bound;
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

void visitShared(const Body& cell, const std::function<void(const Stm&)>& visit) {
  for (const Stm& stm : cell.stms) {
    visit(stm);
    if (!isControl(stm.expr)) continue;
    visitBodies(stm.expr, [&](const Body& inner) { visitShared(inner, visit); });
  }
}

Operands spaceOf(const std::vector<const Screma*>& levels) {
  Operands space;
  for (const Screma* level : levels) space.push_back(level->width);
  return space;
}

}  // namespace halo::gpu
