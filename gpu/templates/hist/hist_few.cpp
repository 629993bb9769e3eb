// One launch of one workgroup: an invocation for each element compares its bin with all others. The
// first element of a bin combines them all and adds them to the destination.
#include "gpu/templates/hist/hist_few.h"

#include "gpu/templates/hist/hist_groups.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class FewHist : private GroupHist {
 public:
  FewHist(Program& program, Builder& host, const KernelCall& call, int64_t most)
      : GroupHist(program, host, call, "few"), most_(most) {}
  TemplateResult run();

 private:
  int64_t most_;  // elements
};

TemplateResult FewHist::run() {
  KernelScope scope(program_, host_, call_, kernelName("count"));
  Builder& code = scope.code();
  Operand lid = scope.localId(), width = scope.scalar(width_);
  LoweringTarget target = scope.place(width_, [lid] { return lid; });
  Environment environment = scope.environment();
  lowerPrefix(scope, environment, target);
  Operand exists = code.prim(Op::kLt, ScalarType::kI64, {lid, width});
  Operand i = code.min(lid, code.sub(width, i64(1)));
  Update own = update(scope, environment, target, i, exists);
  BufferId bins = scope.shared("bins_of", ScalarType::kI64, most_);
  std::vector<BufferId> values = shared(scope, most_);
  Operand bin = code.let("bin", ScalarType::kI64, Select{own.counts, own.bin, i64(-1)});
  code.store(bins, lid, bin);
  store(code, values, lid, own.values);
  code.append(Barrier{});
  VarId is_first = code.declare("is_first", ScalarType::kBool, own.counts);
  std::vector<VarId> sum;
  for (size_t k = 0; k < own.values.size(); ++k) {
    sum.push_back(code.declare("sum", call_.results[k].type, own.values[k]));
  }
  code.forLoop("other", i64(0), width, [&](const Operand& other) {
    Operand same = code.prim(Op::kEq, ScalarType::kI64, {code.load(bins, other), bin});
    code.ifThenElse(same, [&] {
      Operand is_before = code.prim(Op::kLt, ScalarType::kI64, {other, lid});
      code.ifThenElse(is_before, [&] { code.assign(is_first, prim::Scalar::ofBool(false)); });
      code.ifThenElse(code.prim(Op::kGt, ScalarType::kI64, {other, lid}), [&] {
        Operands so_far(sum.begin(), sum.end());
        Operands all = combined(scope, so_far, load(code, values, other));
        for (size_t k = 0; k < sum.size(); ++k) code.assign(sum[k], all[k]);
      });
    });
  });
  code.ifThenElse(is_first,
                  [&] { addToDestination(scope, bin, Operands(sum.begin(), sum.end())); });
  launch(scope, most_, groupsFor(host_, width_, most_));
  return {{}, supported_};
}

}  // namespace

TemplateResult emitFewHist(Program& program, Builder& host, const KernelCall& call,
                           const OrderedHistSchedule& schedule) {
  return FewHist(program, host, call, schedule.workgroup).run();
}

}  // namespace halo::gpu
