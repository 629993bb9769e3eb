// Host code binds the inputs at symbolic indices; their offsets and strides then say what they
// depend on.
#include "gpu/templates/product/product_inputs.h"

#include <algorithm>

#include "gpu/templates/kernel/straight.h"

namespace halo::gpu {

using namespace imp;

namespace {

using Along = ProductInputs::Along;

bool depends(const ArrayRef& array, const std::unordered_set<VarId>& on) {
  auto isOn = [&](const Operand& operand) {
    return !operand.isConstant() && on.contains(operand.var);
  };
  return isOn(array.offset) || std::any_of(array.strides.begin(), array.strides.end(), isOn);
}

// Offset and strides.
Operands placesOf(const ArrayRef& array) {
  Operands places = array.strides;
  places.push_back(array.offset);
  return places;
}

// One variable for each level around.
Operands symbolicIndices(const ReduceNest& nest) {
  const VarId row = nest.program.addVar("i", ScalarType::kI64);
  const VarId column = nest.program.addVar("j", ScalarType::kI64);
  Operands indices;
  for (size_t k = 0; k + 2 < nest.outer.extents().size(); ++k) {
    indices.push_back(nest.program.addVar("batch", ScalarType::kI64));
  }
  indices.push_back(row);
  indices.push_back(column);
  return indices;
}

std::optional<ProductInputs> classified(const ReduceNest& nest) {
  const Operands indices = symbolicIndices(nest);
  Environment environment = nest.call.arguments;
  LoweringTarget target;
  bool allocates = false;
  target.allocate = [&](Builder& builder, const std::string& name, ScalarType type,
                        const Operands& shape) {
    allocates = true;
    BufferId none = builder.buffer(name, type, Space::kDevice);
    return denseArray(builder, none, i64(0), type, shape);
  };
  Block block =
      nest.host.capture([&] { nest.outer.bind(nest.host, environment, target, indices); });
  if (allocates || !isStraightLine(block)) return std::nullopt;
  ProductInputs inputs;
  Operands places;
  for (core::ValueId input : nest.screma.inputs) {
    const Operands of_input = placesOf(environment.arrays.at(input));
    places.insert(places.end(), of_input.begin(), of_input.end());
  }
  inputs.is_affine = isAffine(computing(block, places), indices);
  const auto of_row = dependents(block, indices[indices.size() - 2].var);
  const auto of_column = dependents(block, indices.back().var);
  for (core::ValueId input : nest.screma.inputs) {
    const ArrayRef& array = environment.arrays.at(input);
    if (array.isVirtual() || array.rank() != 1) return std::nullopt;
    const bool has_row = depends(array, of_row), has_column = depends(array, of_column);
    if (has_row && has_column) return std::nullopt;
    inputs.along.push_back(has_row ? Along::kRows : has_column ? Along::kColumns : Along::kNeither);
    inputs.is_contiguous.push_back(array.strides[0] == i64(1));
  }
  return inputs;
}

}  // namespace

std::optional<ProductInputs> productInputs(const ReduceNest& nest) {
  std::optional<ProductInputs> inputs;
  nest.host.capture([&] { inputs = classified(nest); });
  if (!inputs) return inputs;
  auto has = [&](Along along) {
    return std::find(inputs->along.begin(), inputs->along.end(), along) != inputs->along.end();
  };
  if (!has(Along::kRows) || !has(Along::kColumns)) return std::nullopt;
  return inputs;
}

std::optional<Lines> linesOf(const ReduceNest& nest, const ProductInputs& inputs, size_t input,
                             int64_t bytes) {
  const size_t rank = nest.outer.extents().size();
  // Values of rows, columns and cells stay out of host code.
  auto at = [&](const Operands& indices) {
    Environment environment = nest.call.arguments;
    const Block bound = nest.host.capture(
        [&] { nest.outer.bind(nest.host, environment, LoweringTarget{}, indices); });
    ArrayRef array = environment.arrays.at(nest.screma.inputs[input]);
    for (Stm& stm : computing(bound, placesOf(array))) nest.host.append(std::move(stm.node));
    return array;
  };
  const size_t line = inputs.along[input] == Along::kRows ? rank - 2 : rank - 1;
  return linesOf(nest.host, at, rank, line, bytes);
}

}  // namespace halo::gpu
