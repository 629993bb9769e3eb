// Reductions. Of `y = x_1 op .. op x_n` the part of x_i is the return of `(l op x) op r`, where l
// and r are the results of the scans from both sides before and behind it [Paszke et al. 2021].
#include "lang/ad/reverse/reverse_combine.h"

#include <algorithm>

#include "lang/ad/operators/neutral.h"
#include "lang/ad/operators/products.h"
#include "lang/ad/operators/selections.h"
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

std::vector<ValueId> ReverseCombine::scanned(const std::vector<ValueId>& inputs, const Lambda& op,
                                             const Operands& neutral) {
  Lambda copy = core::freshCopy(program_, op);
  prove(copy.body);
  return e_.scan(node_.width, inputs, std::move(copy), neutral);
}

// Stencils in cells would be nests of their own.
ValueId ReverseCombine::shiftedRows(ValueId array, const Operand& edge, bool to_right) {
  return all_.isInCells(s_) ? e_.movedRows(array, edge, to_right) : e_.moved(array, edge, to_right);
}

// The cotangents of `acc` of `acc op x` for each i, where the results have the seeds: arrays, or
// one for all.
std::vector<Cotangent> ReverseCombine::accumulatorPart(const Lambda& op, const Operand& width,
                                                       const std::vector<ValueId>& accs,
                                                       const std::vector<ValueId>& xs,
                                                       const Operands& seeds) {
  Scope l(program_, Scope::Kind::kLambda, &s_);
  l.own_only = true;
  Lambda lambda = all_.again(op);
  all_.own(l, lambda.params);
  const size_t k = accs.size();
  const std::vector<ValueId> params(lambda.params.begin(),
                                    lambda.params.begin() + static_cast<ptrdiff_t>(k));
  for (size_t i = 0; i < k; ++i) all_.activity_.activate(params[i]);
  std::vector<ValueId> inputs = accs;
  inputs.insert(inputs.end(), xs.begin(), xs.end());
  const Operands mapped = lambda.body.results;
  all_.start(l, lambda.body);
  for (size_t i = 0; i < k; ++i) {
    Operand seed = seeds[i];
    if (e_.type(seed).rank() > e_.type(mapped[i]).rank()) {
      inputs.push_back(seed.value);
      seed = program_.add("c", program_.type(mapped[i]));
      all_.own(l, {seed.value});
      lambda.params.push_back(seed.value);
    }
    all_.add(l, mapped[i], seed);
  }
  all_.run(l);
  std::vector<Cotangent> found(k);
  Operands results;
  std::vector<Type> types;
  std::vector<size_t> at;
  for (size_t i = 0; i < k; ++i) {
    const Cotangent c = all_.take(l, params[i]);
    if (!c) continue;
    results.push_back(*c);
    types.push_back(arrayOf({width}, e_.type(*c)));
    at.push_back(i);
  }
  if (at.empty()) return found;
  lambda.body = all_.finished(l, std::move(results));
  const std::vector<ValueId> arrays =
      e_.bindAll("t", std::move(types), core::Screma{width, inputs, std::move(lambda), {}, {}});
  for (size_t i = 0; i < at.size(); ++i) found[at[i]] = arrays[i];
  return found;
}

void ReverseCombine::reduce() {
  const core::Reduction& one = node_.reductions[0];
  if (isSum(one.op)) {
    for (size_t i = 0; i < cs_.size(); ++i) {
      if (!cs_[i]) continue;
      all_.add(s_, one.neutral[i], *cs_[i]);
      if (!all_.varies(node_.inputs[i])) continue;
      const Type whole = program_.type(node_.inputs[i]);
      all_.add(s_, node_.inputs[i], e_.bind("t", whole, core::Replicate{{node_.width}, *cs_[i]}));
    }
    return;
  }
  if (const auto op = extremum(one.op)) return reduceExtreme(*op, *cs_[0]);
  if (isFloatProduct(program_, one.op)) return reduceProduct(*cs_[0]);
  if (const auto takes_first = selectionOf(program_, one.op)) return reduceSelection(*takes_first);
  reduceAny();
}

// The first of equal elements; the neutral one stands before all.
void ReverseCombine::reduceExtreme(Op op, const Operand& c) {
  const core::Reduction& one = node_.reductions[0];
  const Type type = rowOf(program_.type(node_.inputs[0]));
  core::Screma find;
  find.width = node_.width;
  find.inputs = {node_.inputs[0], e_.iota(node_.width)};
  find.map = e_.identity({type, Type{}});
  find.reductions.push_back(
      {firstExtreme(e_, op, {type, Type{}}), {one.neutral[0], Operand::ofI64(-1)}, true});
  const ValueId at = e_.bindAll("first", {type, Type{}}, std::move(find))[1];
  if (all_.varies(one.neutral[0])) {
    const Operand none = e_.compare(Op::kLt, at, kZero);
    all_.add(s_, one.neutral[0], e_.select(none, c, prim::zero(type.scalar)));
  }
  all_.addPlace(s_, {node_.inputs[0], {}, {at}, c});
}

void ReverseCombine::reduceSelection(const Lambda& takes_first) {
  const Operands& neutral = node_.reductions[0].neutral;
  const Selected selected = selectedBy(e_, node_, takes_first);
  for (size_t i = 0; i < cs_.size(); ++i) {
    if (!cs_[i]) continue;
    if (all_.varies(neutral[i])) {
      const Operand none = prim::zero(e_.type(*cs_[i]).scalar);
      all_.add(s_, neutral[i], e_.select(selected.is_neutral, *cs_[i], none));
    }
    if (!all_.varies(node_.inputs[i])) continue;
    all_.addPlace(s_, {node_.inputs[i], {}, {selected.position}, *cs_[i]});
  }
}

void ReverseCombine::reduceProduct(const Operand& c) {
  const ScalarType type = e_.type(c).scalar;
  const Factors others =
      otherFactors(e_, node_, stm_.results[0], {all_.isInCells(s_), all_.is_differentiated_});
  const auto weighted = [&](Emitter& at, const Operands& x) { return at.weighted(x[0], c, type); };
  const Operand neutral = node_.reductions[0].neutral[0];
  if (all_.varies(neutral)) all_.add(s_, neutral, weighted(e_, {others.of_neutral}));
  if (all_.varies(node_.inputs[0]))
    all_.add(s_, node_.inputs[0], e_.zip({others.of_elements}, weighted));
}

// Behind the last element there is none, not the neutral one: its cotangent is that of the result.
Operand ReverseCombine::withLast(const Cotangent& reached, const Operand& seed) {
  const Type type = e_.type(seed);
  std::vector<ValueId> inputs{e_.iota(node_.width)};
  if (reached) inputs.push_back(reached->value);
  const Operand last = e_.sub(node_.width, kOne);
  return e_.map(node_.width, inputs, [&](Emitter& at, const Operands& cell) -> Operands {
    const Operand is_last = at.compare(Op::kEq, cell[0], last);
    const Operand other = reached ? cell[1] : at.zero(type);
    return {at.zip({seed, other}, [&](Emitter& e, const Operands& both) {
      return e.select(is_last, both[0], both[1]);
    })};
  })[0];
}

void ReverseCombine::reduceAny() {
  const core::Reduction& one = node_.reductions[0];
  const size_t k = one.neutral.size();
  const std::vector<ValueId> before = scanned(node_.inputs, one.op, one.neutral);
  std::vector<ValueId> turned, left, right;
  for (const ValueId input : node_.inputs) turned.push_back(e_.reversed(input));
  const std::vector<ValueId> behind = scanned(turned, flipped(program_, one.op), one.neutral);
  Operands seeds;
  for (size_t i = 0; i < k; ++i) {
    left.push_back(shiftedRows(before[i], one.neutral[i], true));
    right.push_back(e_.reversed(shiftedRows(behind[i], one.neutral[i], true)));
    seeds.push_back(cs_[i] ? *cs_[i] : e_.zero(rowOf(program_.type(before[i]))));
  }
  Cotangents reached = accumulatorPart(one.op, node_.width, before, right, seeds);
  if (neutralElementOf(program_, one.op, one.neutral, all_.activity_) ==
      NeutralElement::kReplaces) {
    for (size_t i = 0; i < k; ++i) reached[i] = withLast(reached[i], seeds[i]);
  }
  std::vector<ValueId> inputs = left;
  inputs.insert(inputs.end(), node_.inputs.begin(), node_.inputs.end());
  all_.returned(s_, {{node_.width}, {}, inputs, one.op, 0}, reached, stm_.span);
  if (!all_.activity_.any(one.neutral)) return;
  // y = neutral op (x_1 op .. op x_n)
  std::vector<ValueId> start, all;
  for (size_t i = 0; i < k; ++i) {
    const Type row = rowOf(program_.type(before[i]));
    start.push_back(e_.bind("t", arrayOf({kOne}, row), core::Replicate{{kOne}, one.neutral[i]}));
    all.push_back(e_.rows(e_.concat({start[i], behind[i]}), node_.width, kOne));
  }
  const Cotangents first = accumulatorPart(one.op, kOne, start, all, seeds);
  for (size_t i = 0; i < k; ++i) {
    if (first[i]) all_.add(s_, one.neutral[i], e_.index(first[i]->value, {kZero}));
  }
}

void Reverse::combine(Scope& s, const Stm& stm, const Cotangents& cs) {
  ReverseCombine(*this, s, stm, cs).run();
}

}  // namespace halo::ad
