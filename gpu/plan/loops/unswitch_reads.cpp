// Inner loops first. The conditions are computed in front of the loop once more.
#include "gpu/plan/loops/unswitch_reads.h"

#include <algorithm>
#include <deque>
#include <unordered_set>
#include <utility>

#include "gpu/plan/host_code.h"
#include "gpu/plan/loops/guardable.h"
#include "gpu/plan/sizes/counted_sizes.h"
#include "lang/core/bound_values.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

// Whether the arm reads a scalar from memory of its own.
bool readsBox(const Program& program, const Body& arm) {
  return std::any_of(arm.stms.begin(), arm.stms.end(), [&](const Stm& stm) {
    const auto* index = std::get_if<Index>(&stm.expr);
    const auto box = index == nullptr ? std::nullopt : makerOf(arm.stms, index->array);
    return box && isBox(kernelOf(program, arm.stms[*box]));
  });
}

class Unswitch {
 public:
  Unswitch(Program& program, const Stm& loop) : program_(program), loop_(loop) {}

  // The statements for it; none, if nothing depends on an invariant.
  std::vector<Stm> run() {
    if (!settled()) return {};
    Body small = version(true);
    Body before = withNeeded(conditions_);
    Builder code(program_);
    for (const Stm& stm : before.stms) code.append(stm);
    Operand all = Scalar::ofBool(true);
    for (const Operand& condition : before.results) {
      all = code.prim(prim::Op::kAnd, ScalarType::kBool, {all, condition});
    }
    Match versions{all, {{Scalar::ofBool(true), std::move(small)}}, version(false)};
    code.append({loop_.results, std::move(versions), false, loop_.span});
    return code.take({}).stms;
  }
  // The loop where all conditions hold, if its iterations may then start ahead.
  std::optional<Loop> settled() {
    if (!dependsOnSizes()) return std::nullopt;
    Loop loop = std::get<Loop>(loop_.expr);
    settle(loop.body);
    const bool starts_ahead = whyNotGuardable(program_, loop).empty();
    return starts_ahead ? std::optional(std::move(loop)) : std::nullopt;
  }

 private:
  bool dependsOnSizes() {
    const auto& loop = std::get<Loop>(loop_.expr);
    if (!std::holds_alternative<WhileLoop>(loop.form)) return false;
    collect(loop.body);
    noteCarried(loop);
    const Operand& next =
        loop.body.results[static_cast<size_t>(std::get<WhileLoop>(loop.form).condition)];
    return !conditions_.empty() && !next.isConstant() && of_device_.contains(next.value);
  }
  // Scalar code of values from outside, and the branches by it.
  void collect(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (isComputed(stm) && isFixed(stm)) fixed_.push_back(&stm);
      core::addBound(stm, bound_);
      const auto* match = std::get_if<Match>(&stm.expr);
      if (match != nullptr && isSwitch(*match)) {
        conditions_.push_back(match->scrutinee);
        noteBound(stm, match->cases[0].body);
      }
      visitBodies(stm.expr, [&](const Body& inner) { collect(inner); });
      noteDevice(stm);
    }
  }
  // Where the condition holds, the size is one from outside: others may follow from it.
  void noteBound(const Stm& stm, const Body& small) {
    const bool is_fixed = small.stms.empty() && stm.results.size() == 1 &&
                          (small.results[0].isConstant() || isFixed(small.results[0].value));
    if (!is_fixed) return;
    const Operands sum = {small.results[0], kZero};
    bounds_.push_back({stm.results, PrimOp{prim::Op::kAdd, ScalarType::kI64, sum}, false, {}});
    fixed_.push_back(&bounds_.back());
  }
  // Carried values, and all that follows from these.
  void noteCarried(const Loop& loop) {
    for (size_t before = of_device_.size() + 1; before != of_device_.size();) {
      before = of_device_.size();
      for (size_t k = 0; k < loop.carried.size(); ++k) {
        const Operand& result = loop.body.results[k];
        const bool is_made = !result.isConstant() && of_device_.contains(result.value);
        if (is_made) of_device_.insert(loop.carried[k].param);
      }
      noteAll(loop.body);
    }
  }
  void noteAll(const Body& body) {
    for (const Stm& stm : body.stms) {
      visitBodies(stm.expr, [&](const Body& inner) { noteAll(inner); });
      noteDevice(stm);
    }
  }
  // Results of kernels, elements, and all that follows from them.
  void noteDevice(const Stm& stm) {
    bool is_made = kernelOf(program_, stm) != nullptr || std::holds_alternative<Index>(stm.expr);
    for (const ValueId used : freeValues(program_, stm)) {
      is_made = is_made || of_device_.contains(used);
    }
    if (is_made) of_device_.insert(stm.results.begin(), stm.results.end());
  }
  bool isSwitch(const Match& match) const {
    return match.cases.size() == 1 && match.cases[0].value == Scalar::ofBool(true) &&
           !match.scrutinee.isConstant() && isFixed(match.scrutinee.value) &&
           std::find(conditions_.begin(), conditions_.end(), match.scrutinee) ==
               conditions_.end() &&
           readsBox(program_, match.otherwise);
  }
  const Stm* makerOf(ValueId value) const {
    const auto found = std::find_if(fixed_.begin(), fixed_.end(),
                                    [&](const Stm* stm) { return stm->results[0] == value; });
    return found == fixed_.end() ? nullptr : *found;
  }
  bool isFixed(ValueId value) const {
    if (std::any_of(carried().begin(), carried().end(),
                    [&](const Carried& one) { return one.param == value; })) {
      return false;
    }
    return !bound_.contains(value) || makerOf(value) != nullptr;
  }
  bool isFixed(const Stm& stm) const {
    bool is_fixed = true;
    forEachOperand(stm.expr, [&](const Operand& operand) {
      is_fixed = is_fixed && (operand.isConstant() || isFixed(operand.value));
    });
    return is_fixed;
  }
  const std::vector<Carried>& carried() const { return std::get<Loop>(loop_.expr).carried; }

  // A copy of the code that makes these scalars.
  Body withNeeded(const Operands& scalars) {
    std::unordered_set<ValueId> needed;
    for (const Operand& scalar : scalars) needed.insert(scalar.value);
    Body body{{}, scalars};
    for (size_t i = fixed_.size(); i-- > 0;) {
      const Stm& stm = *fixed_[i];
      if (!needed.contains(stm.results[0])) continue;
      forEachOperand(stm.expr, [&](const Operand& operand) {
        if (!operand.isConstant()) needed.insert(operand.value);
      });
      body.stms.insert(body.stms.begin(), stm);
    }
    return freshCopy(program_, body);
  }
  // The loop, where all conditions hold or as it is.
  Body version(bool hold) {
    Body body{{loop_}, Operands(loop_.results.begin(), loop_.results.end())};
    if (hold) settle(std::get<Loop>(body.stms[0].expr).body);
    return freshCopy(program_, body);
  }
  void settle(Body& body) {
    for (Stm& stm : body.stms) {
      if (auto* match = std::get_if<Match>(&stm.expr)) {
        const auto found = std::find(conditions_.begin(), conditions_.end(), match->scrutinee);
        if (found != conditions_.end()) match->scrutinee = Scalar::ofBool(true);
      }
      visitBodies(stm.expr, [&](Body& inner) { settle(inner); });
    }
  }

  Program& program_;
  const Stm& loop_;
  std::unordered_set<ValueId> bound_;  // so far
  std::deque<Stm> bounds_;             // statements of branches where the conditions hold
  std::vector<const Stm*> fixed_;      // scalar code of the body that no step changes, in order
  Operands conditions_;
  std::unordered_set<ValueId> of_device_;
};

}  // namespace

void unswitchReads(Program& program, Body& body) {
  std::vector<Stm> before = std::exchange(body.stms, {});
  for (Stm& stm : before) {
    visitBodies(stm.expr, [&](Body& inner) { unswitchReads(program, inner); });
    std::vector<Stm> made;
    if (std::holds_alternative<Loop>(stm.expr)) made = Unswitch(program, stm).run();
    if (made.empty()) made.push_back(std::move(stm));
    std::move(made.begin(), made.end(), std::back_inserter(body.stms));
  }
}

void settleReads(Program& program, Body& body) {
  for (Stm& stm : body.stms) {
    visitBodies(stm.expr, [&](Body& inner) { settleReads(program, inner); });
    if (!std::holds_alternative<Loop>(stm.expr)) continue;
    if (std::optional<Loop> settled = Unswitch(program, stm).settled()) {
      stm.expr = std::move(*settled);
    }
  }
}

}  // namespace halo::gpu
