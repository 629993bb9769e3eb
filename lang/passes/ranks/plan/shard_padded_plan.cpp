// Loops whose arrays have room for rows of neighbours (shard_padded.h). At first everything is
// padded that has a form for it; then less and less, as in shard_plan.cpp.
#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/passes/ranks/plan/shard_forms.h"
#include "lang/passes/ranks/plan/shard_plan.h"

namespace halo::passes {
namespace {

using core::kZero;
using core::Loop;
using core::Operand;
using core::Operands;
using core::Screma;
using core::Stencil;
using core::Stm;
using core::Type;
using core::ValueId;
using Padded = ShardPlan::Padded;

class Finder {
 public:
  Finder(const core::Program& program, const ShardPlan& plan, const Loop& loop)
      : program_(program), plan_(plan), loop_(loop) {}

  std::optional<Padded> run() {
    if (!findStencils()) return std::nullopt;
    for (const core::Carried& carried : loop_.carried) {
      defined_.insert(carried.param);
      if (isRows(carried.param)) padded_.values.insert(carried.param);
    }
    for (const Stm& stm : loop_.body.stms) {
      defined_.insert(stm.results.begin(), stm.results.end());
      if (isForm(stm)) add(stm);
    }
    while (drop()) {
    }
    const bool is_carried = std::any_of(
        loop_.carried.begin(), loop_.carried.end(),
        [&](const core::Carried& carried) { return padded_.values.contains(carried.param); });
    return is_carried ? std::optional(std::move(padded_)) : std::nullopt;
  }

 private:
  bool isCut(const Stm& stm) const {
    return !stm.results.empty() && plan_.statements.contains(stm.results[0]);
  }

  // Those over the extent of the first one: how far they reach; false: in two ways.
  bool findStencils() {
    for (const Stm& stm : loop_.body.stms) {
      const auto* stencil = std::get_if<Stencil>(&stm.expr);
      if (stencil == nullptr || !isCut(stm) || reachOf(*stencil) == 0) continue;
      if (padded_.reach == 0) {
        padded_.extent = stencil->space[0];
        padded_.wraps = wrapsRows(*stencil);
      }
      if (stencil->space[0] != padded_.extent) continue;
      if (wrapsRows(*stencil) != padded_.wraps) return false;
      padded_.reach = std::max(padded_.reach, reachOf(*stencil));
    }
    return padded_.reach > 0;
  }

  bool isRows(ValueId value) const {
    const Type& type = program_.type(value);
    return !type.isScalar() && type.shape[0] == padded_.extent && plan_.cut.contains(value);
  }

  bool isForm(const Stm& stm) const {
    if (!isCut(stm)) return false;
    if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) {
      return stencil->space[0] == padded_.extent &&
             (reachOf(*stencil) > 0 || stencil->reductions.empty() ||
              plan_.sums.contains(stm.results[0]));
    }
    const auto* map = std::get_if<Screma>(&stm.expr);
    return map != nullptr && map->width == padded_.extent && core::isMap(*map) &&
           !map->inputs.empty() && !core::mayFail(stm) && !sumsInCells(program_, stm);
  }

  void add(const Stm& stm) {
    padded_.statements.insert(stm.results[0]);
    for (ValueId result : stm.results) {
      if (isRows(result)) padded_.values.insert(result);
    }
  }

  // Arrays from outside of the loop get their room in front of it.
  bool canBe(ValueId array) const {
    return !defined_.contains(array) || padded_.values.contains(array);
  }

  bool stays(const Stm& stm) const {
    const auto all = [&](const std::vector<ValueId>& arrays) {
      return std::all_of(arrays.begin(), arrays.end(), [&](ValueId one) { return canBe(one); });
    };
    if (const auto* map = std::get_if<Screma>(&stm.expr)) return all(map->inputs);
    const auto& stencil = std::get<Stencil>(stm.expr);
    if (reachOf(stencil) > 0) return true;
    return all(stencil.inputs) &&
           std::all_of(stencil.windows.begin(), stencil.windows.end(),
                       [&](const core::Window& window) { return canBe(window.array); });
  }

  bool drop() {
    bool changed = false;
    for (const Stm& stm : loop_.body.stms) {
      if (stm.results.empty() || !padded_.statements.contains(stm.results[0]) || stays(stm))
        continue;
      padded_.statements.erase(stm.results[0]);
      for (ValueId result : stm.results) padded_.values.erase(result);
      changed = true;
    }
    for (size_t k = 0; k < loop_.carried.size(); ++k) {
      const Operand& next = loop_.body.results[k];
      if (!next.isConstant() && padded_.values.contains(next.value)) continue;
      changed = padded_.values.erase(loop_.carried[k].param) > 0 || changed;
    }
    return changed;
  }

  const core::Program& program_;
  const ShardPlan& plan_;
  const Loop& loop_;
  Padded padded_;
  std::unordered_set<ValueId> defined_;
};

}  // namespace

std::optional<Padded> paddedIn(const core::Program& program, const ShardPlan& plan,
                               const Loop& loop) {
  return Finder(program, plan, loop).run();
}

}  // namespace halo::passes
