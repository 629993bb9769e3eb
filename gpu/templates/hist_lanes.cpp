// (1) Workgroups go over the elements, each invocation with bins of its own:
//
//   bins[bin * copies + copy]     copies = invocations: neighbours use different banks of memory,
//                                 whatever the bins are
//
// so skewed data cost no more than others. The more bins, the smaller the workgroups, down to
// single invocations. (2) The copies are combined in pairs. (3) One workgroup for each bin combines
// what all workgroups have, and the destination.
//
// Which element goes to which invocation, and the order of all combinations, depend on extents and
// on the memory of the device only (LANGUAGE.md B.3).
#include "gpu/templates/hist_lanes.h"

#include <algorithm>

#include "gpu/templates/shared_memory.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kReserved = 1024;  // bytes of shared memory for all else
constexpr int64_t kMerging = 256;    // invocations that combine a bin of all workgroups
constexpr int64_t kMostGroups = 1024;
constexpr size_t kShortMap = 8;   // statements of a map, for many elements at a time
constexpr size_t kMostCode = 40;  // statements of the map or the operator

// A kernel for up to so many bins. Fewer bins let more invocations work at a time.
struct Tier {
  int64_t group;  // invocations
  int64_t bins;
};

std::vector<Tier> tiersFor(const Variants& variants, int64_t bytes) {
  int64_t slots = (usualSharedBytes(variants) - kReserved) / bytes;
  std::vector<Tier> tiers;
  for (int64_t group : {256, 64, 32, 16, 8, 4, 1}) {
    if (slots >= group) tiers.push_back({group, slots / group});
  }
  return tiers;
}

bool isStraight(const core::Body& body) {
  return body.stms.size() <= kMostCode &&
         std::all_of(body.stms.begin(), body.stms.end(), [](const core::Stm& stm) {
           return std::holds_alternative<core::Literal>(stm.expr) ||
                  std::holds_alternative<core::PrimOp>(stm.expr) ||
                  std::holds_alternative<core::Convert>(stm.expr) ||
                  std::holds_alternative<core::Select>(stm.expr) ||
                  (std::holds_alternative<core::Index>(stm.expr) && !stm.checked);
         });
}

class LaneKernels {
 public:
  LaneKernels(Program& program, Builder& host, const KernelCall& call, const core::Hist& hist,
              const Operand& bins, const Tier& tier)
      : program_(program),
        host_(host),
        call_(call),
        hist_(hist),
        node_(hist.operations[0]),
        bins_(bins),
        tier_(tier),
        width_(operandOf(call.arguments, hist.width)) {}

  bool run() {
    together_ = hist_.map.body.stms.size() <= kShortMap ? 16 : 4;
    groups_ = groupsFor(host_, width_, tier_.group * together_ * 2);
    groups_ = host_.max(host_.min(groups_, i64(kMostGroups)), i64(1));
    for (const ArrayRef& result : call_.results) {
      partial_.push_back(
          host_.alloc("partial", result.type, Space::kDevice, host_.mul(bins_, groups_)));
    }
    count();
    merge();
    for (BufferId buffer : partial_) host_.append(Free{buffer});
    return supported_;
  }

 private:
  std::string kernelName(const char* what) {
    return call_.function.name + "_own_" + what + std::to_string(tier_.group);
  }

  // op(left, right)
  Operands combined(KernelScope& scope, const Operands& left, const Operands& right) {
    Environment environment = scope.environment();
    size_t arity = left.size();
    for (size_t k = 0; k < arity; k++) {
      environment.scalars[node_.op.params[k]] = left[k];
      environment.scalars[node_.op.params[arity + k]] = right[k];
    }
    Place place = scope.place(i64(1), [] { return i64(0); });
    return lowerBody(scope.code(), call_.core, node_.op.body, environment, place).scalars;
  }
  static Operands load(Builder& code, const std::vector<BufferId>& buffers, const Operand& at) {
    Operands values;
    for (BufferId buffer : buffers) values.push_back(code.load(buffer, at));
    return values;
  }
  static void store(Builder& code, const std::vector<BufferId>& buffers, const Operand& at,
                    const Operands& values) {
    for (size_t k = 0; k < buffers.size(); k++) code.store(buffers[k], at, values[k]);
  }
  std::vector<BufferId> shared(KernelScope& scope, int64_t elements) {
    std::vector<BufferId> buffers;
    for (const ArrayRef& result : call_.results) {
      buffers.push_back(scope.shared("bins", result.type, elements));
    }
    return buffers;
  }
  Operands neutral(KernelScope& scope) {
    Operands values;
    for (const core::Operand& value : node_.neutral) {
      values.push_back(operandOf(scope.environment(), value));
    }
    return values;
  }

  // lid, lid + size, .. below `count`.
  static void eachOf(Builder& code, const Operand& lid, int64_t size, const Operand& count,
                     const std::function<void(const Operand&)>& visit) {
    Operand left = code.max(code.sub(count, lid), i64(0));
    code.forLoop("k", i64(0), divideUp(code, left, i64(size)),
                 [&](const Operand& k) { visit(code.add(lid, code.mul(k, i64(size)))); });
  }

  void count() {
    KernelScope scope(program_, host_, call_, kernelName("count"));
    Builder& code = scope.code();
    std::vector<BufferId> own = shared(scope, tier_.group * tier_.bins);
    Operand lid = scope.localId();
    Operand bins = scope.scalar(bins_), copies = i64(tier_.group);
    Operands nothing = neutral(scope);
    eachOf(code, lid, tier_.group, code.mul(bins, copies),
           [&](const Operand& at) { store(code, own, at, nothing); });
    code.append(Barrier{});
    countElements(scope, own, lid);
    code.append(Barrier{});
    combineCopies(scope, own, lid, bins);
    Operand group = scope.groupId(), groups = scope.scalar(groups_);
    eachOf(code, lid, tier_.group, bins, [&](const Operand& bin) {
      Operands total = load(code, own, code.mul(bin, copies));
      Operand row = code.mul(bin, groups);
      for (size_t k = 0; k < partial_.size(); k++) {
        code.store(scope.buffer(partial_[k]), code.add(row, group), total[k]);
      }
    });
    launch(scope, tier_.group, groups_);
  }
  void launch(KernelScope& scope, int64_t group, const Operand& groups) {
    const int workgroup[3] = {static_cast<int>(group), 1, 1};
    scope.launch(workgroup, {groups, i64(1), i64(1)});
    supported_ = supported_ && !scope.unsupported();
  }

  // What the map says of an element.
  struct Update {
    Operand counts, bin;
    Operands values;
  };
  Update update(KernelScope& scope, const Environment& known, const Place& place, const Operand& i,
                const Operand& exists) {
    Builder& code = scope.code();
    Environment environment = known;
    Results values = mapElement(scope, hist_.inputs, hist_.map, environment, place, i);
    ArrayRef target = scope.array(call_.results[0]);
    auto rank = static_cast<std::ptrdiff_t>(node_.index_rank);
    Operands indices(values.scalars.begin(), values.scalars.begin() + rank);
    Update result;
    Operand inside = isInside(code, indices, target);
    result.counts = code.prim(Op::kAnd, ScalarType::kBool, {exists, inside});
    result.bin = positionOf(code, indices, target.shape);
    result.values = Operands(values.scalars.begin() + rank, values.scalars.end());
    return result;
  }

  // Some elements at a time, all of them looked at before the first is counted.
  void countElements(KernelScope& scope, const std::vector<BufferId>& own, const Operand& lid) {
    Builder& code = scope.code();
    Operand first = code.add(code.mul(scope.groupId(), i64(tier_.group)), lid);
    Operand stride = code.mul(scope.scalar(groups_), i64(tier_.group));
    Operand width = scope.scalar(width_);
    Operand last = code.sub(width, i64(1));
    Operand rounds = divideUp(code, width, code.mul(stride, i64(together_)));
    Place place = scope.place(width_, [first] { return first; });
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    code.forLoop("round", i64(0), rounds, [&](const Operand& round) {
      std::vector<Update> all;
      for (int64_t t = 0; t < together_; t++) {
        Operand turn = code.add(code.mul(round, i64(together_)), i64(t));
        Operand i = code.add(first, code.mul(turn, stride));
        Operand exists = code.prim(Op::kLt, ScalarType::kI64, {i, width});
        all.push_back(update(scope, environment, place, code.min(i, last), exists));
      }
      for (const Update& one : all) apply(scope, own, lid, one);
    });
  }
  void apply(KernelScope& scope, const std::vector<BufferId>& own, const Operand& lid,
             const Update& one) {
    Builder& code = scope.code();
    code.ifThenElse(one.counts, [&] {
      Operand at = code.add(code.mul(one.bin, i64(tier_.group)), lid);
      store(code, own, at, combined(scope, load(code, own, at), one.values));
    });
  }

  // Copy 0 of each bin := all its copies, by halves.
  void combineCopies(KernelScope& scope, const std::vector<BufferId>& own, const Operand& lid,
                     const Operand& bins) {
    Builder& code = scope.code();
    for (int64_t d = tier_.group / 2; d >= 1; d /= 2) {
      eachOf(code, lid, tier_.group, code.mul(bins, i64(d)), [&](const Operand& item) {
        Operand bin = code.prim(Op::kMachineDiv, ScalarType::kI64, {item, i64(d)});
        Operand copy = code.prim(Op::kAnd, ScalarType::kI64, {item, i64(d - 1)});
        Operand at = code.add(code.mul(bin, i64(tier_.group)), copy);
        Operands far = load(code, own, code.add(at, i64(d)));
        store(code, own, at, combined(scope, load(code, own, at), far));
      });
      code.append(Barrier{});
    }
  }

  // One workgroup for each bin: the destination := op(destination, all partial ones).
  void merge() {
    KernelScope scope(program_, host_, call_, kernelName("merge"));
    Builder& code = scope.code();
    Operand lid = scope.localId(), bin = scope.groupId();
    Operand groups = scope.scalar(groups_);
    Operand row = code.mul(bin, groups);
    std::vector<BufferId> parts = shared(scope, kMerging), partial;
    for (BufferId buffer : partial_) partial.push_back(scope.buffer(buffer));
    store(code, parts, lid, neutral(scope));
    eachOf(code, lid, kMerging, groups, [&](const Operand& group) {
      Operands more = load(code, partial, code.add(row, group));
      store(code, parts, lid, combined(scope, load(code, parts, lid), more));
    });
    code.append(Barrier{});
    for (int64_t d = kMerging / 2; d >= 1; d /= 2) {
      Operand takes = code.prim(Op::kLt, ScalarType::kI64, {lid, i64(d)});
      code.ifThenElse(takes, [&] {
        Operands far = load(code, parts, code.add(lid, i64(d)));
        store(code, parts, lid, combined(scope, load(code, parts, lid), far));
      });
      code.append(Barrier{});
    }
    code.ifThenElse(code.prim(Op::kEq, ScalarType::kI64, {lid, i64(0)}), [&] {
      std::vector<ArrayRef> targets;
      Operands old;
      ArrayRef first = scope.array(call_.results[0]);
      Operands indices = indicesOf(code, bin, first.shape);
      for (const ArrayRef& result : call_.results) {
        targets.push_back(scope.array(result));
        old.push_back(loadElement(code, targets.back(), indices));
      }
      Operands total = combined(scope, old, load(code, parts, i64(0)));
      for (size_t k = 0; k < targets.size(); k++) storeElement(code, targets[k], indices, total[k]);
    });
    launch(scope, kMerging, bins_);
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const core::Hist& hist_;
  const core::HistOp& node_;
  Operand bins_;  // host, like those below
  Tier tier_;
  Operand width_, groups_;
  int64_t together_ = 4;           // elements of an invocation
  std::vector<BufferId> partial_;  // [bins][groups]
  bool supported_ = true;
};

}  // namespace

LaneHist::LaneHist(Program& program, Builder& host, const KernelCall& call)
    : program_(program),
      host_(host),
      call_(call),
      hist_(std::get<core::Hist>(lastStatement(call).expr)),
      bins_(i64(1)) {
  const core::HistOp& node = hist_.operations[0];
  bool scalars = std::all_of(node.op.params.begin(), node.op.params.end(),
                             [&](core::ValueId it) { return call.core.type(it).isScalar(); });
  possible_ = scalars && hist_.operations.size() == 1 && isStraight(hist_.map.body) &&
              isStraight(node.op.body) && call.variants.most_invocations >= kMerging;
  if (!possible_) return;
  for (int d = 0; d < node.index_rank; d++) {
    bins_ = host_.mul(bins_, call.results[0].shape[static_cast<size_t>(d)]);
  }
  for (const ArrayRef& result : call.results) {
    bytes_ += std::max(prim::byteSize(result.type), 4);
  }
}

Operand LaneHist::fits() {
  int64_t most = tiersFor(call_.variants, bytes_).back().bins;
  return host_.prim(Op::kLe, ScalarType::kI64, {bins_, i64(most)});
}

TemplateResult LaneHist::run() {
  call_.variants.say(call_.function.name + ": histogram, bins of each invocation");
  bool supported = true;
  std::vector<Tier> tiers = tiersFor(call_.variants, bytes_);
  // The first that has room.
  std::function<void(size_t)> choose = [&](size_t which) {
    const Tier& tier = tiers[which];
    auto take = [&] {
      supported = LaneKernels(program_, host_, call_, hist_, bins_, tier).run() && supported;
    };
    if (which + 1 == tiers.size()) return take();
    int64_t most = tier.bins;
    if (!bins_.isConstant()) {
      Operand fits = host_.prim(Op::kLe, ScalarType::kI64, {bins_, i64(most)});
      return host_.ifThenElse(fits, take, [&] { choose(which + 1); });
    }
    return bins_.constant.asSigned() <= most ? take() : choose(which + 1);
  };
  choose(0);
  return {{}, supported};
}

}  // namespace halo::gpu
