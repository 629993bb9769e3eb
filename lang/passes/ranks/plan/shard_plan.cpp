// The fixed point, over the forms of shard_forms.h.
#include "lang/passes/ranks/plan/shard_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/core/moves.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/calls/sorts.h"
#include "lang/passes/ranks/plan/shard_blocks.h"
#include "lang/passes/ranks/plan/shard_facts.h"
#include "lang/passes/ranks/plan/shard_forms.h"
#include "lang/passes/ranks/plan/shard_gathers.h"
#include "lang/passes/ranks/plan/shard_order.h"
#include "lang/prim/prim.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Loop;
using core::Operand;
using core::Program;
using core::Reduction;
using core::Screma;
using core::Stencil;
using core::Stm;
using core::ValueId;

constexpr int64_t kMaxLight = 100;  // statements; rows of others cost as much as thousands

// ---- the fixed point

class Planner {
 public:
  Planner(const Program& program, const core::Function& entry, const ShardOptions& options)
      : program_(program),
        entry_(entry),
        options_(options),
        facts_(program, entry),
        order_(program, facts_, options, plan_) {}

  ShardPlan run() {
    collect(entry_.body, 0);
    do {
      findNeeds();
    } while (uncutLight());
    measureBlocks(program_, entry_, options_, plan_);
    return std::move(plan_);
  }

 private:
  using Sums = ShardPlan::Sums;

  static ValueId keyOf(const Stm& stm) { return stm.results.at(0); }
  bool isArray(ValueId value) const { return !program_.type(value).isScalar(); }

  // How many results of a node are reduced values, or tables.
  static size_t reduced(const Stm& stm) {
    size_t count = 0;
    if (std::holds_alternative<core::Hist>(stm.expr)) return stm.results.size();
    auto add = [&](const auto& node) {
      for (const Reduction& reduction : node.reductions) count += reduction.neutral.size();
    };
    if (const auto* screma = std::get_if<Screma>(&stm.expr)) add(*screma);
    if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) add(*stencil);
    return count;
  }

  void explain(const Stm& stm, const char* why) {
    plan_.why_whole.push_back(fmt::format("`{}_{}` is computed whole on every rank: {}",
                                          program_.values[keyOf(stm)].name, keyOf(stm).index, why));
  }

  // ---- at first everything that has a form

  void collect(const Body& body, int depth) {
    for (const Stm& stm : body.stms) {
      if (stm.results.empty()) continue;
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        collectLoop(stm, *loop, depth);
      } else if (passedOn(program_, stm)) {
        cutStatement(stm);
      } else if (depth == 0 && routes(program_, stm)) {
        cutStatement(stm);
      } else if (computes(stm)) {
        const char* why = whyNot(program_, stm, options_.sums);
        if (why == nullptr && !options_.cuts_inner_sums && sumsInCells(program_, stm)) {
          why = order_.whyNotRows(stm);
        }
        if (why == nullptr) why = order_.whyNotOrdered(stm, depth);
        if (why != nullptr) {
          explain(stm, why);
        } else {
          cutStatement(stm);
        }
      }
    }
  }

  // Scans of the places of a scatter that is whole.
  bool arePlaces(const Stm& stm) const {
    const auto* node = std::get_if<Screma>(&stm.expr);
    if (node == nullptr || node->scans.empty()) return false;
    return std::any_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
      const auto range = facts_.scattered().equal_range(result);
      return std::any_of(range.first, range.second, [&](const auto& scatter) {
        return !plan_.statements.contains(scatter.second);
      });
    });
  }

  void cutStatement(const Stm& stm) {
    plan_.statements.insert(keyOf(stm));
    for (size_t i = reduced(stm); i < stm.results.size(); ++i) plan_.cut.insert(stm.results[i]);
  }

  void collectLoop(const Stm& stm, const Loop& loop, int depth) {
    std::unordered_set<ValueId> params;
    for (const core::Carried& carried : loop.carried) params.insert(carried.param);
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      const ValueId param = loop.carried[k].param;
      if (!isArray(param)) continue;
      const Operand& extent = program_.type(param).shape[0];
      if (!extent.isConstant() && params.contains(extent.value)) continue;  // it changes
      plan_.cut.insert(param);
      plan_.cut.insert(stm.results[k]);
    }
    collect(loop.body, depth + 1);
  }

  // ---- then less and less

  void findNeeds() {
    do {
      changed_ = false;
      plan_.cut_needed.clear();
      plan_.whole_needed.clear();
      plan_.gathered_in_loops.clear();
      body(entry_.body, 0);
      for (const Operand& result : entry_.body.results) needWhole(result);
    } while (changed_);
  }

  // Maps of simple code, of which nothing reads rows: each rank makes them faster than it would get
  // the rows of others. Results of the entry may be larger than one rank's memory.
  bool uncutLight() {
    changed_ = false;
    for (const Stm& stm : entry_.body.stms) {
      if (stm.results.empty() || !plan_.statements.contains(keyOf(stm))) continue;
      const auto* node = std::get_if<Screma>(&stm.expr);
      const bool is_routed = isRouted(stm) && !sortIn(program_, stm);
      if (!is_routed && (node == nullptr || !isLight(stm, *node))) continue;
      if (!std::all_of(stm.results.begin(), stm.results.end(),
                       [&](ValueId value) { return isOnlyWhole(value); })) {
        continue;
      }
      plan_.statements.erase(keyOf(stm));
      explain(stm, is_routed ? "nothing reads rows of it"
                             : "its cells are simple, and nothing reads rows of it");
      for (ValueId result : stm.results) uncut(result);
    }
    return changed_;
  }

  // Read by each rank as a whole, and no result.
  bool isOnlyWhole(ValueId value) const {
    const std::vector<Operand>& results = entry_.body.results;
    return plan_.whole_needed.contains(value) && !plan_.cut_needed.contains(value) &&
           std::find(results.begin(), results.end(), Operand(value)) == results.end();
  }

  bool isLight(const Stm& stm, const Screma& node) const {
    const auto isCut = [&](ValueId value) { return plan_.cut.contains(value); };
    return reduced(stm) == 0 && node.scans.empty() &&
           std::none_of(node.inputs.begin(), node.inputs.end(), isCut) && isLight(node.map.body);
  }

  // ---- rows that come from other ranks

  bool isRouted(const Stm& stm) const {
    return !computes(stm) && !passedOn(program_, stm) && routes(program_, stm);
  }

  // Every rank has the array, or makes it faster than it would get rows of others.
  bool isNear(ValueId value) const {
    const Stm* maker = facts_.makerOf(value);
    if (maker == nullptr) return !options_.routes_arguments;
    const Stm& stm = *maker;
    if (isMade(stm) || !plan_.cut.contains(value)) return true;
    if (auto array = passedOn(program_, stm)) return isNear(*array);
    const auto* node = std::get_if<Screma>(&stm.expr);
    return node != nullptr && isLight(node->map.body) && areNear(node->inputs);
  }
  bool areNear(const std::vector<ValueId>& values) const {
    return std::all_of(values.begin(), values.end(), [&](ValueId value) { return isNear(value); });
  }

  // Views of arrays that every rank has cost nothing.
  const char* whyNotRouted(const Stm& stm) const {
    const std::vector<ValueId> arrays = routedFrom(program_, stm);
    const bool is_view = std::holds_alternative<core::Slice>(stm.expr) ||
                         std::holds_alternative<core::Concat>(stm.expr);
    const bool has_cut = std::any_of(arrays.begin(), arrays.end(),
                                     [&](ValueId array) { return plan_.cut.contains(array); });
    if (is_view && !has_cut) return "every rank has the array";
    const bool is_host_sort = options_.routes_arguments && sortIn(program_, stm);
    return !is_host_sort && areNear(arrays) ? "each rank makes its inputs faster than rows arrive"
                                            : nullptr;
  }

  // A few operations for each element.
  static bool isLight(const Body& cell) {
    int64_t operations = 0;
    bool is_light = true;
    core::visitStms(cell, [&](const Stm& stm) {
      const auto* node = std::get_if<Screma>(&stm.expr);
      is_light = is_light && !std::holds_alternative<Loop>(stm.expr) &&
                 !std::holds_alternative<Stencil>(stm.expr) &&
                 !std::holds_alternative<core::Hist>(stm.expr) &&
                 (node == nullptr || (node->reductions.empty() && node->scans.empty()));
      ++operations;
    });
    return is_light && operations <= kMaxLight;
  }

  void needCut(ValueId value) { plan_.cut_needed.insert(value); }
  void needWhole(const Operand& operand) {
    if (operand.isConstant() || !isArray(operand.value)) return;
    const ValueId value = operand.value;
    plan_.whole_needed.insert(value);
    if (plan_.cut.contains(value) && facts_.isInLoop(value)) uncut(value);
  }
  // By a cell that does so much work with the rows that they may come at each step.
  void needWholeFor(const Stm& stm, ValueId value) {
    const bool is_cut = isArray(value) && plan_.cut.contains(value) && facts_.isInLoop(value);
    const bool is_gathered = is_cut && options_.min_gathered_work > 0 &&
                             facts_.isOfEntry(program_.type(value).shape[0]) &&
                             goesOverRows(program_, stm, value);
    if (!is_gathered) return needWhole(value);
    plan_.whole_needed.insert(value);
    plan_.gathered_in_loops.insert(value);
  }
  void uncut(ValueId value) { changed_ = plan_.cut.erase(value) > 0 || changed_; }

  void body(const Body& body, int depth) {
    for (const Stm& stm : body.stms) statement(stm, depth);
  }

  void statement(const Stm& stm, int depth) {
    if (const auto* loop = std::get_if<Loop>(&stm.expr)) return loopStatement(stm, *loop, depth);
    if (stm.results.empty() || !plan_.statements.contains(keyOf(stm))) return whole(stm);
    // One result that has to be whole: all of them are.
    const size_t first = reduced(stm);
    bool is_cut = true;
    for (size_t i = first; i < stm.results.size(); ++i) {
      is_cut = is_cut && plan_.cut.contains(stm.results[i]);
    }
    if (auto array = passedOn(program_, stm)) is_cut = is_cut && plan_.cut.contains(*array);
    is_cut = is_cut && !sumsWholeArrays(stm);
    const char* why = is_cut ? nullptr : "it is read as a whole inside of a loop";
    if (is_cut && isRouted(stm)) why = whyNotRouted(stm);
    if (is_cut && arePlaces(stm)) why = "a scatter reads it whole";
    if (why != nullptr) {
      plan_.statements.erase(keyOf(stm));
      changed_ = true;
      if (computes(stm) || isRouted(stm)) explain(stm, why);
      for (ValueId result : stm.results) uncut(result);
      return whole(stm);
    }
    cutUses(stm);
  }

  // To cut arrays that every rank has, for summands that every rank needs.
  bool sumsWholeArrays(const Stm& stm) const {
    auto sums = plan_.sums.find(keyOf(stm));
    if (sums == plan_.sums.end() || sums->second != Sums::kSummands) return false;
    const auto& node = std::get<Screma>(stm.expr);
    return reduced(stm) == stm.results.size() && !hasLoops(node.map) &&
           std::none_of(node.inputs.begin(), node.inputs.end(),
                        [&](ValueId input) { return plan_.cut.contains(input); });
  }

  // A checkpoint gathers the arrays that it writes.
  void whole(const Stm& stm) {
    if (core::isMove(stm, core::Move::kSave)) return;
    for (ValueId value : core::freeValues(program_, stm)) needWhole(value);
  }

  void cutUses(const Stm& stm) {
    if (auto array = passedOn(program_, stm)) return needCut(*array);
    auto rows = [&](const auto& node) {
      for (ValueId input : node.inputs) needCut(input);
      for (const Reduction& reduction : node.reductions) {
        for (const Operand& neutral : reduction.neutral) needWhole(neutral);
      }
    };
    if (isRouted(stm)) {
      for (ValueId array : routedFrom(program_, stm)) needCut(array);
    }
    if (const auto* scatter = std::get_if<core::Scatter>(&stm.expr)) {
      for (const core::ScatterDest& dest : scatter->destinations) needCut(dest.array);
    }
    if (const auto* screma = std::get_if<Screma>(&stm.expr)) rows(*screma);
    if (const auto* node = std::get_if<core::Hist>(&stm.expr)) {
      for (ValueId input : node->inputs) needCut(input);
      for (const core::HistOp& one : node->operations) {
        for (ValueId table : one.destinations) needWhole(table);
      }
    }
    if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) {
      rows(*stencil);
      for (const core::Window& window : stencil->windows) needCut(window.array);
    }
    core::visitLambdas(stm.expr, [&](const core::Lambda& lambda) {
      for (ValueId value : core::freeValues(program_, lambda)) needWholeFor(stm, value);
    });
  }

  void loopStatement(const Stm& stm, const Loop& loop, int depth) {
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      const core::Carried& carried = loop.carried[k];
      const bool was_cut = plan_.cut.contains(carried.param);
      const Operand& next = loop.body.results[k];
      const bool stays =
          !next.isConstant() && (plan_.cut.contains(next.value) || made_.contains(next.value));
      // The loop's result and its parameter have one layout.
      const bool is_cut = was_cut && stays && plan_.cut.contains(stm.results[k]);
      if (!is_cut && (was_cut || plan_.cut.contains(stm.results[k]))) {
        uncut(carried.param);
        uncut(stm.results[k]);
      }
      if (is_cut) {
        if (!carried.initial.isConstant()) needCut(carried.initial.value);
        needCut(next.value);
      } else {
        needWhole(carried.initial);
        needWhole(next);
      }
    }
    const auto* form = std::get_if<core::ForLoop>(&loop.form);
    if (form != nullptr) needWhole(form->bound);
    for (const Stm& one : loop.body.stms) noteMade(one);
    body(loop.body, depth + 1);
  }

  void noteMade(const Stm& stm) {
    if (!stm.results.empty() && isMade(stm)) made_.insert(stm.results[0]);
  }

  const Program& program_;
  const core::Function& entry_;
  const ShardOptions& options_;
  ShardPlan plan_;
  EntryFacts facts_;
  SumOrder order_;
  std::unordered_set<ValueId> made_;
  bool changed_ = false;
};

}  // namespace

ShardPlan planShards(const Program& program, const core::Function& entry,
                     const ShardOptions& options) {
  return Planner(program, entry, options).run();
}

}  // namespace halo::passes
