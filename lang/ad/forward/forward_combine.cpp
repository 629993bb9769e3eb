// Tangents of reductions, scans and histograms by operators on pairs. An operator that may choose
// its neutral element in place of an equal one works on optional pairs. A flag says whether there
// is one. So engines may put the neutral element where they like.
#include "lang/ad/forward/forward.h"

#include <algorithm>

#include "lang/ad/operators/kinks.h"
#include "lang/ad/operators/neutral.h"
#include "lang/ad/rules.h"

namespace halo::ad {

namespace {

const Operand kSome = prim::Scalar::ofBool(true);
const Operand kNothing = prim::Scalar::ofBool(false);

bool areScalars(const std::vector<Type>& types) {
  return std::all_of(types.begin(), types.end(), [](const Type& type) { return type.isScalar(); });
}

// Of two optional values: `op a b` where there are both. One that may fail runs only there.
Lambda optional(Emitter& e, const Lambda& op, const std::vector<Type>& types) {
  std::vector<Type> all{kFlag};
  all.insert(all.end(), types.begin(), types.end());
  return e.combiner(all, [&](Emitter& at, const Operands& both) {
    const auto middle = both.begin() + static_cast<ptrdiff_t>(types.size()) + 1;
    const Operand is_left = both[0], is_right = *middle;
    const Operands a(both.begin() + 1, middle), b(middle + 1, both.end());
    Operands results{at.either(is_left, is_right)};
    if (areScalars(types) && !core::mayFail(op)) {
      const Operands found = at.apply(op, a, b);
      for (size_t i = 0; i < types.size(); ++i) {
        results.push_back(at.select(is_right, at.select(is_left, found[i], b[i]), a[i]));
      }
      return results;
    }
    const auto right = [&](Emitter&) { return b; };
    const auto two = [&](Emitter& yes) { return yes.apply(op, a, b); };
    const auto found = at.branch(
        is_right, types,
        [&](Emitter& yes) -> Operands {
          const auto one = yes.branch(is_left, types, two, right);
          return {one.begin(), one.end()};
        },
        [&](Emitter&) { return a; });
    results.insert(results.end(), found.begin(), found.end());
    return results;
  });
}

ValueId flags(Emitter& e, const Operands& shape) {
  return e.bind("some", {ScalarType::kBool, shape}, core::Replicate{shape, kSome});
}

}  // namespace

// (acc.., acc'.., x.., x'..): the operator on values with their tangents, associative like itself.
Lambda Forward::pairs(Lambda op) {
  const auto k = static_cast<ptrdiff_t>(op.body.results.size());
  Lambda both;
  for (const auto from : {op.params.begin(), op.params.begin() + k}) {
    both.params.insert(both.params.end(), from, from + k);
    for (auto param = from; param != from + k; ++param) {
      both.params.push_back(program_.add("t", program_.type(*param)));
      know(*param, both.params.back());
    }
  }
  both.body = body(op.body, std::vector<bool>(static_cast<size_t>(k), true));
  return both;
}

template <typename Combined>
void Forward::sums(Emitter& e, const Stm& stm, core::Screma node,
                   std::vector<Combined> core::Screma::*list) {
  e.append(stm);
  Combined& one = (node.*list)[0];
  for (Operand& neutral : one.neutral) neutral = tangent(e, neutral);
  std::vector<Type> types;
  for (ValueId& input : node.inputs) {
    types.push_back(rowOf(program_.type(input)));
    input = tangentArray(e, input);
  }
  one.op = core::freshCopy(program_, one.op);
  node.map = e.identity(types);
  std::vector<ValueId> results = bindTangents(stm, std::vector<bool>(types.size(), true));
  results.erase(results.begin(), results.begin() + static_cast<ptrdiff_t>(types.size()));
  e.append({std::move(results), std::move(node), false, stm.span});
}

template <typename Combined>
void Forward::combined(Emitter& e, const Stm& stm, core::Screma node,
                       std::vector<Combined> core::Screma::*list) {
  Combined& one = (node.*list)[0];
  if (isSum(one.op)) return sums(e, stm, std::move(node), list);
  const bool is_product = use_.is_differentiated && isFloatProduct(program_, one.op);
  if (is_product && node.scans.empty()) return product(e, stm, node);
  if (is_product || !isOfAnyOrder(program_, one.op, activity_)) return recurrence(e, stm, node);
  const NeutralElement kind = neutralElementOf(program_, one.op, one.neutral, activity_);
  if constexpr (std::is_same_v<Combined, core::Reduction>) one.commutative = false;
  const std::vector<ValueId> inputs = node.inputs;
  for (const ValueId input : inputs) node.inputs.push_back(tangentArray(e, input));
  const Operands neutral = one.neutral;
  for (const Operand& value : neutral) one.neutral.push_back(tangent(e, value));
  std::vector<Type> types;
  for (const ValueId input : node.inputs) types.push_back(rowOf(program_.type(input)));
  one.op = pairs(std::move(one.op));
  node.map = e.identity(types);
  const std::vector<ValueId> results = bindTangents(stm, std::vector<bool>(inputs.size(), true));
  if (kind == NeutralElement::kKeeps) {
    return e.append({results, std::move(node), false, stm.span});
  }
  const bool may_fail = core::mayFail(one.op);
  behindNeutral(e, {results, std::move(node), false, stm.span}, list,
                kind == NeutralElement::kReplaces || may_fail);
}

// Each tangent times all other factors. In pairs of products and tangents a derivative by reverse
// mode takes infinite partial products times 0.
void Forward::product(Emitter& e, const Stm& stm, const core::Screma& node) {
  e.append(stm);
  const ScalarType type = program_.type(stm.results[0]).scalar;
  const Factors others = otherFactors(e, node, stm.results[0], use_);
  const auto weighted = [type](Emitter& at, const Operands& both) -> Operand {
    return at.weighted(both[0], both[1], type);
  };
  const Operand parts = e.zip({others.of_elements, tangentArray(e, node.inputs[0])}, weighted);
  const Operand start = tangent(e, node.reductions[0].neutral[0]);
  know(stm.results[0], e.sum(e.total(parts.value), e.weighted(others.of_neutral, start, type)));
}

// `ne op (x_1 op .. op x_n)`, the neutral element in front alone: where the interpreter has it.
template <typename Combined>
void Forward::behindNeutral(Emitter& e, const Stm& stm, std::vector<Combined> core::Screma::*list,
                            bool is_optional) {
  core::Screma node = std::get<core::Screma>(stm.expr);
  Combined& one = (node.*list)[0];
  std::vector<Type> types;
  for (const ValueId input : node.inputs) types.push_back(rowOf(program_.type(input)));
  Operands neutral = one.neutral;
  if (is_optional) {
    one.op = optional(e, one.op, types);
    one.neutral.insert(one.neutral.begin(), kNothing);
    neutral.insert(neutral.begin(), kSome);
    node.inputs.insert(node.inputs.begin(), flags(e, {node.width}));
    types.insert(types.begin(), kFlag);
    node.map = e.identity(types);
  }
  const Operand width = node.width;
  const Lambda op = core::freshCopy(program_, one.op);
  std::vector<Type> whole = types;
  if constexpr (std::is_same_v<Combined, core::Scan>) {
    for (Type& type : whole) type = arrayOf({width}, type);
  }
  const std::vector<ValueId> partial = e.bindAll("t", whole, std::move(node), false, stm.span);
  const Operands parts(partial.begin(), partial.end());
  Operands found;
  if constexpr (std::is_same_v<Combined, core::Scan>) {
    const auto all = e.map(width, partial, [&](Emitter& at, const Operands& row) {
      return at.apply(op, neutral, row);
    });
    found.assign(all.begin(), all.end());
  } else {
    found = e.apply(op, neutral, parts);
  }
  const size_t skipped = is_optional ? 1 : 0;
  for (size_t i = 0; i < stm.results.size(); ++i) e.name(stm.results[i], found[i + skipped]);
}

void Forward::statement(Emitter& e, const Stm& stm, core::Screma node) {
  if (!node.reductions.empty()) return combined(e, stm, std::move(node), &core::Screma::reductions);
  if (!node.scans.empty()) return combined(e, stm, std::move(node), &core::Screma::scans);
  map(e, stm, std::move(node));
}

}  // namespace halo::ad
