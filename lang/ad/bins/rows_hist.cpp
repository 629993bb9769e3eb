#include "lang/ad/bins/rows_hist.h"

#include <algorithm>

#include "lang/passes/nests/interchange.h"

namespace halo::ad {

namespace {

std::vector<ValueId> elementIndices(Emitter& out, const std::vector<ValueId>& indices,
                                    const Operand& total, const Operand& columns) {
  const Operand some = out.op(Op::kMax, ScalarType::kI64, columns, kOne);
  return out.map(total, {out.iota(total)}, [&](Emitter& at, const Operands& cell) {
    const Operand row = at.op(Op::kQuot, ScalarType::kI64, cell[0], some);
    Operands place;
    for (const ValueId index : indices) place.push_back(at.index(index, {row}));
    place.push_back(at.op(Op::kRem, ScalarType::kI64, cell[0], some));
    return place;
  });
}

// The elements of a neutral row are all alike; without columns nothing is combined.
Operand firstOf(Emitter& out, ValueId row, const Operand& columns) {
  const Type element = rowOf(out.type(row));
  return out.branch(
      out.compare(Op::kLt, kZero, columns), {element},
      [&](Emitter& yes) -> Operands { return {yes.index(row, {kZero})}; },
      [&](Emitter& no) -> Operands { return {no.zero(element)}; })[0];
}

}  // namespace

std::optional<core::Hist> byElement(Emitter& out, const core::Hist& node) {
  Program& program = out.program();
  const core::HistOp& operation = node.operations[0];
  const auto rank = static_cast<size_t>(operation.index_rank);
  const std::vector<ValueId> indices(node.inputs.begin(),
                                     node.inputs.begin() + operation.index_rank);
  const std::vector<ValueId> values(node.inputs.begin() + operation.index_rank, node.inputs.end());
  const bool has_rows = std::all_of(values.begin(), values.end(),
                                    [&](ValueId value) { return program.type(value).rank() > 1; });
  if (!has_rows) return std::nullopt;
  auto op = passes::elementOperator(program, operation.op);
  if (!op) return std::nullopt;
  const Operand columns = program.type(values[0]).shape[1];
  const Operand total = out.mul(node.width, columns);
  core::Hist made;
  made.width = total;
  made.inputs = elementIndices(out, indices, total, columns);
  std::vector<Type> types(rank + 1, Type{});
  core::HistOp one{operation};
  one.index_rank = operation.index_rank + 1;
  one.op = std::move(*op);
  for (size_t k = 0; k < values.size(); ++k) {
    const Type element = rowOf(program.type(values[k]), 2);
    made.inputs.push_back(out.reshaped(values[k], arrayOf({total}, element).shape));
    types.push_back(element);
    one.neutral[k] = firstOf(out, operation.neutral[k].value, columns);
  }
  made.map = out.identity(types);
  made.operations.push_back(std::move(one));
  return made;
}

}  // namespace halo::ad
