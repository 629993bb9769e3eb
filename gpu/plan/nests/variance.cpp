// Values only ever rise in the lattice, so a loop's body is looked at until nothing rises. That is
// at most once for each carried value and step of the lattice, nearly always twice.
#include "gpu/plan/nests/variance.h"

#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

void VarianceMap::bind(const std::vector<ValueId>& values, Variance variance) {
  for (ValueId value : values) raise(value, variance);
}

bool VarianceMap::raise(ValueId value, Variance variance) {
  if (variance == Variance::kLaunch) return false;
  Variance& known = values_.try_emplace(value, Variance::kLaunch).first->second;
  if (known >= variance) return false;
  known = variance;
  return true;
}

Variance VarianceMap::of(const Operand& operand) const {
  if (operand.isConstant()) return Variance::kLaunch;
  auto found = values_.find(operand.value);
  return found == values_.end() ? Variance::kLaunch : found->second;
}

Variance VarianceMap::ofShape(ValueId value) const {
  Variance all = Variance::kLaunch;
  for (const Operand& extent : program_.type(value).shape) all = join(all, of(extent));
  return all;
}

Variance VarianceMap::ofUses(const Stm& stm) const {
  Variance all = Variance::kLaunch;
  for (ValueId value : freeValues(program_, stm)) all = join(all, of(value));
  return all;
}

void VarianceMap::add(const Body& body) {
  for (const Stm& stm : body.stms) add(stm);
}

void VarianceMap::add(const Stm& stm) {
  if (const auto* loop = std::get_if<Loop>(&stm.expr)) return addLoop(stm, *loop);
  if (const auto* match = std::get_if<Match>(&stm.expr)) return addMatch(stm, *match);
  // A node's whole results come from its inputs, whichever lane works on the elements.
  bind(stm.results, ofUses(stm));
  bool has_body = false;
  forEachBody(stm.expr, [&](const Body&) { has_body = true; });
  if (!has_body) return;
  bind(boundIn(stm.expr), Variance::kLane);
  forEachBody(stm.expr, [&](const Body& body) { add(body); });
}

void VarianceMap::addMatch(const Stm& stm, const Match& match) {
  forEachBody(stm.expr, [&](const Body& arm) {
    add(arm);
    for (size_t i = 0; i < stm.results.size(); ++i) raise(stm.results[i], of(arm.results[i]));
  });
  bind(stm.results, of(match.scrutinee));
}

void VarianceMap::addLoop(const Stm& stm, const Loop& loop) {
  for (const Carried& carried : loop.carried) raise(carried.param, of(carried.initial));
  const auto* counted = std::get_if<ForLoop>(&loop.form);
  if (counted != nullptr) raise(counted->index, of(counted->bound));
  for (bool rises = true; rises;) {
    rises = false;
    add(loop.body);
    for (size_t i = 0; i < loop.carried.size(); ++i) {
      rises |= raise(loop.carried[i].param, of(loop.body.results[i]));
    }
  }
  // The number of runs of the body decides its result.
  const Variance runs =
      counted != nullptr
          ? of(counted->bound)
          : of(loop.carried[static_cast<size_t>(std::get<WhileLoop>(loop.form).condition)].param);
  for (size_t i = 0; i < loop.carried.size(); ++i) {
    raise(stm.results[i], join(runs, of(loop.carried[i].param)));
  }
}

}  // namespace halo::gpu
