// Candidates in the order of the text, then those with a use, then they move.
#include "gpu/plan/launch_code.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "gpu/plan/early_code.h"
#include "gpu/plan/loops/uniform_loop.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

// Arrays, or nodes over them.
bool hasArrays(const Program& program, const Body& body) {
  bool found = false;
  visitStms(body, [&](const Stm& stm) {
    visitLambdas(stm.expr, [&](const Lambda&) { found = true; });
    for (ValueId result : stm.results) found |= !program.type(result).isScalar();
  });
  return found;
}

class LaunchCode {
 public:
  LaunchCode(Program& program, Stm& nest) : program_(program), nest_(nest) {}

  std::vector<Stm> run() {
    forEachBody(nest_.expr, [&](const Body& body) { bind(body); });
    for (ValueId value : boundIn(nest_.expr)) bound_.insert(value);
    forEachBody(nest_.expr, [&](const Body& body) { findCandidates(body); });
    forEachBody(nest_.expr, [&](const Body& body) { findNeeded(body); });
    const bool has_checks = findChecks();
    if (needed_.empty() && !has_checks) return {};
    forEachBody(nest_.expr, [&](Body& body) { take(body); });
    if (has_checks) takeChecks();
    return std::move(taken_);
  }

 private:
  void bind(const Body& body) {
    visitStms(body, [&](const Stm& stm) {
      bound_.insert(stm.results.begin(), stm.results.end());
      for (ValueId value : boundIn(stm.expr)) bound_.insert(value);
    });
  }
  bool isOutside(ValueId value) const {
    return !bound_.contains(value) || candidates_.contains(value);
  }

  void findCandidates(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (mayRunEarly(program_, stm)) {
        const std::unordered_set<ValueId> used = freeValues(program_, stm);
        const bool is_alike =
            std::all_of(used.begin(), used.end(), [&](ValueId value) { return isOutside(value); });
        if (is_alike) {
          for (ValueId result : stm.results) candidates_.emplace(result, stm);
          continue;
        }
      }
      forEachBody(stm.expr, [&](const Body& inner) { findCandidates(inner); });
    }
  }

  void need(const Operand& operand) {
    if (operand.isConstant()) return;
    auto found = candidates_.find(operand.value);
    if (found == candidates_.end() || !needed_.insert(operand.value).second) return;
    for (ValueId result : found->second.results) needed_.insert(result);
    for (ValueId value : freeValues(program_, found->second)) need(value);
  }
  void needShape(ValueId value) {
    for (const Operand& extent : program_.type(value).shape) need(extent);
  }
  void findNeeded(const Body& body) {
    visitStms(body, [&](const Stm& stm) {
      for (ValueId result : stm.results) needShape(result);
      for (ValueId value : boundIn(stm.expr)) needShape(value);
      if (const auto* screma = std::get_if<Screma>(&stm.expr)) need(screma->width);
      if (const auto* scatter = std::get_if<Scatter>(&stm.expr)) need(scatter->width);
      if (const auto* hist = std::get_if<Hist>(&stm.expr)) need(hist->width);
      bool decides = false;
      forEachBody(stm.expr, [&](const Body& inner) { decides |= hasArrays(program_, inner); });
      if (!decides) return;
      if (const auto* match = std::get_if<Match>(&stm.expr)) need(match->scrutinee);
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        if (const auto* counted = std::get_if<ForLoop>(&loop->form)) need(counted->bound);
        needUniform(*loop);
      }
    });
  }
  // Values from which the host computes the next uniform scalars of a loop.
  void needUniform(const Loop& loop) {
    const UniformLoop uniform(program_, loop, [&](ValueId value) { return !isOutside(value); });
    if (!uniform.runsAlike() || !uniform.hasState()) return;
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      if (uniform.isUniform(k)) need(loop.carried[k].initial);
    }
    for (ValueId value : freeValues(program_, uniform.step(program_))) need(value);
  }

  // Checks of the cell's own body that all cells make alike, if they are reached for certain.
  bool findChecks() {
    const auto* screma = std::get_if<Screma>(&nest_.expr);
    if (screma == nullptr) return false;
    bool found = false;
    for (const Stm& stm : screma->map.body.stms) {
      if (mayNotEnd(stm)) break;
      if (!isAlike(stm)) continue;
      forEachOperand(stm.expr, [&](const Operand& operand) { need(operand); });
      found = true;
    }
    return found;
  }
  bool isAlike(const Stm& stm) const {
    if (!std::holds_alternative<Assert>(stm.expr)) return false;
    const std::unordered_set<ValueId> used = freeValues(program_, stm);
    return std::all_of(used.begin(), used.end(), [&](ValueId value) { return isOutside(value); });
  }

  void take(Body& body) {
    std::vector<Stm> left;
    for (Stm& stm : body.stms) {
      if (!stm.results.empty() && needed_.contains(stm.results[0])) {
        for (Stm& early : runEarly(program_, std::move(stm))) taken_.push_back(std::move(early));
        continue;
      }
      forEachBody(stm.expr, [&](Body& inner) { take(inner); });
      left.push_back(std::move(stm));
    }
    body.stms = std::move(left);
  }
  void takeChecks() {
    auto& screma = std::get<Screma>(nest_.expr);
    Builder host(program_);
    const Operand none =
        host.prim(prim::Op::kLe, ScalarType::kI64, {screma.width, Operand::ofI64(0)});
    std::vector<Stm> left;
    bool is_certain = true;
    for (Stm& stm : screma.map.body.stms) {
      is_certain = is_certain && !mayNotEnd(stm);
      if (!is_certain || !isAlike(stm)) {
        left.push_back(std::move(stm));
        continue;
      }
      Assert check = std::get<Assert>(stm.expr);
      check.condition = host.prim(prim::Op::kOr, ScalarType::kBool, {none, check.condition});
      host.append({{}, std::move(check), true, stm.span});
    }
    screma.map.body.stms = std::move(left);
    for (Stm& stm : host.take({}).stms) taken_.push_back(std::move(stm));
  }

  Program& program_;
  Stm& nest_;
  std::unordered_set<ValueId> bound_;            // inside of the nest
  std::unordered_map<ValueId, Stm> candidates_;  // statements that the host could compute
  std::unordered_set<ValueId> needed_;
  std::vector<Stm> taken_;
};

}  // namespace

std::vector<Stm> takeLaunchCode(Program& program, Stm& nest) {
  bool is_nest = false;
  visitLambdas(nest.expr, [&](const Lambda&) { is_nest = true; });
  if (!is_nest) return {};
  return LaunchCode(program, nest).run();
}

}  // namespace halo::gpu
