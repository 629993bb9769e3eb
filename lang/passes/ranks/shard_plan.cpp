// The fixed point, over the forms of shard_forms.h.
#include "lang/passes/ranks/shard_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lang/core/lane_sums.h"
#include "lang/core/moves.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/calls/sorts.h"
#include "lang/passes/ranks/shard_blocks.h"
#include "lang/passes/ranks/shard_forms.h"
#include "lang/passes/ranks/shard_gathers.h"
#include "lang/passes/ranks/shard_products.h"
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

constexpr int64_t kMinPairs = 64;   // cells, and elements of their sums
constexpr int64_t kMaxLight = 100;  // statements; rows of others cost as much as thousands

// ---- the fixed point

class Planner {
 public:
  Planner(const Program& program, const core::Function& entry, const ShardOptions& options)
      : program_(program), entry_(entry), options_(options) {}

  ShardPlan run() {
    findHeavy();
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
      for (ValueId result : stm.results) definedAt_[result] = depth;
      if (depth == 0) {
        for (ValueId result : stm.results) made_by_[result] = &stm;
      }
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        collectLoop(stm, *loop, depth);
      } else if (passedOn(program_, stm)) {
        cutStatement(stm);
      } else if (depth == 0 && routes(program_, stm)) {
        cutStatement(stm);
      } else if (computes(stm)) {
        const char* why = whyNot(program_, stm, options_.sums);
        if (why == nullptr && !options_.cuts_inner_sums && sumsInCells(program_, stm)) {
          why = whyNotRows(stm);
        }
        if (why == nullptr) why = whyNotOrdered(stm, depth);
        if (why != nullptr) {
          explain(stm, why);
        } else {
          cutStatement(stm);
        }
      }
    }
  }

  // Rows are summed alike where they lie alike: no axes of an array that the engine lays out are
  // exchanged.
  const char* whyNotRows(const Stm& stm) {
    const auto* node = std::get_if<Screma>(&stm.expr);
    if (node != nullptr && options_.sums == ShardOptions::Order::kChunks) {
      const auto is_known = [&](const Operand& size) { return isParam(size); };
      if (auto sizes = tiledProduct(program_, *node, is_known)) {
        plan_.products[keyOf(stm)] = std::move(*sizes);
        return nullptr;
      }
    }
    if (options_.sums != ShardOptions::Order::kChunks || node == nullptr ||
        !sumsRows(program_, *node)) {
      return hasLongSums(stm) ? nullptr
                              : "the order of the sums in its cells depends on how many there are";
    }
    return exchanges_axes_ ? "axes of an array are exchanged, which may lie in another way"
                           : nullptr;
  }

  // Engines do few cells with short sums in another way (gpu/plan/nests/whole_cells.cpp).
  bool hasLongSums(const Stm& stm) {
    const auto* node = std::get_if<Screma>(&stm.expr);
    if (node == nullptr || options_.sums != ShardOptions::Order::kChunks) return false;
    const SumsOnce sums = sumsOnce(program_, *node);
    if (sums == SumsOnce::kPairs && isParam(node->width)) {
      plan_.products[keyOf(stm)] = {{{node->width}, kMinPairs}};
      return !exchanges_axes_;
    }
    return sums == SumsOnce::kRows && !exchanges_axes_;
  }

  // How the sums of a node keep their order; why none does.
  const char* whyNotOrdered(const Stm& stm, int depth) {
    if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) return whyNotTiles(stm, *stencil);
    const auto* node = std::get_if<Screma>(&stm.expr);
    if (node != nullptr && !areExact(program_, node->scans)) plan_.sums[keyOf(stm)] = Sums::kScans;
    if (node == nullptr || areExact(program_, node->reductions)) return nullptr;
    if (options_.sums == ShardOptions::Order::kChunks) return whyNotChunks(stm, *node, depth);
    if (hasLoops(node->map)) {
      plan_.sums[keyOf(stm)] = Sums::kElements;
      return nullptr;
    }
    const bool is_heavy = heavy_.contains(ShardPlan::keyOf(node->width));
    const bool has_lanes = options_.sums == ShardOptions::Order::kLanes &&
                           core::reducesInLanes(program_, node->map, node->reductions) &&
                           std::all_of(node->reductions.begin(), node->reductions.end(),
                                       [&](const Reduction& reduction) {
                                         return isPlain(program_, reduction.op.body);
                                       });
    if (!is_heavy && !has_lanes && depth > 0) return "its summands are gathered at each step";
    plan_.sums[keyOf(stm)] = has_lanes && !is_heavy ? Sums::kPartialValues : Sums::kSummands;
    return nullptr;
  }

  // Blocks are whole tiles of lines, of which a plane has a number that must be known.
  const char* whyNotTiles(const Stm& stm, const Stencil& stencil) {
    if (!sumsInTiles(program_, stencil, options_.sums)) return nullptr;
    if (!isParam(stencil.space.at(stencil.space.size() / 2))) return "its planes are computed";
    plan_.sums[keyOf(stm)] = Sums::kTiles;
    return nullptr;
  }

  bool isParam(const Operand& size) const {
    const std::vector<ValueId>& params = entry_.params;
    return size.isConstant() || std::find(params.begin(), params.end(), size.value) != params.end();
  }

  // Known in front of loops.
  bool isOfEntry(const Operand& size) const {
    if (size.isConstant()) return true;
    const auto at = definedAt_.find(size.value);
    return at == definedAt_.end() || at->second == 0;
  }

  // Blocks of chunks leave ranks idle where few rows are much work.
  const char* whyNotChunks(const Stm& stm, const Screma& node, int depth) {
    const bool has_rows = hasLoops(node.map);
    const bool is_heavy = has_rows || heavy_.contains(ShardPlan::keyOf(node.width));
    if (is_heavy && !has_rows && depth > 0) return "its summands are gathered at each step";
    if (!isOfEntry(node.width)) return "the number of its elements changes in a loop";
    plan_.sums[keyOf(stm)] = is_heavy ? Sums::kSummands : Sums::kChunks;
    return nullptr;
  }

  // Scans of the places of a scatter that is whole.
  bool arePlaces(const Stm& stm) const {
    const auto* node = std::get_if<Screma>(&stm.expr);
    if (node == nullptr || node->scans.empty()) return false;
    return std::any_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
      const auto range = scattered_.equal_range(result);
      return std::any_of(range.first, range.second, [&](const auto& scatter) {
        return !plan_.statements.contains(scatter.second);
      });
    });
  }

  // Extents of which one row is much work, and inputs of scatters.
  void findHeavy() {
    for (const auto& value : program_.values) {
      if (value.type.shape.size() > 1) heavy_.insert(ShardPlan::keyOf(value.type.shape[0]));
    }
    core::visitStms(entry_.body, [&](const Stm& stm) {
      if (std::holds_alternative<core::Rearrange>(stm.expr)) exchanges_axes_ = true;
      if (const auto* node = std::get_if<core::Scatter>(&stm.expr)) {
        for (ValueId input : node->inputs) scattered_.emplace(input, keyOf(stm));
      }
      bool loops = false;
      core::visitLambdas(stm.expr, [&](const core::Lambda& lambda) {
        core::visitStms(lambda.body, [&](const Stm& nested) {
          loops = loops || std::holds_alternative<Loop>(nested.expr) || computes(nested);
        });
      });
      if (!loops) return;
      if (const auto* node = std::get_if<Screma>(&stm.expr)) {
        heavy_.insert(ShardPlan::keyOf(node->width));
      } else if (const auto* node = std::get_if<Stencil>(&stm.expr)) {
        heavy_.insert(ShardPlan::keyOf(node->space[0]));
      } else if (const auto* node = std::get_if<core::Hist>(&stm.expr)) {
        heavy_.insert(ShardPlan::keyOf(node->width));
      }
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
      definedAt_[param] = depth + 1;
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
    const auto found = made_by_.find(value);
    if (found == made_by_.end()) return !options_.routes_arguments;
    const Stm& stm = *found->second;
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
    if (plan_.cut.contains(value) && isInLoop(value)) uncut(value);
  }
  // By a cell that does so much work with the rows that they may come at each step.
  void needWholeFor(const Stm& stm, ValueId value) {
    const bool is_cut = isArray(value) && plan_.cut.contains(value) && isInLoop(value);
    const bool is_gathered = is_cut && options_.min_gathered_work > 0 &&
                             isOfEntry(program_.type(value).shape[0]) &&
                             goesOverRows(program_, stm, value);
    if (!is_gathered) return needWhole(value);
    plan_.whole_needed.insert(value);
    plan_.gathered_in_loops.insert(value);
  }
  bool isInLoop(ValueId value) const {
    const auto at = definedAt_.find(value);
    return at != definedAt_.end() && at->second > 0;
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
  std::unordered_map<ValueId, int> definedAt_;
  std::unordered_set<ValueId> made_;
  std::set<std::pair<bool, uint64_t>> heavy_;
  std::unordered_map<ValueId, const Stm*> made_by_;      // at the outermost level
  std::unordered_multimap<ValueId, ValueId> scattered_;  // inputs of scatters, by their results
  bool exchanges_axes_ = false;
  bool changed_ = false;
};

}  // namespace

ShardPlan planShards(const Program& program, const core::Function& entry,
                     const ShardOptions& options) {
  return Planner(program, entry, options).run();
}

}  // namespace halo::passes
