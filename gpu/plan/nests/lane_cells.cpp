// Two walks: whether a cell makes scalars alone, and which reductions have rows in memory.
#include "gpu/plan/nests/lane_cells.h"

#include <algorithm>
#include <unordered_set>

#include "gpu/plan/nests/nest.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

// Statements that need no memory: scalars, views, arrays of which each element is computed.
bool needsNoMemory(const Program& program, const Stm& stm) {
  if (std::holds_alternative<Call>(stm.expr)) return false;
  const bool is_view =
      std::holds_alternative<Index>(stm.expr) || std::holds_alternative<Slice>(stm.expr) ||
      std::holds_alternative<Rearrange>(stm.expr) || std::holds_alternative<Iota>(stm.expr);
  if (is_view) return true;
  if (const auto* replicate = std::get_if<Replicate>(&stm.expr)) {
    return program.type(replicate->value).isScalar();
  }
  const auto* screma = std::get_if<Screma>(&stm.expr);
  if (screma != nullptr && !hasScalarOperators(program, *screma)) return false;
  return std::all_of(stm.results.begin(), stm.results.end(),
                     [&](ValueId result) { return program.type(result).isScalar(); });
}

bool needsNoMemory(const Program& program, const Body& body) {
  bool needs_none = true;
  visitStms(body, [&](const Stm& stm) { needs_none = needs_none && needsNoMemory(program, stm); });
  return needs_none;
}

constexpr size_t kMaxLate = 8;  // statements that all lanes of a run repeat

// Nothing where the rest of an iteration is no short scalar code.
std::optional<RowLoop> partsOf(const Program& program, const Loop& loop) {
  RowLoop parts;
  std::unordered_set<ValueId> carried, early = {std::get<ForLoop>(loop.form).index};
  for (const Carried& one : loop.carried) carried.insert(one.param);
  auto handOn = [&](const Operand& used) {
    if (used.isConstant() || !early.contains(used.value)) return;
    auto& all = parts.handed_on;
    if (std::find(all.begin(), all.end(), used.value) == all.end()) all.push_back(used.value);
  };
  for (const Stm& stm : loop.body.stms) {
    const auto used = freeValues(program, stm);
    const bool is_late = std::any_of(used.begin(), used.end(),
                                     [&](ValueId value) { return carried.contains(value); });
    (is_late ? carried : early).insert(stm.results.begin(), stm.results.end());
    (is_late ? parts.late : parts.early).push_back(stm);
    if (!is_late) continue;
    const bool is_scalar = std::holds_alternative<PrimOp>(stm.expr) ||
                           std::holds_alternative<Convert>(stm.expr) ||
                           std::holds_alternative<Select>(stm.expr);
    if (!is_scalar || mayFail(stm) || parts.late.size() > kMaxLate) return std::nullopt;
    visitUses(stm.expr, [&](const auto& use) { handOn(Operand(use)); });
  }
  for (const Operand& result : loop.body.results) handOn(result);
  return parts;
}

class Rows {
 public:
  Rows(const Program& program, const Function& kernel, LaneCells& cells)
      : program_(program), cells_(cells) {
    for (ValueId param : kernel.params) base_[param] = param;
    for (size_t k = 0; k < cells.levels.size(); ++k) {
      const Screma& level = *cells.levels[k];
      for (size_t i = 0; i < level.inputs.size(); ++i) follow(level.map.params[i], level.inputs[i]);
      own_.insert(level.map.params.begin(), level.map.params.end());
      if (k + 1 < cells.levels.size()) own(level.map.body);
    }
  }

  // Rows of one length for all cells are left alone: plan/nests/distribute has weighed them.
  void own(const Body& body) {
    for (const Stm& stm : body.stms) {
      own_.insert(stm.results.begin(), stm.results.end());
      if (const auto* index = std::get_if<Index>(&stm.expr)) follow(stm.results[0], index->array);
      if (const auto* slice = std::get_if<Slice>(&stm.expr)) follow(stm.results[0], slice->array);
      const auto* screma = std::get_if<Screma>(&stm.expr);
      const auto* loop = std::get_if<Loop>(&stm.expr);
      if (loop != nullptr && this->loop(stm, *loop)) continue;
      if (screma == nullptr) {
        visitBodies(stm.expr, [&](const Body& inner) { own(inner); });
      } else if (!screma->width.isConstant() && own_.contains(screma->width.value)) {
        row(stm, *screma);
      }
    }
  }

 private:
  void follow(ValueId view, ValueId array) {
    if (auto found = base_.find(array); found != base_.end()) base_[view] = found->second;
  }

  void row(const Stm& stm, const Screma& screma) {
    std::unordered_set<ValueId> places;  // that go from element to element
    bool is_in_memory = false;
    ValueId whole;
    for (size_t i = 0; i < screma.inputs.size(); ++i) {
      if (base_.contains(screma.inputs[i])) {
        is_in_memory = true;
        const ValueId base = base_.at(screma.inputs[i]);
        liesIn(base);
        if (program_.type(base).rank() == 1) whole = base;
      } else {
        places.insert(screma.map.params[i]);
      }
    }
    is_in_memory = readsAlong(screma.map.body.stms, std::move(places)) || is_in_memory;
    // A map that only checks its elements has no results, and no sum for lanes to share.
    const bool has_results = !stm.results.empty();
    if (is_in_memory && has_results) cells_.rows.emplace(stm.results[0], whole);
  }

  // Whether statements read arrays from outside at places that go along.
  bool readsAlong(const std::vector<Stm>& stms, std::unordered_set<ValueId> places) {
    auto goesAlong = [&](const Operand& operand) {
      return !operand.isConstant() && places.contains(operand.value);
    };
    bool is_in_memory = false;
    for (const Stm& stm : stms) {
      const auto* prim = std::get_if<PrimOp>(&stm.expr);
      const auto* convert = std::get_if<Convert>(&stm.expr);
      const bool goes =
          (prim != nullptr && std::any_of(prim->args.begin(), prim->args.end(), goesAlong)) ||
          (convert != nullptr && goesAlong(convert->arg));
      if (goes) places.insert(stm.results[0]);
      const auto* index = std::get_if<Index>(&stm.expr);
      if (index == nullptr || !base_.contains(index->array)) continue;
      if (!std::any_of(index->indices.begin(), index->indices.end(), goesAlong)) continue;
      is_in_memory = true;
      liesIn(base_.at(index->array));
    }
    return is_in_memory;
  }

  bool loop(const Stm& stm, const Loop& loop) {
    const auto* form = std::get_if<ForLoop>(&loop.form);
    const bool is_own =
        form != nullptr && !form->bound.isConstant() && own_.contains(form->bound.value);
    if (!is_own || stm.results.empty()) return false;
    std::optional<RowLoop> parts = partsOf(program_, loop);
    if (!parts || !readsAlong(parts->early, {form->index})) return false;
    cells_.loops.emplace(stm.results[0], std::move(*parts));
    return true;
  }

  void liesIn(ValueId array) {
    auto& arrays = cells_.arrays;
    if (std::find(arrays.begin(), arrays.end(), array) == arrays.end()) arrays.push_back(array);
  }

  const Program& program_;
  LaneCells& cells_;
  std::unordered_map<ValueId, ValueId> base_;  // views of the kernel's parameters
  std::unordered_set<ValueId> own_;            // names that a cell binds
};

}  // namespace

std::optional<LaneCells> asLaneCells(const Program& program, const Function& kernel) {
  const auto* outer = std::get_if<Screma>(&kernel.body.stms.back().expr);
  if (outer == nullptr || !isMap(*outer) || kernel.kernel[0].space.empty()) return std::nullopt;
  LaneCells cells;
  cells.levels = mapNest(*outer, kernel.kernel[0].space.size());
  const Body& body = cells.levels.back()->map.body;
  const bool are_scalars =
      std::all_of(body.results.begin(), body.results.end(),
                  [&](const Operand& result) { return program.type(result).isScalar(); });
  if (!are_scalars || !needsNoMemory(program, body)) return std::nullopt;
  Rows rows(program, kernel, cells);
  rows.own(body);
  return cells.arrays.empty() ? std::nullopt : std::optional(std::move(cells));
}

}  // namespace halo::gpu
