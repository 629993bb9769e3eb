// Few bins: each workgroup counts in shared memory and adds what it has to the destination at the
// end. Many: all count in the destination itself.
#include "gpu/templates/hist_atomic.h"

#include "gpu/plan/atomic_hist.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kThreads = 256;
constexpr int64_t kTogether = 4;       // elements of an invocation whose loads are under way
constexpr int64_t kMostGroups = 1024;  // workgroups with bins of their own
constexpr int64_t kReserved = 512;     // bytes of shared memory that others may use

AtomicOp atomicOp(Op op) {
  switch (op) {
    case Op::kMin:
      return AtomicOp::kMin;
    case Op::kMax:
      return AtomicOp::kMax;
    case Op::kAnd:
      return AtomicOp::kAnd;
    case Op::kOr:
      return AtomicOp::kOr;
    case Op::kXor:
      return AtomicOp::kXor;
    default:
      return AtomicOp::kAdd;
  }
}

// What changes nothing.
prim::Scalar identity(Op op, ScalarType type) {
  bool is_signed = type == ScalarType::kI32;
  if (op == Op::kAnd) return prim::Scalar::ofUnsigned(type, 0xffffffffu);
  if (op == Op::kMin) return prim::Scalar::ofUnsigned(type, is_signed ? 0x7fffffffu : 0xffffffffu);
  if (op == Op::kMax && is_signed) return prim::Scalar::ofUnsigned(type, 0x80000000u);
  return prim::zero(type);
}

struct Counted {
  const core::HistOp* node;
  Op op;
  ArrayRef destination;  // host
  Operand bins;          // host
};

class AtomicHist {
 public:
  AtomicHist(Program& program, Builder& host, const KernelCall& call)
      : program_(program),
        host_(host),
        call_(call),
        hist_(std::get<core::Hist>(lastStatement(call).expr)) {
    for (size_t k = 0; k < hist_.operations.size(); k++) {
      const core::HistOp& node = hist_.operations[k];
      Counted counted{&node, *atomicOperator(call.core, node), call.results[k], i64(1)};
      for (int d = 0; d < node.index_rank; d++) {
        counted.bins = host_.mul(counted.bins, counted.destination.shape[static_cast<size_t>(d)]);
      }
      counted_.push_back(counted);
    }
    width_ = operandOf(call.arguments, hist_.width);
    int64_t room = (call.variants.shared_bytes - kReserved) / 4;
    slots_ = room / static_cast<int64_t>(counted_.size()) / 256 * 256;
  }

  TemplateResult run() {
    if (slots_ == 0) {
      inMemory();
      return {{}, supported_};
    }
    Operand few = Operand(prim::Scalar::ofBool(true));
    for (const Counted& counted : counted_) {
      Operand fits = host_.prim(Op::kLe, ScalarType::kI64, {counted.bins, i64(slots_)});
      // Bins that are rarely met are not worth a copy in every workgroup.
      Operand used = host_.prim(Op::kLe, ScalarType::kI64, {counted.bins, width_});
      Operand both = host_.prim(Op::kAnd, ScalarType::kBool, {fits, used});
      few = few.isConstant() ? both : host_.prim(Op::kAnd, ScalarType::kBool, {few, both});
    }
    host_.ifThenElse(
        few, [&] { inShared(); }, [&] { inMemory(); });
    return {{}, supported_};
  }

 private:
  // What the map says of element i: for each operation whether its bin exists, which, and what.
  struct Update {
    Operand inside, bin, value;
  };
  std::vector<Update> updates(KernelScope& scope, const Environment& known, const Place& place,
                              const Operand& i) {
    Builder& code = scope.code();
    Environment environment = known;
    for (size_t k = 0; k < hist_.inputs.size(); k++) {
      ArrayRef input = environment.arrays.at(hist_.inputs[k]);
      bindElement(code, call_.core, environment, hist_.map.params[k], input, {i});
    }
    Results values = lowerBody(code, call_.core, hist_.map.body, environment, place);
    std::vector<Update> all;
    size_t next = 0;
    for (const Counted& counted : counted_) {
      ArrayRef target = scope.array(counted.destination);
      Operands indices;
      for (int d = 0; d < counted.node->index_rank; d++) indices.push_back(values.scalars[next++]);
      Operand inside = isInside(code, indices, target);
      Operand bin = i64(0);
      for (size_t d = 0; d < indices.size(); d++) {
        bin = code.add(code.mul(bin, target.shape[d]), indices[d]);
      }
      all.push_back({inside, bin, values.scalars[next++]});
    }
    return all;
  }

  // Straight to the destinations.
  void inMemory() {
    KernelScope scope(program_, host_, call_, call_.function.name);
    Builder& code = scope.code();
    Grid grid = forEachCell(scope, {width_}, [&](const Operands& at, const Place& place) {
      Environment environment = scope.environment();
      lowerPrefix(scope, environment, place);
      std::vector<Update> all = updates(scope, environment, place, at[0]);
      for (size_t k = 0; k < counted_.size(); k++) {
        code.ifThenElse(all[k].inside, [&] { toMemory(scope, k, all[k].bin, all[k].value); });
      }
    });
    scope.launch(grid.workgroup, grid.groups);
    supported_ = supported_ && !scope.unsupported();
  }
  void toMemory(KernelScope& scope, size_t k, const Operand& bin, const Operand& value) {
    Builder& code = scope.code();
    ArrayRef target = scope.array(counted_[k].destination);
    Operand at = code.add(target.offset, bin);
    code.append(Atomic{atomicOp(counted_[k].op), target.buffer, at, value});
  }

  void inShared() {
    KernelScope scope(program_, host_, call_, call_.function.name + "_shared");
    Builder& code = scope.code();
    Operand host_groups = host_.max(
        host_.min(groupsFor(host_, width_, kThreads * kTogether * 4), i64(kMostGroups)), i64(1));
    std::vector<BufferId> own;
    Operand lid = scope.localId();
    for (const Counted& counted : counted_) {
      own.push_back(scope.shared("bins", counted.destination.type, slots_));
      eachBin(scope, counted, lid, [&](const Operand& bin) {
        code.store(own.back(), bin, identity(counted.op, counted.destination.type));
      });
    }
    code.append(Barrier{});
    countOwn(scope, own, lid, host_groups);
    code.append(Barrier{});
    for (size_t k = 0; k < counted_.size(); k++) {
      const Counted& counted = counted_[k];
      eachBin(scope, counted, lid, [&](const Operand& bin) {
        Operand value = code.load(own[k], bin);
        Operand counts = code.prim(Op::kNe, counted.destination.type,
                                   {value, identity(counted.op, counted.destination.type)});
        code.ifThenElse(counts, [&] { toMemory(scope, k, bin, value); });
      });
    }
    const int workgroup[3] = {static_cast<int>(kThreads), 1, 1};
    scope.launch(workgroup, {host_groups, i64(1), i64(1)});
    supported_ = supported_ && !scope.unsupported();
  }
  void eachBin(KernelScope& scope, const Counted& counted, const Operand& lid,
               const std::function<void(const Operand& bin)>& visit) {
    Builder& code = scope.code();
    Operand bins = scope.scalar(counted.bins);
    Operand left = code.max(code.sub(bins, lid), i64(0));
    Operand count = divideUp(code, left, i64(kThreads));
    code.forLoop("b", i64(0), count,
                 [&](const Operand& b) { visit(code.add(lid, code.mul(b, i64(kThreads)))); });
  }

  // Some elements at a time, all of them looked at before the first is counted.
  void countOwn(KernelScope& scope, const std::vector<BufferId>& own, const Operand& lid,
                const Operand& host_groups) {
    Builder& code = scope.code();
    Operand first = code.add(code.mul(scope.groupId(), i64(kThreads)), lid);
    Operand stride = code.mul(scope.scalar(host_groups), i64(kThreads));
    Operand width = scope.scalar(width_);
    Operand last = code.sub(width, i64(1));
    Operand left = code.max(code.sub(width, first), i64(0));
    Operand rounds = divideUp(code, left, code.mul(stride, i64(kTogether)));
    Place place = scope.place(width_, [first] { return first; });
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    code.forLoop("round", i64(0), rounds, [&](const Operand& round) {
      std::vector<std::vector<Update>> all;
      Operands exists;
      for (int64_t t = 0; t < kTogether; t++) {
        Operand turn = code.add(code.mul(round, i64(kTogether)), i64(t));
        Operand i = code.add(first, code.mul(turn, stride));
        exists.push_back(code.prim(Op::kLt, ScalarType::kI64, {i, width}));
        all.push_back(updates(scope, environment, place, code.min(i, last)));
      }
      for (size_t t = 0; t < all.size(); t++) {
        for (size_t k = 0; k < counted_.size(); k++) {
          const Update& update = all[t][k];
          Operand counts = code.prim(Op::kAnd, ScalarType::kBool, {exists[t], update.inside});
          code.ifThenElse(counts, [&] {
            code.append(Atomic{atomicOp(counted_[k].op), own[k], update.bin, update.value});
          });
        }
      }
    });
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const core::Hist& hist_;
  std::vector<Counted> counted_;
  Operand width_;  // host
  int64_t slots_ = 0;
  bool supported_ = true;
};

}  // namespace

bool isAtomic(const KernelCall& call) {
  const auto& hist = std::get<core::Hist>(lastStatement(call).expr);
  if (hist.operations.size() != call.results.size()) return false;
  for (size_t k = 0; k < hist.operations.size(); k++) {
    if (!atomicOperator(call.core, hist.operations[k]) || !call.results[k].dense) return false;
  }
  // A check that fails for an element that is looked at twice fails for it alone as well.
  return true;
}

TemplateResult emitAtomicHist(Program& program, Builder& host, const KernelCall& call) {
  return AtomicHist(program, host, call).run();
}

}  // namespace halo::gpu
