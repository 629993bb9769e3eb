// Inner bodies first: a statement that left an inner loop may go on to leave the outer one.
#include "lang/passes/simplify/hoist.h"

#include <algorithm>

#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/array_counts.h"
#include "lang/passes/bounds/bounds_facts.h"
#include "lang/passes/bounds/element_proofs.h"
#include "lang/passes/bounds/existing_sizes.h"
#include "lang/passes/bounds/prove_bounds.h"
#include "lang/passes/bounds/speculate.h"
#include "lang/passes/loops/guarded_loops.h"
#include "lang/passes/simplify/simplify_parts.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Stm;
using core::ValueId;
using ValueSet = std::unordered_set<ValueId>;

class Hoister {
  static constexpr int64_t kFewIterations = 4;

 public:
  Hoister(core::Program& program, const core::Function& function, bool leaves_conversions)
      : program_(program),
        leaves_conversions_(leaves_conversions),
        consumption_(program, function),
        facts_(program),
        proofs_(program, facts_),
        sizes_(program, facts_),
        counts_(program, facts_, sizes_.small()) {
    for (ValueId param : function.params) exists(param);
  }

  // `of_loop`: code that leaves it may go on to leave a loop.
  void body(Body& b, bool of_loop = false) {
    const size_t mark = sizes_.mark(), count = counts_.mark();
    std::vector<Stm> out;
    for (Stm& stm : b.stms) {
      facts_.define(stm, false);
      sizes_.note(stm);
      if (std::holds_alternative<core::Iota>(stm.expr)) iotas_[stm.results[0]] = stm;
      inside(stm, of_loop);
      if (!std::holds_alternative<core::Match>(stm.expr)) leave(stm, out, of_loop);
      knowResults(stm);
      sizes_.noteChecked(stm);
      out.push_back(std::move(stm));
    }
    b.stms = std::move(out);
    counts_.forgetTo(count);
    sizes_.forgetTo(mark);
  }

 private:
  // Where code of a node goes: in front of it, or, if it is large, only where the node runs.
  struct Front {
    std::vector<Stm> stms, large;
    ValueSet bound_in_large;
    bool has_guard = false;
  };

  // A loop whose large code stands in front of it, as long as that may leave the loop around it.
  struct Guarded {
    Operand none;
    ValueSet large;
  };

  void leave(Stm& stm, std::vector<Stm>& out, bool of_loop) {
    ValueSet bound;
    core::visitBound(stm.expr, [&](ValueId v) { bound.insert(v); });
    std::optional<Operand> times = timesOf(stm.expr);
    const auto* loop = std::get_if<core::Loop>(&stm.expr);
    Front front;
    // Cells that kept their table would need one each.
    front.has_guard = loop != nullptr && !in_cell_ && !decidesToRun(*loop).isConstant();
    core::visitBodies(stm.expr, [&](Body& nested) {
      extract(nested, bound, times, loop != nullptr, front);
      times = std::nullopt;
    });
    for (Stm& early : front.stms) out.push_back(std::move(early));
    if (front.large.empty()) return;
    core::Builder builder(program_);
    const Operand none = noIteration(builder, *loop);
    for (Stm& made : builder.take({}).stms) out.push_back(std::move(made));
    if (!of_loop || stm.results.empty()) {
      guardLoop(program_, stm, std::move(front.large), none);
      return;
    }
    guarded_[stm.results[0]] = {none, front.bound_in_large};
    for (Stm& large : front.large) out.push_back(std::move(large));
  }
  // What is left of the large code in front of the loops of a body.
  void guardLoops(std::vector<Stm>& stms) {
    for (size_t i = 0; i < stms.size(); ++i) {
      const auto found =
          stms[i].results.empty() ? guarded_.end() : guarded_.find(stms[i].results[0]);
      if (found == guarded_.end()) continue;
      std::vector<Stm> large, kept;
      for (size_t k = 0; k < i; ++k) {
        const bool is_large =
            !stms[k].results.empty() && found->second.large.contains(stms[k].results[0]);
        (is_large ? large : kept).push_back(std::move(stms[k]));
      }
      if (!large.empty()) guardLoop(program_, stms[i], std::move(large), found->second.none);
      std::move(kept.begin(), kept.end(), stms.begin());
      stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(kept.size()),
                 stms.begin() + static_cast<std::ptrdiff_t>(i));
      i = kept.size();
      guarded_.erase(found);
    }
  }
  std::vector<Stm>& placeIn(Front& front, const Stm& stm, const std::optional<Operand>& times) {
    const bool is_large =
        front.has_guard && isWork(stm) && !counts_.isBounded(stm, times ? &*times : nullptr);
    return placeIn(front, stm, is_large || dependsOn(stm, front.bound_in_large));
  }
  static std::vector<Stm>& placeIn(Front& front, const Stm& stm, bool is_large) {
    if (!is_large) return front.stms;
    front.bound_in_large.insert(stm.results.begin(), stm.results.end());
    return front.large;
  }
  // No view, no scalar.
  static bool isWork(const Stm& stm) {
    bool has_bodies = false;
    core::visitBodies(stm.expr, [&](const Body&) { has_bodies = true; });
    return has_bodies || std::holds_alternative<core::Concat>(stm.expr) ||
           std::holds_alternative<core::Copy>(stm.expr);
  }

  // Large code of an inner loop is made again in each of a few iterations, if the inner loop runs.
  static bool hasFewIterations(const core::Loop& loop) {
    const auto* counted = std::get_if<core::ForLoop>(&loop.form);
    return counted != nullptr && counted->bound.isConstant() &&
           counted->bound.constant.asSigned() <= kFewIterations;
  }

  void inside(Stm& stm, bool of_loop) {
    const size_t mark = sizes_.mark(), fact = facts_.mark(), count = counts_.mark();
    core::visitBound(stm.expr, [&](ValueId v) { exists(v); });
    const bool was_in_cell = in_cell_;
    in_cell_ = in_cell_ || isParallel(stm.expr);
    const auto* loop = std::get_if<core::Loop>(&stm.expr);
    const bool is_left = loop != nullptr && !in_cell_ && (of_loop || !hasFewIterations(*loop));
    std::vector<BoundsFacts::Facts> arms;
    core::visitBodies(stm.expr, [&](Body& nested) {
      const size_t before = facts_.mark();
      body(nested, is_left);
      arms.push_back(facts_.takeTo(before));
    });
    in_cell_ = was_in_cell;
    counts_.forgetTo(count);
    sizes_.forgetTo(mark);
    facts_.forgetTo(fact);
    const auto* match = std::get_if<core::Match>(&stm.expr);
    const bool is_if = match != nullptr && arms.size() == 2 &&
                       program_.type(match->scrutinee).scalar == prim::ScalarType::kBool;
    if (!is_if) return;
    if (!match->cases[0].value.asBool()) std::swap(arms[0], arms[1]);
    facts_.defineArms(stm, std::move(arms[0]), std::move(arms[1]));
  }

  void exists(ValueId array) {
    counts_.exists(array);
    sizes_.knowSizesOf(array);
  }
  void knowResults(const Stm& stm) {
    for (ValueId result : stm.results) exists(result);
  }
  // How often the first body runs, where that is known before it does.
  static std::optional<Operand> timesOf(const core::Expr& expr) {
    if (const auto* node = std::get_if<core::Screma>(&expr)) return node->width;
    if (const auto* loop = std::get_if<core::Loop>(&expr)) {
      if (const auto* counted = std::get_if<core::ForLoop>(&loop->form)) return counted->bound;
    }
    return std::nullopt;
  }
  static bool isParallel(const core::Expr& expr) { return !core::isControl(expr); }
  static bool isPositive(const Operand& times) {
    return times.isConstant() && times.constant.asSigned() > 0;
  }
  // Of windows, too. Of other checks the proofs of indices inside may be in need.
  static bool isOfSizes(const core::Assert& check) {
    return check.code == diag::Code::negative_size || check.code == diag::Code::size_overflow ||
           check.code == diag::Code::bad_window;
  }

  // In front of code that runs so many times: code that never runs checks nothing.
  void checkIfAny(const core::Assert& check, source::Span span, const Operand& times,
                  std::vector<Stm>& out) {
    core::Builder builder(program_);
    const prim::ScalarType type = program_.type(times).scalar;
    const Operand zero(prim::zero(type));
    const Operand none = builder.prim(prim::Op::kLe, type, {times, zero});
    Operand holds = check.condition;
    if (!none.isConstant() || none.constant.asBool()) {
      holds = builder.prim(prim::Op::kOr, prim::ScalarType::kBool, {none, holds});
    }
    builder.assertThat(holds, check.code, check.operands, span);
    for (Stm& stm : builder.take({}).stms) out.push_back(std::move(stm));
  }

  void extract(Body& nested, ValueSet& bound, std::optional<Operand> times, bool is_loop,
               Front& front) {
    ValueSet stay;
    if (is_loop && leaves_conversions_) stay = conversionsOf(nested);
    const auto uses = core::useCounts(program_, nested);
    std::vector<Stm> kept;
    // What runs in any case, behind the same checks. Outside of cells a host would wait for reads.
    bool is_proven = in_cell_ && times && isPositive(*times);
    for (Stm& stm : nested.stms) {
      const auto* check = std::get_if<core::Assert>(&stm.expr);
      if (check != nullptr && times && isOfSizes(*check) && !dependsOn(stm, bound)) {
        const core::Assert moved = *check;  // values are added
        checkIfAny(moved, stm.span, *times, placeIn(front, stm, times));
        continue;
      }
      const bool is_invariant = !stm.results.empty() && !dependsOn(stm, bound);
      if (is_invariant && isMovable(stm, is_proven) && !stay.contains(stm.results[0])) {
        sizes_.knowSizesOf(stm);  // no arrays that are there: this may run for nothing
        placeIn(front, stm, times).push_back(std::move(stm));
        continue;
      }
      if (isHistOfFresh(stm, kept, bound, uses)) {
        moveWithFresh(stm, kept, bound, front, times);
        continue;
      }
      if (core::mayNotEnd(stm)) times = std::nullopt;  // no check moves across it
      is_proven = is_proven && !core::mayFail(stm);
      bound.insert(stm.results.begin(), stm.results.end());
      kept.push_back(std::move(stm));
    }
    if (is_loop) guardLoops(kept);
    nested.stms = std::move(kept);
  }

  // A histogram into arrays that are made for it alone, such as the winners of a scatter.
  bool isHistOfFresh(const Stm& stm, const std::vector<Stm>& kept, const ValueSet& bound,
                     const std::unordered_map<ValueId, int>& uses) {
    if (!std::holds_alternative<core::Hist>(stm.expr) || core::mayFail(stm)) return false;
    const auto isConsumed = [&](ValueId result) { return consumption_.isConsumed(result); };
    if (std::any_of(stm.results.begin(), stm.results.end(), isConsumed)) return false;
    ValueSet elsewhere = bound;
    for (const ValueId destination : core::consumedBy(program_, stm.expr)) {
      const auto at = core::makerOf(kept, destination);
      if (!at || !std::holds_alternative<core::Replicate>(kept[*at].expr)) return false;
      const Stm& made = kept[*at];
      if (uses.at(destination) != 1 || dependsOn(made, bound) || !sizes_.hasSizes(made))
        return false;
      elsewhere.erase(destination);
    }
    return sizes_.hasSizes(stm) && !dependsOn(stm, elsewhere) && !proofs_.readsInside(stm);
  }
  void moveWithFresh(Stm& stm, std::vector<Stm>& kept, ValueSet& bound, Front& front,
                     const std::optional<Operand>& times) {
    const std::vector<ValueId> fresh = core::consumedBy(program_, stm.expr);
    const bool uses_large = std::any_of(fresh.begin(), fresh.end(), [&](ValueId destination) {
      return dependsOn(kept[*core::makerOf(kept, destination)], front.bound_in_large);
    });
    std::vector<Stm>& out = uses_large ? placeIn(front, stm, true) : placeIn(front, stm, times);
    for (const ValueId destination : fresh) {
      const auto made =
          kept.begin() + static_cast<std::ptrdiff_t>(*core::makerOf(kept, destination));
      if (&out == &front.large) front.bound_in_large.insert(destination);
      out.push_back(std::move(*made));
      kept.erase(made);
      bound.erase(destination);
    }
    sizes_.knowSizesOf(stm);
    out.push_back(std::move(stm));
  }
  // Arrays of numbers converted to numbers as long or longer, for one node that walks over them and
  // converts them as it does.
  ValueSet conversionsOf(const Body& b) const {
    ValueSet walked;
    for (const Stm& stm : b.stms) {
      const std::vector<ValueId>* inputs = nullptr;
      if (const auto* screma = std::get_if<core::Screma>(&stm.expr)) inputs = &screma->inputs;
      if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) inputs = &hist->inputs;
      if (const auto* scatter = std::get_if<core::Scatter>(&stm.expr)) inputs = &scatter->inputs;
      if (inputs != nullptr) walked.insert(inputs->begin(), inputs->end());
    }
    const auto uses = core::useCounts(program_, b);
    ValueSet found;
    for (const Stm& stm : b.stms) {
      if (!isConversion(stm)) continue;
      const auto used = uses.find(stm.results[0]);
      bool once = used != uses.end() && used->second == 1;
      if (once && walked.contains(stm.results[0])) found.insert(stm.results[0]);
    }
    return found;
  }
  bool isConversion(const Stm& stm) const {
    const auto* map = std::get_if<core::Screma>(&stm.expr);
    if (map == nullptr || stm.results.size() != 1 || map->inputs.size() != 1) return false;
    const auto& stms = map->map.body.stms;
    return core::isMap(*map) && stms.size() == 1 &&
           std::holds_alternative<core::Convert>(stms[0].expr) &&
           bytesOf(map->inputs[0]) <= bytesOf(stm.results[0]);
  }
  int bytesOf(ValueId array) const { return prim::byteSize(program_.type(array).scalar); }

  // A node whose checks hold by its own index space and conditions.
  bool holdsAlone(const Stm& stm) {
    const auto* screma = std::get_if<core::Screma>(&stm.expr);
    if (screma == nullptr || core::mayNotEnd(stm)) return false;
    std::vector<Stm> stms;
    for (ValueId input : screma->inputs) {
      const auto iota = iotas_.find(input);
      if (iota != iotas_.end()) stms.push_back(iota->second);
    }
    stms.push_back(stm);
    return cannotFail(program_, stms);
  }

  bool isMovable(const Stm& stm, bool is_proven) {
    if (stm.results.empty()) return false;
    for (ValueId result : stm.results) {
      if (consumption_.isConsumed(result)) return false;
    }
    if (!core::consumedBy(program_, stm.expr).empty()) return false;
    if (!sizes_.hasSizes(stm)) return false;
    if (core::mayFail(stm)) return holdsAlone(stm);
    if (is_proven) return true;
    if (proofs_.owesProof(stm)) return false;
    bool scalar = std::holds_alternative<core::PrimOp>(stm.expr) ||
                  std::holds_alternative<core::Convert>(stm.expr) ||
                  std::holds_alternative<core::Select>(stm.expr);
    if (scalar) return isTotalScalar(stm.expr);
    return !proofs_.readsInside(stm);
  }

  bool dependsOn(const Stm& stm, const ValueSet& bound) const {
    const ValueSet used = core::freeValues(program_, stm);
    return std::any_of(used.begin(), used.end(), [&](ValueId v) { return bound.contains(v); });
  }

  core::Program& program_;
  bool leaves_conversions_;
  Consumption consumption_;
  BoundsFacts facts_;
  ElementProofs proofs_;
  ExistingSizes sizes_;
  ArrayCounts counts_;
  std::unordered_map<ValueId, Stm> iotas_;
  std::unordered_map<ValueId, Guarded> guarded_;  // by the first result of the loop
  bool in_cell_ = false;                          // of a parallel node
};

}  // namespace

core::Program hoist(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    Hoister(result, function, false).body(body);
  });
}

core::Program hoistEarly(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    Hoister(result, function, true).body(body);
  });
}

}  // namespace halo::passes
