#include "gpu/templates/hist/hist_row_atomics.h"

#include "gpu/plan/nodes/atomic_hist.h"
#include "gpu/templates/hist/hist_atomic.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

RowAtomics::RowAtomics(Program& program, Builder& host, const KernelCall& call)
    : program_(program),
      host_(host),
      call_(call),
      hist_(std::get<core::Hist>(lastStatement(call).expr)) {
  if (call.variants.allows("atomics") && handsRowsOn(call.core, hist_)) find();
}

void RowAtomics::find() {
  size_t result = 0;
  for (const core::HistOp& node : hist_.operations) {
    auto op = rowOperator(call_.core, node.op);
    auto known = op ? atomicOperator(call_.core, *op->element) : std::nullopt;
    const ArrayRef& destination = call_.results[result];
    if (!known || node.destinations.size() != 1 || !destination.dense) return;
    all_.push_back({&node, atomicOp(*known), destination, i64(1)});
    result++;
  }
  possible_ = true;
}

TemplateResult RowAtomics::run() {
  call_.variants.say(call_.function.name + ": histogram, atomic operations on rows");
  Operand longest = i64(1);
  for (Counted& counted : all_) {
    const Operands& shape = counted.destination.shape;
    for (size_t d = static_cast<size_t>(counted.node->index_rank); d < shape.size(); d++) {
      counted.row = host_.mul(counted.row, shape[d]);
    }
    longest = host_.max(longest, counted.row);
  }
  KernelScope scope(program_, host_, call_, call_.function.name + "_atomics");
  Operands space = {operandOf(call_.arguments, hist_.width), longest};
  Grid grid = forEachCell(scope, space, [&](const Operands& at, const Place& place) {
    update(scope, place, at[0], at[1]);
  });
  scope.launch(grid.workgroup, grid.groups);
  return {{}, !scope.unsupported()};
}

void RowAtomics::update(KernelScope& scope, const Place& place, const Operand& i,
                        const Operand& column) {
  Builder& code = scope.code();
  Environment environment = scope.environment();
  lowerPrefix(scope, environment, place);
  Results values = mapElement(scope, hist_.inputs, hist_.map, environment, place, i);
  size_t next = 0;
  for (const Counted& counted : all_) {
    ArrayRef target = scope.array(counted.destination);
    Operands indices;
    for (int d = 0; d < counted.node->index_rank; d++) indices.push_back(values.scalars[next++]);
    Operand row = scope.scalar(counted.row);
    Operand has = code.prim(Op::kLt, ScalarType::kI64, {column, row});
    has = code.prim(Op::kAnd, ScalarType::kBool, {has, isInside(code, indices, target)});
    const size_t value = next++;
    code.ifThenElse(has, [&] {
      const ArrayRef& whole = values.arrays[value];
      Operand element = whole.shape.empty()
                            ? values.scalars[value]
                            : loadElement(code, whole, indicesOf(code, column, whole.shape));
      Operand cell = code.add(code.mul(positionOf(code, indices, target.shape), row), column);
      code.append(Atomic{counted.op, target.buffer, code.add(target.offset, cell), element});
    });
  }
}

}  // namespace halo::gpu
