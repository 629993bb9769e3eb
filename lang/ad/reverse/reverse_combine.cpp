// Reductions. Of `y = x_1 op .. op x_n` the part of x_i is the return of `(l op x) op r`, where l
// and r are the results of the scans from both sides before and behind it [Paszke et al. 2021].
#include <algorithm>

#include "lang/ad/reverse/products.h"
#include "lang/ad/reverse/reverse.h"
#include "lang/ad/rules.h"

namespace halo::ad {

namespace {

// `b op a` of values of these types.
Lambda flipped(Program& program, const Lambda& op) {
  Lambda other = core::freshCopy(program, op);
  std::rotate(other.params.begin(),
              other.params.begin() + static_cast<ptrdiff_t>(other.params.size() / 2),
              other.params.end());
  return other;
}

}  // namespace

std::vector<ValueId> Reverse::scanned(Scope& s, const Operand& width,
                                      const std::vector<ValueId>& inputs, const Lambda& op,
                                      const Operands& neutral) {
  Lambda copy = core::freshCopy(program_, op);
  prove(copy.body);
  return s.back.scan(width, inputs, std::move(copy), neutral);
}

// Stencils in cells would be nests of their own.
ValueId Reverse::shiftedRows(Scope& s, ValueId array, const Operand& edge, bool to_right) {
  return isInCells(s) ? s.back.movedRows(array, edge, to_right)
                      : s.back.moved(array, edge, to_right);
}

// The cotangents of `acc` of `acc op x` for each i, where the results have the seeds: arrays, or
// one for all.
std::vector<Cotangent> Reverse::accumulatorPart(Scope& s, const Lambda& op, const Operand& width,
                                                const std::vector<ValueId>& accs,
                                                const std::vector<ValueId>& xs,
                                                const Operands& seeds) {
  Emitter& e = s.back;
  Scope l(program_, Scope::Kind::kLambda, &s);
  l.own_only = true;
  Lambda lambda = again(op);
  own(l, lambda.params);
  const size_t k = accs.size();
  const std::vector<ValueId> params(lambda.params.begin(),
                                    lambda.params.begin() + static_cast<ptrdiff_t>(k));
  for (size_t i = 0; i < k; ++i) activity_.activate(params[i]);
  std::vector<ValueId> inputs = accs;
  inputs.insert(inputs.end(), xs.begin(), xs.end());
  const Operands mapped = lambda.body.results;
  start(l, lambda.body);
  for (size_t i = 0; i < k; ++i) {
    Operand seed = seeds[i];
    if (e.type(seed).rank() > e.type(mapped[i]).rank()) {
      inputs.push_back(seed.value);
      seed = program_.add("c", program_.type(mapped[i]));
      own(l, {seed.value});
      lambda.params.push_back(seed.value);
    }
    add(l, mapped[i], seed);
  }
  run(l);
  std::vector<Cotangent> found(k);
  Operands results;
  std::vector<Type> types;
  std::vector<size_t> at;
  for (size_t i = 0; i < k; ++i) {
    const Cotangent c = take(l, params[i]);
    if (!c) continue;
    results.push_back(*c);
    types.push_back(arrayOf({width}, e.type(*c)));
    at.push_back(i);
  }
  if (at.empty()) return found;
  lambda.body = finished(l, std::move(results));
  const std::vector<ValueId> arrays =
      e.bindAll("t", std::move(types), core::Screma{width, inputs, std::move(lambda), {}, {}});
  for (size_t i = 0; i < at.size(); ++i) found[at[i]] = arrays[i];
  return found;
}

void Reverse::reduce(Scope& s, const Stm& stm, const core::Screma& node, const Cotangents& cs) {
  const core::Reduction& one = node.reductions[0];
  if (isSum(one.op)) {
    for (size_t i = 0; i < cs.size(); ++i) {
      if (!cs[i]) continue;
      add(s, one.neutral[i], *cs[i]);
      if (!varies(node.inputs[i])) continue;
      const Type whole = program_.type(node.inputs[i]);
      add(s, node.inputs[i], s.back.bind("t", whole, core::Replicate{{node.width}, *cs[i]}));
    }
    return;
  }
  if (const auto op = extremum(one.op)) return reduceExtreme(s, node, *op, *cs[0]);
  if (isFloatProduct(program_, one.op)) return reduceProduct(s, stm, node, *cs[0]);
  reduceAny(s, stm, node, cs);
}

// The first of equal elements; the neutral one stands before all.
void Reverse::reduceExtreme(Scope& s, const core::Screma& node, Op op, const Operand& c) {
  Emitter& e = s.back;
  const core::Reduction& one = node.reductions[0];
  const Type type = rowOf(program_.type(node.inputs[0]));
  core::Screma find;
  find.width = node.width;
  find.inputs = {node.inputs[0], e.iota(node.width)};
  find.map = e.identity({type, Type{}});
  find.reductions.push_back(
      {firstExtreme(e, op, {type, Type{}}), {one.neutral[0], Operand::ofI64(-1)}, true});
  const ValueId at = e.bindAll("first", {type, Type{}}, std::move(find))[1];
  if (varies(one.neutral[0])) {
    const Operand none = e.compare(Op::kLt, at, kZero);
    add(s, one.neutral[0], e.select(none, c, prim::zero(type.scalar)));
  }
  addPlace(s, {node.inputs[0], {}, {at}, c});
}

void Reverse::reduceProduct(Scope& s, const Stm& stm, const core::Screma& node, const Operand& c) {
  Emitter& e = s.back;
  const ScalarType type = e.type(c).scalar;
  const Factors others = otherFactors(e, node, stm.results[0], isInCells(s));
  const auto weighted = [&](Emitter& at, const Operands& x) { return at.weighted(x[0], c, type); };
  const Operand neutral = node.reductions[0].neutral[0];
  if (varies(neutral)) add(s, neutral, weighted(e, {others.of_neutral}));
  if (varies(node.inputs[0])) add(s, node.inputs[0], e.zip({others.of_elements}, weighted));
}

void Reverse::reduceAny(Scope& s, const Stm& stm, const core::Screma& node, const Cotangents& cs) {
  Emitter& e = s.back;
  const core::Reduction& one = node.reductions[0];
  const size_t k = one.neutral.size();
  const std::vector<ValueId> before = scanned(s, node.width, node.inputs, one.op, one.neutral);
  std::vector<ValueId> turned, left, right;
  for (const ValueId input : node.inputs) turned.push_back(e.reversed(input));
  const std::vector<ValueId> behind =
      scanned(s, node.width, turned, flipped(program_, one.op), one.neutral);
  Operands seeds;
  for (size_t i = 0; i < k; ++i) {
    left.push_back(shiftedRows(s, before[i], one.neutral[i], true));
    right.push_back(e.reversed(shiftedRows(s, behind[i], one.neutral[i], true)));
    seeds.push_back(cs[i] ? *cs[i] : e.zero(rowOf(program_.type(before[i]))));
  }
  const Cotangents reached = accumulatorPart(s, one.op, node.width, before, right, seeds);
  std::vector<ValueId> inputs = left;
  inputs.insert(inputs.end(), node.inputs.begin(), node.inputs.end());
  returned(s, {{node.width}, {}, inputs, one.op, 0}, reached, stm.span);
  if (!activity_.any(one.neutral)) return;
  // y = neutral op (x_1 op .. op x_n)
  std::vector<ValueId> start, all;
  for (size_t i = 0; i < k; ++i) {
    const Type row = rowOf(program_.type(before[i]));
    start.push_back(e.bind("t", arrayOf({kOne}, row), core::Replicate{{kOne}, one.neutral[i]}));
    all.push_back(e.rows(e.concat({start[i], behind[i]}), node.width, kOne));
  }
  const Cotangents first = accumulatorPart(s, one.op, kOne, start, all, seeds);
  for (size_t i = 0; i < k; ++i) {
    if (first[i]) add(s, one.neutral[i], e.index(first[i]->value, {kZero}));
  }
}

}  // namespace halo::ad
