// Scans by reduce-then-scan (GPU.md 5a): (1) each tile is reduced, (2) one workgroup scans the
// tiles' sums, (3) each tile is scanned again from its prefix. The map is computed twice; results
// passed through are stored by the third launch.
#include "gpu/templates/tree.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kPerInvocation = 16;  // consecutive elements of one invocation
constexpr int64_t kTile = kGroup * kPerInvocation;
const int kWorkgroup[3] = {kGroup, 1, 1};

class ScanTemplate {
 public:
  ScanTemplate(Program& program, Builder& host, const KernelCall& call)
      : program_(program),
        host_(host),
        call_(call),
        screma_(std::get<core::Screma>(lastStatement(call).expr)) {
    for (const core::Scan& scan : screma_.scans) arity_ += scan.neutral.size();
  }

  TemplateResult run() {
    width_ = operandOf(call_.arguments, screma_.width);
    tiles_ = groupsFor(host_, width_, kTile);
    for (size_t k = 0; k < arity_; k++) {
      ScalarType type = call_.core.type(screma_.map.body.results[k]).scalar;
      sums_.push_back(host_.alloc("tile_sums", type, Space::kDevice, tiles_));
    }
    tileSums();
    spine();
    tileScans();
    for (BufferId sum : sums_) host_.append(Free{sum});
    return {{}, supported_};
  }

 private:
  using Vars = std::vector<std::vector<VarId>>;

  std::vector<Combiner> combiners(KernelScope& scope) {
    std::vector<Combiner> all;
    for (const core::Scan& scan : screma_.scans) all.emplace_back(scope, scan.op, scan.neutral);
    return all;
  }
  static Vars declareAll(std::vector<Combiner>& ops, const std::string& name) {
    Vars vars;
    for (Combiner& op : ops) vars.push_back(op.declareNeutral(name));
    return vars;
  }

  // For each of the invocation's elements i: acc := op(acc, map(i)), then `after`.
  void walk(KernelScope& scope, std::vector<Combiner>& ops, const Vars& acc,
            const std::function<void(const Operand& i, const Results&, Place)>& after) {
    Builder& code = scope.code();
    Operand tile = scope.groupId();
    Operand lid = scope.localId();
    Operand start = code.add(code.mul(tile, Operand::ofI64(kTile)),
                             code.mul(lid, Operand::ofI64(kPerInvocation)));
    code.forLoop("t", Operand::ofI64(0), Operand::ofI64(kPerInvocation), [&](const Operand& t) {
      Operand i = code.add(start, t);
      Operand inside = code.prim(Op::kLt, ScalarType::kI64, {i, scope.scalar(width_)});
      code.ifThenElse(inside, [&] {
        Environment environment = scope.environment();
        Place place = scope.place(width_, [i] { return i; });
        lowerPrefix(scope, environment, place);
        for (size_t k = 0; k < screma_.inputs.size(); k++) {
          ArrayRef input = environment.arrays.at(screma_.inputs[k]);
          bindElement(code, call_.core, environment, screma_.map.params[k], input, {i});
        }
        const core::Body& body = screma_.map.body;
        Destinations destinations(body.results.size());
        for (size_t k = arity_; k < body.results.size(); k++) {
          if (call_.core.type(body.results[k]).isScalar()) continue;
          destinations[k] = prefixView(code, scope.array(call_.results[k]), {i});
        }
        Results values = lowerBody(code, call_.core, body, environment, place, destinations);
        size_t next = 0;
        for (size_t s = 0; s < ops.size(); s++) {
          Operands right(values.scalars.begin() + static_cast<long>(next),
                         values.scalars.begin() + static_cast<long>(next + ops[s].arity()));
          ops[s].combineInto(acc[s], asOperands(acc[s]), right);
          next += ops[s].arity();
        }
        if (after) after(i, values, place);
      });
    });
  }

  void tileSums() {
    KernelScope scope(program_, host_, call_, call_.function.name + "_sums");
    Builder& code = scope.code();
    std::vector<Combiner> ops = combiners(scope);
    Vars acc = declareAll(ops, "acc");
    walk(scope, ops, acc, {});
    Operand lid = scope.localId();
    for (size_t s = 0; s < ops.size(); s++) {
      ops[s].storeShared(lid, acc[s]);
      ops[s].reduceShared(lid);
    }
    Operand leader = code.prim(Op::kEq, ScalarType::kI64, {lid, Operand::ofI64(0)});
    code.ifThenElse(leader, [&] {
      size_t next = 0;
      for (Combiner& op : ops) {
        for (const Operand& value : op.loadShared(Operand::ofI64(0))) {
          code.store(scope.buffer(sums_[next++]), scope.groupId(), value);
        }
      }
    });
    finish(scope, tiles_);
  }

  // sums[t] := combination of sums[0..t-1], 256 tiles at a time.
  void spine() {
    KernelScope scope(program_, host_, call_, call_.function.name + "_spine");
    Builder& code = scope.code();
    std::vector<Combiner> ops = combiners(scope);
    Operand lid = scope.localId();
    Operand tiles = scope.scalar(tiles_);
    Operand rounds = scope.scalar(groupsFor(host_, tiles_, kGroup));
    Vars carry = declareAll(ops, "carry");
    code.forLoop("b", Operand::ofI64(0), rounds, [&](const Operand& b) {
      Operand i = code.add(code.mul(b, Operand::ofI64(kGroup)), lid);
      Operand inside = code.prim(Op::kLt, ScalarType::kI64, {i, tiles});
      size_t base = 0;
      for (size_t s = 0; s < ops.size(); s++) {
        Combiner& op = ops[s];
        std::vector<VarId> mine = op.declareNeutral("mine");
        code.ifThenElse(inside, [&] { assignAll(code, mine, loadSums(scope, base, op, i)); });
        op.storeShared(lid, mine);
        op.scanShared(lid);
        exclusive(scope, op, lid, mine);
        std::vector<VarId> prefix = op.declareNeutral("prefix");
        op.combineInto(prefix, asOperands(carry[s]), asOperands(mine));
        code.ifThenElse(inside, [&] {
          for (size_t k = 0; k < op.arity(); k++) {
            code.store(scope.buffer(sums_[base + k]), i, prefix[k]);
          }
        });
        op.combineInto(carry[s], asOperands(carry[s]), op.loadShared(Operand::ofI64(kGroup - 1)));
        code.append(Barrier{});
        base += op.arity();
      }
    });
    finish(scope, Operand::ofI64(1));
  }

  Operands loadSums(KernelScope& scope, size_t base, const Combiner& op, const Operand& at) {
    Operands values;
    for (size_t k = 0; k < op.arity(); k++) {
      values.push_back(scope.code().load(scope.buffer(sums_[base + k]), at));
    }
    return values;
  }

  // vars := the scanned value of the invocation before this one, neutral for the first.
  static void exclusive(KernelScope& scope, Combiner& op, const Operand& lid,
                        const std::vector<VarId>& vars) {
    Builder& code = scope.code();
    Operand first = code.prim(Op::kEq, ScalarType::kI64, {lid, Operand::ofI64(0)});
    code.ifThenElse(
        first, [&] { assignAll(code, vars, op.neutral()); },
        [&] { assignAll(code, vars, op.loadShared(code.sub(lid, Operand::ofI64(1)))); });
  }

  void tileScans() {
    KernelScope scope(program_, host_, call_, call_.function.name);
    Builder& code = scope.code();
    std::vector<Combiner> ops = combiners(scope);
    Vars acc = declareAll(ops, "acc");
    walk(scope, ops, acc, {});
    Operand lid = scope.localId();
    Operand tile = scope.groupId();
    size_t base = 0;
    for (size_t s = 0; s < ops.size(); s++) {
      ops[s].storeShared(lid, acc[s]);
      ops[s].scanShared(lid);
      std::vector<VarId> before = ops[s].declareNeutral("before");
      exclusive(scope, ops[s], lid, before);
      ops[s].combineInto(acc[s], loadSums(scope, base, ops[s], tile), asOperands(before));
      base += ops[s].arity();
    }
    walk(scope, ops, acc, [&](const Operand& i, const Results& values, const Place&) {
      size_t next = 0;
      for (const std::vector<VarId>& scan : acc) {
        for (VarId var : scan) storeElement(code, scope.array(call_.results[next++]), {i}, var);
      }
      const core::Body& body = screma_.map.body;
      for (size_t k = arity_; k < body.results.size(); k++) {
        if (!call_.core.type(body.results[k]).isScalar()) continue;
        storeElement(code, scope.array(call_.results[k]), {i}, values.scalars[k]);
      }
    });
    finish(scope, tiles_);
  }

  void finish(KernelScope& scope, const Operand& groups) {
    scope.launch(kWorkgroup, {groups, Operand::ofI64(1), Operand::ofI64(1)});
    supported_ = supported_ && !scope.unsupported();
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const core::Screma& screma_;
  size_t arity_ = 0;
  Operand width_, tiles_;  // host
  std::vector<BufferId> sums_;
  bool supported_ = true;
};

}  // namespace

TemplateResult emitScan(Program& program, Builder& host, const KernelCall& call) {
  return ScanTemplate(program, host, call).run();
}

}  // namespace halo::gpu
