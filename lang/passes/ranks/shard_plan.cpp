// The forms that can be cut, then the fixed point.
#include "lang/passes/ranks/shard_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "lang/core/iterated.h"
#include "lang/core/lane_sums.h"
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

bool isExact(const Program& program, const core::Lambda& op) {
  const bool has_float = std::any_of(op.params.begin(), op.params.end(), [&](ValueId param) {
    return prim::isFloat(program.type(param).scalar);
  });
  bool is_exact = true;
  core::visitStms(op.body, [&](const Stm& stm) {
    if (core::mayFail(stm)) is_exact = false;
    const auto* prim = std::get_if<core::PrimOp>(&stm.expr);
    const bool extremum = prim != nullptr && (prim->op == Op::kMin || prim->op == Op::kMax);
    const bool rows = std::holds_alternative<Screma>(stm.expr);  // of an operator on arrays
    if (has_float && !extremum && !rows) is_exact = false;
  });
  // Of a tuple with floats, each must be on its own.
  if (has_float && op.params.size() != 2) return false;
  return is_exact;
}
bool isExact(const Program& program, const Reduction& reduction) {
  return isExact(program, reduction.op);
}

bool areScalars(const Program& program, const core::Lambda& op) {
  return std::all_of(op.params.begin(), op.params.end(),
                     [&](ValueId param) { return program.type(param).isScalar(); });
}

template <typename Node>
bool areExact(const Program& program, const Node& node) {
  return std::all_of(node.reductions.begin(), node.reductions.end(),
                     [&](const Reduction& reduction) { return isExact(program, reduction); });
}

// Operations that no later pass writes out with branches or checks.
bool isPlain(const Program& program, const Body& body) {
  bool is_plain = core::isSimple(program, body);
  core::visitStms(body, [&](const Stm& stm) {
    if (stm.checked) is_plain = false;
    const auto* op = std::get_if<core::PrimOp>(&stm.expr);
    const bool divides = op != nullptr && prim::isInteger(op->type) &&
                         (op->op == Op::kDiv || op->op == Op::kMod || op->op == Op::kQuot ||
                          op->op == Op::kRem || op->op == Op::kPow);
    if (divides) is_plain = false;
  });
  return is_plain;
}

// Elements that no pass makes simple code: they are reduced from left to right.
bool hasLoops(const core::Lambda& map) {
  bool found = false;
  core::visitStms(map.body, [&](const Stm& stm) {
    found = found || std::holds_alternative<Loop>(stm.expr) ||
            std::holds_alternative<Screma>(stm.expr) || std::holds_alternative<Stencil>(stm.expr);
  });
  return found;
}

// Reductions of scalars over elements of simple code are reduced alike, whatever that code.
const char* whyNotSums(const Program& program, const Screma& node, ShardOptions::Order order) {
  if (areExact(program, node)) return nullptr;
  if (order == ShardOptions::Order::kOfEngine) return "its reduction has an order";
  for (const Reduction& reduction : node.reductions) {
    if (!areScalars(program, reduction.op)) return "its reduction of rows has an order";
  }
  if (!hasLoops(node.map) && !isPlain(program, node.map.body)) {
    return "the order of its sum depends on its elements";
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

const char* whyNotScans(const Program& program, const Screma& node) {
  for (const core::Scan& scan : node.scans) {
    if (!areScalars(program, scan.op)) return "it scans rows";
    if (!isExact(program, scan.op)) return "its scan has an order";
  }
  return node.scans.empty() || areExact(program, node) ? nullptr : "its reduction has an order";
}

// Tables of one dimension, whose order of additions does not matter.
const char* whyNotTables(const Program& program, const core::Hist& node) {
  if (isFew(node.width)) return "it has few rows";
  for (const core::HistOp& one : node.operations) {
    if (!isExact(program, one.op)) return "its additions have an order";
    if (program.type(one.destinations[0]).rank() != 1) return "its table is no row of scalars";
  }
  return nullptr;
}

// Why a node that computes cannot be cut; nothing if it can.
const char* whyNot(const Program& program, const Stm& stm, ShardOptions::Order order) {
  if (core::mayNotEnd(stm)) return "a cell of it may not end";
  if (const auto* screma = std::get_if<Screma>(&stm.expr)) {
    if (isFew(screma->width)) return "it has few rows";
    if (const char* why = whyNotScans(program, *screma)) return why;
    return whyNotSums(program, *screma, order);
  }
  if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) {
    if (isFew(stencil->space[0])) return "it has few rows";
    bool wraps = false, ends = false;
    for (const core::Window& window : stencil->windows) {
      if (!window.dynamic.empty()) return "only the run tells its offsets";
      (window.boundary[0].kind == core::BoundaryKind::kWrap ? wraps : ends) = true;
    }
    if (wraps && ends) return "it wraps one array and ends another";
    return areExact(program, *stencil) ? nullptr : "its reduction has an order";
  }
  if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) return whyNotTables(program, *hist);
  return "rows of it are not apart";
}

bool computes(const Stm& stm) {
  return std::holds_alternative<Screma>(stm.expr) || std::holds_alternative<Stencil>(stm.expr) ||
         std::holds_alternative<core::Hist>(stm.expr);
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
    findHeavy();
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
      depth_[keyOf(stm)] = depth;
      for (ValueId result : stm.results) definedAt_[result] = depth;
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        collectLoop(stm, *loop, depth);
      } else if (passedOn(program_, stm)) {
        cutStatement(stm);
      } else if (computes(stm)) {
        const char* why = whyNot(program_, stm, options_.sums);
        if (why == nullptr && !options_.cuts_inner_sums && sumsInCells(program_, stm)) {
          why = "the order of the sums in its cells depends on how many there are";
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

  // How the sums of a node keep their order; why none does.
  const char* whyNotOrdered(const Stm& stm, int depth) {
    const auto* node = std::get_if<Screma>(&stm.expr);
    if (node != nullptr && !node->scans.empty() && arePlaces(stm)) {
      return "a scatter reads it whole";
    }
    if (node == nullptr || areExact(program_, *node)) return nullptr;
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

  bool arePlaces(const Stm& stm) const {
    return std::any_of(stm.results.begin(), stm.results.end(),
                       [&](ValueId result) { return scattered_.contains(result); });
  }

  // Extents of which one row is much work, and inputs of scatters.
  void findHeavy() {
    for (const auto& value : program_.values) {
      if (value.type.shape.size() > 1) heavy_.insert(ShardPlan::keyOf(value.type.shape[0]));
    }
    core::visitStms(entry_.body, [&](const Stm& stm) {
      if (const auto* node = std::get_if<core::Scatter>(&stm.expr)) {
        scattered_.insert(node->inputs.begin(), node->inputs.end());
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
    is_cut = is_cut && !sumsWholeArrays(stm);
    if (!is_cut) {
      plan_.statements.erase(keyOf(stm));
      changed_ = true;
      if (computes(stm)) explain(stm, "it is read as a whole inside of a loop");
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
    return reduced(stm) == stm.results.size() &&
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

  ShardPlan::Unit& unitOf(const Operand& extent) { return plan_.units[ShardPlan::keyOf(extent)]; }
  void needLeast(const Operand& extent, int64_t rows) {
    int64_t& least = unitOf(extent).least;
    least = std::max(least, rows);
  }
  void needMultiple(const Operand& extent, int64_t rows) {
    int64_t& multiple = unitOf(extent).multiple;
    multiple = std::lcm(multiple, rows);
  }

  void reaches(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        loopReaches(stm, *loop);
        reaches(loop->body);
      }
      if (stm.results.empty() || !plan_.statements.contains(keyOf(stm))) continue;
      if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) {
        needLeast(stencil->space[0], reachOf(*stencil));
        if (sumsInCells(program_, stm)) needMultiple(stencil->space[0], kTile);
      } else if (const auto* screma = std::get_if<Screma>(&stm.expr)) {
        if (sumsInCells(program_, stm)) needMultiple(screma->width, kTile);
        auto sums = plan_.sums.find(keyOf(stm));
        if (sums != plan_.sums.end() && sums->second == Sums::kPartialValues) {
          unitOf(screma->width).has_chunks = true;
        }
      } else if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) {
        if (sumsInCells(program_, stm)) needMultiple(hist->width, kTile);
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
    needLeast(iterated->space[0], options_.goes_beside ? 2 * reach : reach);
  }

  const Program& program_;
  const core::Function& entry_;
  const ShardOptions& options_;
  ShardPlan plan_;
  std::unordered_map<ValueId, int> depth_, definedAt_;
  std::unordered_set<ValueId> made_;
  std::set<std::pair<bool, uint64_t>> heavy_;
  std::unordered_set<ValueId> scattered_;
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
