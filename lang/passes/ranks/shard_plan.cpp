// The forms that can be cut, then the fixed point.
#include "lang/passes/ranks/shard_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/core/iterated.h"
#include "lang/core/moves.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
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
using prim::Op;

// ---- operators whose result no order changes

bool isExact(const Program& program, const Reduction& reduction) {
  const bool has_float =
      std::any_of(reduction.op.params.begin(), reduction.op.params.end(),
                  [&](ValueId param) { return prim::isFloat(program.type(param).scalar); });
  bool is_exact = true;
  core::visitStms(reduction.op.body, [&](const Stm& stm) {
    if (core::mayFail(stm)) is_exact = false;
    const auto* op = std::get_if<core::PrimOp>(&stm.expr);
    const bool extremum = op != nullptr && (op->op == Op::kMin || op->op == Op::kMax);
    const bool rows = std::holds_alternative<Screma>(stm.expr);  // of an operator on arrays
    if (has_float && !extremum && !rows) is_exact = false;
  });
  // Of a tuple with floats, each must be on its own.
  if (has_float && reduction.neutral.size() != 1) return false;
  return is_exact;
}

template <typename Node>
const char* whyNotSums(const Program& program, const Node& node) {
  for (const Reduction& reduction : node.reductions) {
    if (!isExact(program, reduction)) return "its reduction has an order";
  }
  return nullptr;
}

// ---- forms

constexpr int64_t kTile =
    384;  // rows: a multiple of the tiles of products and of lanes: 6, 64, 128
constexpr int64_t kFewRows = 64;  // of an extent that is a number: not worth a message

bool isFew(const Operand& extent) {
  return extent.isConstant() && extent.constant.asSigned() < kFewRows;
}

// Whether a cell adds floats: engines do several cells at once, in tiles, whose last one has
// another order of additions.
bool sumsInCells(const Program& program, const Stm& stm) {
  bool sums = false;
  auto look = [&](const Stm& nested) {
    if (!std::holds_alternative<Screma>(nested.expr) &&
        !std::holds_alternative<Stencil>(nested.expr) &&
        !std::holds_alternative<core::Hist>(nested.expr)) {
      return;
    }
    auto has = [&](const auto& list) {
      for (const auto& one : list) {
        for (const Operand& neutral : one.neutral) {
          sums = sums || prim::isFloat(program.type(neutral).scalar);
        }
      }
    };
    auto hasSums = [&](const std::vector<Reduction>& reductions) {
      for (const Reduction& reduction : reductions) sums = sums || !isExact(program, reduction);
    };
    if (const auto* node = std::get_if<Screma>(&nested.expr)) {
      hasSums(node->reductions);
      has(node->scans);
    }
    if (const auto* node = std::get_if<Stencil>(&nested.expr)) hasSums(node->reductions);
    if (const auto* node = std::get_if<core::Hist>(&nested.expr)) has(node->operations);
  };
  core::visitBodies(stm.expr, [&](const Body& body) { core::visitStms(body, look); });
  return sums;
}

// Why a node that computes cannot be cut; nothing if it can.
const char* whyNot(const Program& program, const Stm& stm) {
  if (core::mayNotEnd(stm)) return "a cell of it may not end";
  if (const auto* screma = std::get_if<Screma>(&stm.expr)) {
    if (!screma->scans.empty()) return "it scans";
    if (isFew(screma->width)) return "it has few rows";
    return whyNotSums(program, *screma);
  }
  if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) {
    if (isFew(stencil->space[0])) return "it has few rows";
    bool wraps = false, ends = false;
    for (const core::Window& window : stencil->windows) {
      if (!window.dynamic.empty()) return "only the run tells its offsets";
      (window.boundary[0].kind == core::BoundaryKind::kWrap ? wraps : ends) = true;
    }
    if (wraps && ends) return "it wraps one array and ends another";
    return whyNotSums(program, *stencil);
  }
  return "rows of it are not apart";
}

bool computes(const Stm& stm) {
  return std::holds_alternative<Screma>(stm.expr) || std::holds_alternative<Stencil>(stm.expr);
}

// The array whose rows this passes on, each by itself.
std::optional<ValueId> passedOn(const Program& program, const Stm& stm) {
  if (const auto* copy = std::get_if<core::Copy>(&stm.expr)) return copy->array;
  if (const auto* view = std::get_if<core::Rearrange>(&stm.expr)) {
    if (view->permutation[0] == 0) return view->array;
  }
  if (const auto* view = std::get_if<core::Reshape>(&stm.expr)) {
    if (!view->shape.empty() && view->shape[0] == program.type(view->array).shape[0]) {
      return view->array;
    }
  }
  if (const auto* view = std::get_if<core::Slice>(&stm.expr)) {
    const core::SliceDim whole{Operand::ofI64(0), program.type(view->array).shape[0],
                               Operand::ofI64(1)};
    if (!stm.checked && view->dims[0] == whole) return view->array;
  }
  return std::nullopt;
}

// Made of nothing: as rows, or whole, wherever they are read.
bool isMade(const Program& program, const Stm& stm) {
  if (const auto* iota = std::get_if<core::Iota>(&stm.expr)) return prim::isInteger(iota->type);
  (void)program;
  return std::holds_alternative<core::Replicate>(stm.expr);
}

// ---- the fixed point

class Planner {
 public:
  Planner(const Program& program, const core::Function& entry, const ShardOptions& options)
      : program_(program), entry_(entry), options_(options) {}

  ShardPlan run() {
    collect(entry_.body, 0);
    do {
      changed_ = false;
      plan_.cut_needed.clear();
      plan_.whole_needed.clear();
      body(entry_.body, 0);
      for (const Operand& result : entry_.body.results) needWhole(result);
    } while (changed_);
    reaches(entry_.body);
    return std::move(plan_);
  }

 private:
  static ValueId keyOf(const Stm& stm) { return stm.results.at(0); }
  bool isArray(ValueId value) const { return !program_.type(value).isScalar(); }

  // How many results of a node are reduced values.
  static size_t reduced(const Stm& stm) {
    size_t count = 0;
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
      depth_[keyOf(stm)] = depth;
      for (ValueId result : stm.results) definedAt_[result] = depth;
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        collectLoop(stm, *loop, depth);
      } else if (passedOn(program_, stm)) {
        cutStatement(stm);
      } else if (computes(stm)) {
        const char* why = whyNot(program_, stm);
        if (why == nullptr && !options_.cuts_inner_sums && sumsInCells(program_, stm)) {
          why = "the order of the sums in its cells depends on how many there are";
        }
        if (why != nullptr) {
          explain(stm, why);
        } else {
          cutStatement(stm);
        }
      }
    }
  }

  void cutStatement(const Stm& stm) {
    plan_.statements.insert(keyOf(stm));
    for (size_t i = reduced(stm); i < stm.results.size(); i++) plan_.cut.insert(stm.results[i]);
  }

  void collectLoop(const Stm& stm, const Loop& loop, int depth) {
    std::unordered_set<ValueId> params;
    for (const core::Carried& carried : loop.carried) params.insert(carried.param);
    for (size_t k = 0; k < loop.carried.size(); k++) {
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

  void needCut(ValueId value) { plan_.cut_needed.insert(value); }
  void needWhole(const Operand& operand) {
    if (operand.isConstant() || !isArray(operand.value)) return;
    const ValueId value = operand.value;
    plan_.whole_needed.insert(value);
    if (!plan_.cut.contains(value)) return;
    auto at = definedAt_.find(value);
    if (at != definedAt_.end() && at->second > 0) uncut(value);  // no gathering in loops
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
    for (size_t i = first; i < stm.results.size(); i++) {
      is_cut = is_cut && plan_.cut.contains(stm.results[i]);
    }
    if (auto array = passedOn(program_, stm)) is_cut = is_cut && plan_.cut.contains(*array);
    if (!is_cut) {
      plan_.statements.erase(keyOf(stm));
      changed_ = true;
      if (computes(stm)) explain(stm, "it is read as a whole inside of a loop");
      for (ValueId result : stm.results) uncut(result);
      return whole(stm);
    }
    cutUses(stm);
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
    if (const auto* screma = std::get_if<Screma>(&stm.expr)) rows(*screma);
    if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) {
      rows(*stencil);
      for (const core::Window& window : stencil->windows) needCut(window.array);
    }
    core::visitLambdas(stm.expr, [&](const core::Lambda& lambda) {
      for (ValueId value : core::freeValues(program_, lambda)) needWhole(value);
    });
  }

  void loopStatement(const Stm& stm, const Loop& loop, int depth) {
    for (size_t k = 0; k < loop.carried.size(); k++) {
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
    if (!stm.results.empty() && isMade(program_, stm)) made_.insert(stm.results[0]);
  }

  // ---- reaches

  // Blocks are multiples of the unit of each of their nodes.
  void needUnit(const Operand& extent, int64_t rows) {
    int64_t& unit = extent.isConstant() ? plan_.unit_of_constants
                                        : plan_.units.try_emplace(extent.value, 1).first->second;
    const int64_t tiles = unit >= kTile || rows >= kTile ? kTile : 1;
    unit = (std::max(unit, rows) + tiles - 1) / tiles * tiles;
  }

  void reaches(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        loopReaches(stm, *loop);
        reaches(loop->body);
      }
      if (stm.results.empty() || !plan_.statements.contains(keyOf(stm))) continue;
      if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) {
        needUnit(stencil->space[0], reachOf(*stencil));
        if (sumsInCells(program_, stm)) needUnit(stencil->space[0], kTile);
      } else if (const auto* screma = std::get_if<Screma>(&stm.expr)) {
        if (sumsInCells(program_, stm)) needUnit(screma->width, kTile);
      }
    }
  }

  void loopReaches(const Stm& stm, const Loop& loop) {
    auto iterated = core::iteratedStencil(program_, loop);
    if (!iterated) return;
    int64_t reach = 0;
    bool wraps = false, ends = false;
    for (const Stm* stage : iterated->stages) {
      if (!plan_.statements.contains(keyOf(*stage)) || core::mayFail(*stage)) return;
      const auto& stencil = std::get<Stencil>(stage->expr);
      reach += reachOf(stencil);
      (wrapsRows(stencil) ? wraps : ends) = true;
    }
    for (const core::Carried& carried : loop.carried) {
      if (!plan_.cut.contains(carried.param)) return;
    }
    if (reach == 0 || (wraps && ends)) return;
    plan_.cycles[keyOf(stm)] = reach;
    needUnit(iterated->space[0], options_.goes_beside ? 2 * reach : reach);
  }

  const Program& program_;
  const core::Function& entry_;
  const ShardOptions& options_;
  ShardPlan plan_;
  std::unordered_map<ValueId, int> depth_, definedAt_;
  std::unordered_set<ValueId> made_;
  bool changed_ = false;
};

}  // namespace

int64_t reachOf(const Stencil& stencil) {
  int64_t reach = 0;
  for (const core::Window& window : stencil.windows) {
    for (const auto& offset : window.offsets) reach = std::max(reach, std::abs(offset[0]));
  }
  return reach;
}

bool wrapsRows(const Stencil& stencil) {
  return std::any_of(stencil.windows.begin(), stencil.windows.end(), [](const core::Window& w) {
    return w.boundary[0].kind == core::BoundaryKind::kWrap;
  });
}

ShardPlan planShards(const Program& program, const core::Function& entry,
                     const ShardOptions& options) {
  return Planner(program, entry, options).run();
}

}  // namespace halo::passes
