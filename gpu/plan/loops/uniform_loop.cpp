// Carried scalars count as uniform until one of their next values is not; then all is found anew.
#include "gpu/plan/loops/uniform_loop.h"

#include <algorithm>

#include "gpu/plan/early_code.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

UniformLoop::UniformLoop(const Program& program, const Loop& loop, IsLocal is_local)
    : program_(program), loop_(loop), is_local_(std::move(is_local)) {
  visitStms(loop.body, [&](const Stm& stm) {
    bound_.insert(stm.results.begin(), stm.results.end());
    for (ValueId value : boundIn(stm.expr)) bound_.insert(value);
  });
  for (const Carried& carried : loop.carried) {
    const bool is_scalar = program.type(carried.param).isScalar();
    is_uniform_.push_back(is_scalar && isAlike(carried.initial));
  }
  for (const Carried& carried : loop.carried) bound_.insert(carried.param);
  do {
    uniform_.clear();
    const auto* counted = std::get_if<ForLoop>(&loop.form);
    if (counted != nullptr) uniform_.insert(counted->index);
    for (size_t k = 0; k < is_uniform_.size(); ++k) {
      if (is_uniform_[k]) uniform_.insert(loop.carried[k].param);
    }
    findUniform(loop.body);
  } while (dropVarying());
}

bool UniformLoop::runsAlike() const {
  const auto* counted = std::get_if<ForLoop>(&loop_.form);
  if (counted != nullptr) return counted->bound.isConstant() || !is_local_(counted->bound.value);
  return is_uniform_[static_cast<size_t>(std::get<WhileLoop>(loop_.form).condition)];
}

bool UniformLoop::hasState() const {
  return std::find(is_uniform_.begin(), is_uniform_.end(), true) != is_uniform_.end();
}

bool UniformLoop::isAlike(const Operand& operand) const {
  if (operand.isConstant() || uniform_.contains(operand.value)) return true;
  return !bound_.contains(operand.value) && !is_local_(operand.value);
}

bool UniformLoop::areAlike(const Stm& stm) const {
  const std::unordered_set<ValueId> used = freeValues(program_, stm);
  return std::all_of(used.begin(), used.end(), [&](ValueId value) { return isAlike(value); });
}

// A branch that all cells take alike may give arrays in addition to uniform scalars.
void UniformLoop::findUniform(const Body& body) {
  for (const Stm& stm : body.stms) {
    if (mayRunEarly(program_, stm)) {
      if (areAlike(stm)) uniform_.insert(stm.results.begin(), stm.results.end());
      continue;
    }
    const auto* match = std::get_if<Match>(&stm.expr);
    if (match == nullptr || !isAlike(match->scrutinee)) continue;
    forEachBody(stm.expr, [&](const Body& arm) { findUniform(arm); });
    for (size_t k = 0; k < stm.results.size(); ++k) {
      bool is_alike = program_.type(stm.results[k]).isScalar();
      forEachBody(stm.expr,
                  [&](const Body& arm) { is_alike = is_alike && isAlike(arm.results[k]); });
      if (is_alike) uniform_.insert(stm.results[k]);
    }
  }
}

// Whether there was any.
bool UniformLoop::dropVarying() {
  bool drops = false;
  for (size_t k = 0; k < is_uniform_.size(); ++k) {
    if (!is_uniform_[k] || isAlike(loop_.body.results[k])) continue;
    is_uniform_[k] = false;
    drops = true;
  }
  return drops;
}

Body UniformLoop::step(Program& program) const {
  Operands wanted;
  for (size_t k = 0; k < is_uniform_.size(); ++k) {
    if (is_uniform_[k]) wanted.push_back(loop_.body.results[k]);
  }
  return slice(program, loop_.body, std::move(wanted));
}

// The statements that `wanted` needs; of a branch those results alone.
Body UniformLoop::slice(Program& program, const Body& body, Operands wanted) const {
  std::unordered_set<ValueId> needed;
  for (const Operand& operand : wanted) {
    if (!operand.isConstant()) needed.insert(operand.value);
  }
  std::vector<std::vector<Stm>> kept;  // from the last to the first
  for (size_t i = body.stms.size(); i-- > 0;) {
    Stm stm = body.stms[i];
    std::vector<size_t> places;
    for (size_t k = 0; k < stm.results.size(); ++k) {
      if (needed.contains(stm.results[k])) places.push_back(k);
    }
    if (places.empty()) continue;
    if (auto* match = std::get_if<Match>(&stm.expr)) {
      auto narrow = [&](const std::vector<Operand>& all) {
        Operands some;
        for (size_t k : places) some.push_back(all[k]);
        return some;
      };
      for (Case& one : match->cases) one.body = slice(program, one.body, narrow(one.body.results));
      match->otherwise = slice(program, match->otherwise, narrow(match->otherwise.results));
      std::vector<ValueId> results;
      for (size_t k : places) results.push_back(stm.results[k]);
      stm.results = std::move(results);
    }
    for (ValueId value : freeValues(program, stm)) needed.insert(value);
    kept.push_back(runEarly(program, std::move(stm)));
  }
  Body sliced{{}, std::move(wanted)};
  for (size_t i = kept.size(); i-- > 0;) {
    for (Stm& stm : kept[i]) sliced.stms.push_back(std::move(stm));
  }
  return sliced;
}

}  // namespace halo::gpu
