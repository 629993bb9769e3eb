// Tangents of histograms.
#include "lang/ad/forward/forward.h"
#include "lang/ad/rules.h"

namespace halo::ad {

namespace {

// The value of the operator itself: the smaller one of two zeros, which are equal, is -0.
void keepValue(Emitter& e, Lambda& first, Op op) {
  const ScalarType type = e.program().type(first.params[0]).scalar;
  if (!prim::isFloat(type)) return;
  Emitter inner(e.program());
  for (Stm& stm : first.body.stms) inner.append(std::move(stm));
  Operands results = first.body.results;
  results[0] = inner.op(op, type, first.params[0], first.params[first.params.size() / 2]);
  first.body = inner.take(results);
}

}  // namespace

void Forward::statement(Emitter& e, const Stm& stm, core::Hist node) {
  core::HistOp& operation = node.operations[0];
  const auto found = extremum(operation.op);
  if (found) return extreme(e, stm, std::move(node), *found);
  core::Hist other = node;
  core::HistOp& twin = other.operations[0];
  const std::vector<ValueId> inputs = node.inputs;
  const bool is_sum = isSum(operation.op);
  twin.op = is_sum ? core::freshCopy(program_, operation.op) : pairs(operation.op);
  if (is_sum) {
    e.append(stm);
    other.inputs.erase(other.inputs.begin() + operation.index_rank, other.inputs.end());
    twin.neutral.clear();
    twin.destinations.clear();
  }
  for (size_t i = static_cast<size_t>(operation.index_rank); i < inputs.size(); ++i) {
    other.inputs.push_back(tangentArray(e, inputs[i]));
  }
  for (const Operand& neutral : operation.neutral) twin.neutral.push_back(tangent(e, neutral));
  for (const ValueId destination : operation.destinations) {
    twin.destinations.push_back(e.copy(tangentArray(e, destination)));
  }
  std::vector<Type> types;
  for (const ValueId input : other.inputs) types.push_back(rowOf(program_.type(input)));
  other.map = e.identity(types);
  std::vector<ValueId> results = bindTangents(stm, std::vector<bool>(stm.results.size(), true));
  if (is_sum) {
    results.erase(results.begin(), results.begin() + static_cast<ptrdiff_t>(stm.results.size()));
  }
  e.append({std::move(results), std::move(other), false, stm.span});
}

// (value, position, tangent), so that of equal values the first one counts in any order.
void Forward::extreme(Emitter& e, const Stm& stm, core::Hist node, Op op) {
  core::HistOp& operation = node.operations[0];
  const Type type = rowOf(program_.type(node.inputs.back()));
  const std::vector<Type> types = {type, Type{}, type};
  const ValueId values = node.inputs.back();
  const Type whole = program_.type(stm.results[0]);
  node.inputs.push_back(e.iota(node.width));
  node.inputs.push_back(tangentArray(e, values));
  std::vector<Type> all(static_cast<size_t>(operation.index_rank), Type{});
  all.insert(all.end(), types.begin(), types.end());
  node.map = e.identity(all);
  const ValueId before = e.bind("before", {ScalarType::kI64, whole.shape},
                                core::Replicate{whole.shape, Operand::ofI64(-1)});
  const ValueId tangents = e.copy(tangentArray(e, operation.destinations[0]));
  operation.destinations = {operation.destinations[0], before, tangents};
  operation.neutral = {operation.neutral[0], Operand::ofI64(-1), tangent(e, operation.neutral[0])};
  operation.op = firstExtreme(e, op, types);
  keepValue(e, operation.op, op);
  const ValueId position = program_.add("first", program_.type(before));
  const ValueId result = program_.add("t", whole);
  know(stm.results[0], result);
  e.append({{stm.results[0], position, result}, std::move(node), false, stm.span});
}

}  // namespace halo::ad
