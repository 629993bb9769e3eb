// Reductions in two launches: every workgroup reduces a contiguous chunk, one workgroup the
// partial results. How elements are spread depends on the width alone, so the bits do too.
#include "gpu/templates/tree.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kMaxGroups = 1024;
constexpr int64_t kPerInvocation = 8;  // at least, before another workgroup is worth it
const int kWorkgroup[3] = {kGroup, 1, 1};

// Operators that may take elements in any order: neighbouring invocations then read neighbouring
// elements. For all others an invocation owns consecutive ones.
bool commutes(const core::Screma& screma) {
  for (const core::Reduction& reduction : screma.reductions) {
    if (reduction.commutative) continue;
    const core::Body& body = reduction.op.body;
    const core::PrimOp* prim =
        body.stms.size() == 1 ? std::get_if<core::PrimOp>(&body.stms[0].expr) : nullptr;
    bool known =
        prim != nullptr && (prim->op == Op::kAdd || prim->op == Op::kMul || prim->op == Op::kMin ||
                            prim->op == Op::kMax || prim->op == Op::kAnd || prim->op == Op::kOr ||
                            prim->op == Op::kXor);
    if (!known) return false;
  }
  return true;
}

class Reduce {
 public:
  Reduce(Program& program, Builder& host, const KernelCall& call)
      : program_(program),
        host_(host),
        call_(call),
        screma_(std::get<core::Screma>(lastStatement(call).expr)) {
    for (const core::Reduction& reduction : screma_.reductions) arity_ += reduction.neutral.size();
  }

  TemplateResult run() {
    width_ = operandOf(call_.arguments, screma_.width);
    Operand wanted = groupsFor(host_, width_, kGroup * kPerInvocation);
    groups_ = host_.max(host_.min(wanted, Operand::ofI64(kMaxGroups)), Operand::ofI64(1));
    Operand all = host_.mul(groups_, Operand::ofI64(kGroup));
    Operand rounded = host_.add(width_, host_.sub(all, Operand::ofI64(1)));
    per_ = host_.prim(Op::kMachineDiv, ScalarType::kI64, {rounded, all});
    for (size_t k = 0; k < arity_; k++) {
      ScalarType type = call_.core.type(screma_.map.body.results[k]).scalar;
      partials_.push_back(host_.alloc("partials", type, Space::kDevice, groups_));
      BufferId result = host_.alloc("reduced", type, Space::kDevice, Operand::ofI64(1));
      result_.scalars.push_back({static_cast<int>(k), result});
    }
    chunks();
    finish();
    for (BufferId partial : partials_) host_.append(Free{partial});
    return std::move(result_);
  }

 private:
  std::vector<Combiner> combiners(KernelScope& scope) {
    std::vector<Combiner> all;
    for (const core::Reduction& reduction : screma_.reductions) {
      all.emplace_back(scope, reduction.op, reduction.neutral);
    }
    return all;
  }

  void chunks() {
    KernelScope scope(program_, host_, call_, call_.function.name);
    Builder& code = scope.code();
    std::vector<Combiner> ops = combiners(scope);
    Operand lid = scope.localId();
    Operand group = scope.groupId();
    Operand per = scope.scalar(per_);
    Operand first = code.mul(group, code.mul(per, Operand::ofI64(kGroup)));
    std::vector<std::vector<VarId>> sums;
    for (Combiner& op : ops) sums.push_back(op.declareNeutral("acc"));
    bool strided = commutes(screma_);
    Operand start = strided ? code.add(first, lid) : code.add(first, code.mul(lid, per));
    code.forLoop("t", Operand::ofI64(0), per, [&](const Operand& t) {
      Operand i = code.add(start, strided ? code.mul(t, Operand::ofI64(kGroup)) : t);
      Operand inside = code.prim(Op::kLt, ScalarType::kI64, {i, scope.scalar(width_)});
      code.ifThenElse(inside, [&] { element(scope, ops, sums, i); });
    });
    for (size_t r = 0; r < ops.size(); r++) {
      ops[r].storeShared(lid, sums[r]);
      ops[r].reduceShared(lid);
    }
    storeFirst(scope, ops, lid, partials_, group);
    scope.launch(kWorkgroup, {groups_, Operand::ofI64(1), Operand::ofI64(1)});
    result_.supported = result_.supported && !scope.unsupported();
  }

  // acc := op(acc, map(inputs[i])); results passed through are stored.
  void element(KernelScope& scope, std::vector<Combiner>& ops,
               const std::vector<std::vector<VarId>>& sums, const Operand& i) {
    Environment environment = scope.environment();
    Place place = scope.place(width_, [i] { return i; });
    lowerPrefix(scope, environment, place);
    for (size_t k = 0; k < screma_.inputs.size(); k++) {
      ArrayRef input = environment.arrays.at(screma_.inputs[k]);
      bindElement(scope.code(), call_.core, environment, screma_.map.params[k], input, {i});
    }
    core::Body body = screma_.map.body;
    Destinations destinations(body.results.size());
    for (size_t k = arity_; k < body.results.size(); k++) {
      if (call_.core.type(body.results[k]).isScalar()) continue;
      destinations[k] = prefixView(scope.code(), scope.array(call_.results[k]), {i});
    }
    Results values = lowerBody(scope.code(), call_.core, body, environment, place, destinations);
    size_t next = 0;
    for (size_t r = 0; r < ops.size(); r++) {
      Operands right(values.scalars.begin() + static_cast<long>(next),
                     values.scalars.begin() + static_cast<long>(next + ops[r].arity()));
      ops[r].combineInto(sums[r], asOperands(sums[r]), right);
      next += ops[r].arity();
    }
    for (size_t k = arity_; k < body.results.size(); k++) {
      if (!call_.core.type(body.results[k]).isScalar()) continue;
      storeElement(scope.code(), scope.array(call_.results[k]), {i}, values.scalars[k]);
    }
  }

  // Invocation 0 stores the reduced values at `at`.
  void storeFirst(KernelScope& scope, std::vector<Combiner>& ops, const Operand& lid,
                  const std::vector<BufferId>& targets, const Operand& at) {
    Builder& code = scope.code();
    Operand leader = code.prim(Op::kEq, ScalarType::kI64, {lid, Operand::ofI64(0)});
    code.ifThenElse(leader, [&] {
      size_t next = 0;
      for (Combiner& op : ops) {
        for (const Operand& value : op.loadShared(Operand::ofI64(0))) {
          code.store(scope.buffer(targets[next++]), at, value);
        }
      }
    });
  }

  void finish() {
    KernelScope scope(program_, host_, call_, call_.function.name + "_finish");
    Builder& code = scope.code();
    std::vector<Combiner> ops = combiners(scope);
    Operand lid = scope.localId();
    Operand count = scope.scalar(groups_);
    Operand per = scope.scalar(groupsFor(host_, groups_, kGroup));
    std::vector<std::vector<VarId>> sums;
    for (Combiner& op : ops) sums.push_back(op.declareNeutral("acc"));
    Operand start = code.mul(lid, per);
    code.forLoop("t", Operand::ofI64(0), per, [&](const Operand& t) {
      Operand i = code.add(start, t);
      Operand inside = code.prim(Op::kLt, ScalarType::kI64, {i, count});
      code.ifThenElse(inside, [&] {
        size_t next = 0;
        for (size_t r = 0; r < ops.size(); r++) {
          Operands right;
          for (size_t k = 0; k < ops[r].arity(); k++) {
            right.push_back(code.load(scope.buffer(partials_[next++]), i));
          }
          ops[r].combineInto(sums[r], asOperands(sums[r]), right);
        }
      });
    });
    for (size_t r = 0; r < ops.size(); r++) {
      ops[r].storeShared(lid, sums[r]);
      ops[r].reduceShared(lid);
    }
    std::vector<BufferId> targets;
    for (const ScalarResult& scalar : result_.scalars) targets.push_back(scalar.buffer);
    storeFirst(scope, ops, lid, targets, Operand::ofI64(0));
    scope.launch(kWorkgroup, {Operand::ofI64(1), Operand::ofI64(1), Operand::ofI64(1)});
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const core::Screma& screma_;
  size_t arity_ = 0;
  Operand width_, groups_, per_;  // host
  std::vector<BufferId> partials_;
  TemplateResult result_;
};

}  // namespace

TemplateResult emitReduce(Program& program, Builder& host, const KernelCall& call) {
  return Reduce(program, host, call).run();
}

}  // namespace halo::gpu
