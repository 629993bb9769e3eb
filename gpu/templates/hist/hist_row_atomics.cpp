#include "gpu/templates/hist/hist_row_atomics.h"

#include "gpu/plan/nodes/atomic_hist.h"
#include "gpu/plan/nodes/row_operator.h"
#include "gpu/templates/hist/hist_atomic.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class RowAtomics {
 public:
  RowAtomics(Program& program, Builder& host, const KernelCall& call)
      : program_(program),
        host_(host),
        call_(call),
        hist_(std::get<core::Hist>(lastStatement(call).expr)) {
    for (const core::HistOp& node : hist_.operations) {
      const auto op = rowOperator(call_.core, node.op);
      const auto known = atomicOperator(call_.core, *op->element);
      all_.push_back({&node, atomicOp(*known), call_.results[all_.size()], i64(1)});
    }
  }

  TemplateResult run();

 private:
  struct Counted {
    const core::HistOp* node;
    AtomicOp op;
    ArrayRef destination;  // host
    Operand row;           // host; elements of a row
  };
  void update(KernelScope& scope, const LoweringTarget& place, const Operand& i,
              const Operand& column);

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const core::Hist& hist_;
  std::vector<Counted> all_;
};

TemplateResult RowAtomics::run() {
  Operand longest = i64(1);
  for (Counted& counted : all_) {
    const Operands& shape = counted.destination.shape;
    for (size_t d = static_cast<size_t>(counted.node->index_rank); d < shape.size(); ++d) {
      counted.row = host_.mul(counted.row, shape[d]);
    }
    longest = host_.max(longest, counted.row);
  }
  KernelScope scope(program_, host_, call_, call_.function.name + "_atomics");
  Operands space = {operandOf(call_.arguments, hist_.width), longest};
  Grid grid = forEachCell(scope, space, [&](const Operands& at, const LoweringTarget& place) {
    update(scope, place, at[0], at[1]);
  });
  scope.launch(grid.workgroup, grid.groups);
  return {{}, !scope.unsupported()};
}

void RowAtomics::update(KernelScope& scope, const LoweringTarget& place, const Operand& i,
                        const Operand& column) {
  Builder& code = scope.code();
  Environment environment = scope.environment();
  lowerPrefix(scope, environment, place);
  Results values = mapElement(scope, hist_.inputs, hist_.map, environment, place, i);
  size_t next = 0;
  for (const Counted& counted : all_) {
    ArrayRef target = scope.array(counted.destination);
    Operands indices;
    for (int d = 0; d < counted.node->index_rank; ++d) indices.push_back(values.scalars[next++]);
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

}  // namespace

TemplateResult emitRowAtomicHist(Program& program, Builder& host, const KernelCall& call) {
  return RowAtomics(program, host, call).run();
}

}  // namespace halo::gpu
