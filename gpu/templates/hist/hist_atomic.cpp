// Few bins: each workgroup counts in shared memory and adds its counts to the destination at the
// end. Very few bins have copies, so that neighbours do not meet. More: several workgroups read
// the same elements, each for a part of the bins. Many: all count in the destination itself, but
// frequent bins in shared memory. Each workgroup looks at some elements first and gives their bins
// a slot each (gpu.md#histograms).
#include "gpu/templates/hist/hist_atomic.h"

#include <algorithm>

#include "gpu/plan/nodes/atomic_hist.h"
#include "gpu/schedule/hist.h"
#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// The neutral element.
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
  AtomicHist(Program& program, Builder& host, const KernelCall& call,
             const AtomicHistSchedule& schedule)
      : program_(program),
        host_(host),
        call_(call),
        hist_(std::get<core::Hist>(lastStatement(call).expr)),
        schedule_(schedule),
        width_(operandOf(call.arguments, hist_.width)) {
    for (size_t k = 0; k < hist_.operations.size(); ++k) {
      const core::HistOp& node = hist_.operations[k];
      const Operand bins = elementCount(host, call.results[k].shape);
      counted_.push_back({&node, *memoryAtomicOperator(call.core, node), call.results[k], bins});
    }
  }

  TemplateResult run() {
    switch (schedule_.bins) {
      case Bins::kSlots:
        inSlots();
        break;
      case Bins::kShared:
      case Bins::kCopies:
        inShared(i64(1));
        break;
      case Bins::kParts:
        inShared(divideUp(host_, counted_[0].bins, i64(schedule_.capacity)));
        break;
      case Bins::kMemory:
      case Bins::kRows:
        inMemory();
    }
    return {{}, supported_};
  }

 private:
  using Bins = AtomicHistSchedule::Bins;

  // The map's result for element i: for each operation whether its bin exists, the bin, the value.
  struct Update {
    Operand inside, bin, value;
  };
  std::vector<Update> updates(KernelScope& scope, const Environment& known,
                              const LoweringTarget& place, const Operand& i) {
    Builder& code = scope.code();
    Environment environment = known;
    Results values = mapElement(scope, hist_.inputs, hist_.map, environment, place, i);
    std::vector<Update> all;
    size_t next = 0;
    for (const Counted& counted : counted_) {
      ArrayRef target = scope.array(counted.destination);
      Operands indices;
      for (int d = 0; d < counted.node->index_rank; ++d) indices.push_back(values.scalars[next++]);
      Operand inside = isInside(code, indices, target);
      Operand bin = positionOf(code, indices, target.shape);
      all.push_back({inside, bin, values.scalars[next++]});
    }
    return all;
  }

  // Straight to the destinations.
  void inMemory() {
    KernelScope scope(program_, host_, call_, call_.function.name);
    Builder& code = scope.code();
    Grid grid = forEachCell(scope, {width_}, [&](const Operands& at, const LoweringTarget& place) {
      Environment environment = scope.environment();
      lowerPrefix(scope, environment, place);
      std::vector<Update> all = updates(scope, environment, place, at[0]);
      for (size_t k = 0; k < counted_.size(); ++k) {
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
    if (target.type == ScalarType::kBool) return decide(code, counted_[k].op, target, at, value);
    const auto update = [&] {
      code.append(Atomic{atomicOp(counted_[k].op), target.buffer, at, value});
    };
    if (isOrdered(counted_[k])) {
      code.ifThenElse(improves(code, counted_[k].op, target, at, value), update);
    } else {
      update();
    }
  }
  // || of bools: the bin is true once any value is, so each such value may store it; && likewise.
  static void decide(Builder& code, Op op, const ArrayRef& target, const Operand& at,
                     const Operand& value) {
    const bool is_or = op == Op::kOr;
    const Operand decides = is_or ? value : code.prim(Op::kNot, ScalarType::kBool, {value});
    code.ifThenElse(decides, [&] { code.store(target.buffer, at, prim::Scalar::ofBool(is_or)); });
  }
  static bool isOrdered(const Counted& counted) {
    return (counted.op == Op::kMin || counted.op == Op::kMax) &&
           prim::byteSize(counted.destination.type) == 8;
  }
  // Bins only move one way: a value that loses to any earlier one of its bin has lost, so the load
  // may be old. Then it does not wait where many elements meet in a bin.
  static Operand improves(Builder& code, Op op, const ArrayRef& target, const Operand& at,
                          const Operand& value) {
    const Operand seen = code.load(target.buffer, at);
    return code.prim(op == Op::kMin ? Op::kLt : Op::kGt, target.type, {value, seen});
  }

  // `parts` (host): workgroups next to each other go over the same elements, each for its part.
  void inShared(const Operand& parts) {
    const Bins bins = schedule_.bins;
    const char* name = bins == Bins::kCopies   ? "_few"
                       : bins == Bins::kShared ? "_shared"
                                               : "_parts";
    KernelScope scope(program_, host_, call_, call_.function.name + name);
    Builder& code = scope.code();
    const int64_t step = schedule_.workgroup * schedule_.elements;
    Operand chunks =
        host_.max(host_.min(groupsFor(host_, width_, step * 4), i64(schedule_.workgroups)), i64(1));
    Operand part = i64(0), chunk = scope.groupId();
    if (bins == Bins::kParts) {
      part = code.prim(Op::kMachineRem, ScalarType::kI64, {chunk, scope.scalar(parts)});
      chunk = code.prim(Op::kMachineDiv, ScalarType::kI64, {chunk, scope.scalar(parts)});
    }
    std::vector<Own> own;
    lid_ = scope.localId();
    const int64_t copies = bins == Bins::kCopies ? kHistCopies : 1;
    for (const Counted& counted : counted_) own.push_back(ownBins(scope, counted, part, copies));
    code.append(Barrier{});
    const LoweringTarget place = ownPlace(scope, host_.mul(chunks, parts));
    forElements(scope, place, chunk, chunks, [&](const std::vector<Update>& all) {
      for (size_t k = 0; k < counted_.size(); ++k) countOwn(scope, own[k], k, all[k]);
    });
    code.append(Barrier{});
    for (size_t k = 0; k < counted_.size(); ++k) addToMemory(scope, own[k], k);
    launch(scope, host_.mul(chunks, parts));
  }
  void launch(KernelScope& scope, const Operand& groups) {
    const int workgroup[3] = {static_cast<int>(schedule_.workgroup), 1, 1};
    scope.launch(workgroup, {groups, i64(1), i64(1)});
    supported_ = supported_ && !scope.unsupported();
  }

  // A workgroup's bins first, .., first + count - 1 of an operation.
  struct Own {
    BufferId buffer;
    Operand first, count;
    int64_t copies;  // of each, a power of two
  };
  Own ownBins(KernelScope& scope, const Counted& counted, const Operand& part, int64_t copies) {
    Builder& code = scope.code();
    Own own;
    own.buffer = scope.shared("bins", counted.destination.type, schedule_.capacity);
    Operand bins = scope.scalar(counted.bins);
    own.first = code.mul(part, i64(schedule_.capacity));
    own.count = code.min(code.sub(bins, own.first), i64(schedule_.capacity));
    own.copies = copies;
    eachOf(code, code.mul(own.count, i64(copies)), [&](const Operand& slot) {
      code.store(own.buffer, slot, identity(counted.op, counted.destination.type));
    });
    return own;
  }
  // lid, lid + threads, .. below `count`.
  void eachOf(Builder& code, const Operand& count, const std::function<void(Operand)>& visit) {
    Operand left = code.max(code.sub(count, lid_), i64(0));
    code.forLoop(
        "b", i64(0), divideUp(code, left, i64(schedule_.workgroup)),
        [&](const Operand& b) { visit(code.add(lid_, code.mul(b, i64(schedule_.workgroup)))); });
  }

  void countOwn(KernelScope& scope, const Own& own, size_t k, const Update& update) {
    Builder& code = scope.code();
    Operand bin = code.sub(update.bin, own.first);
    Operand counts = update.inside;
    if (own.first != i64(0)) {
      Operand low = code.prim(Op::kGe, ScalarType::kI64, {bin, i64(0)});
      Operand high = code.prim(Op::kLt, ScalarType::kI64, {bin, own.count});
      Operand mine = code.prim(Op::kAnd, ScalarType::kBool, {low, high});
      // Of the only index, that says that it is inside, too.
      bool is_all = counted_[k].node->index_rank == 1;
      counts = is_all ? mine : code.prim(Op::kAnd, ScalarType::kBool, {counts, mine});
    }
    Operand slot = bin;
    if (own.copies > 1) {
      Operand copy = code.prim(Op::kAnd, ScalarType::kI64, {lid_, i64(own.copies - 1)});
      slot = code.add(code.mul(bin, i64(own.copies)), copy);
    }
    code.ifThenElse(counts, [&] {
      code.append(Atomic{atomicOp(counted_[k].op), own.buffer, slot, update.value});
    });
  }

  // Copies to the first of them, those to the destination.
  void addToMemory(KernelScope& scope, const Own& own, size_t k) {
    Builder& code = scope.code();
    const Counted& counted = counted_[k];
    if (own.copies > 1) {
      eachOf(code, code.mul(own.count, i64(own.copies)), [&](const Operand& slot) {
        Operand copy = code.prim(Op::kAnd, ScalarType::kI64, {slot, i64(own.copies - 1)});
        code.ifThenElse(code.prim(Op::kNe, ScalarType::kI64, {copy, i64(0)}), [&] {
          Operand value = code.load(own.buffer, slot);
          code.append(Atomic{atomicOp(counted.op), own.buffer, code.sub(slot, copy), value});
        });
      });
      code.append(Barrier{});
    }
    eachOf(code, own.count, [&](const Operand& bin) {
      Operand value = code.load(own.buffer, code.mul(bin, i64(own.copies)));
      addIfAny(scope, k, code.add(own.first, bin), value);
    });
  }
  void addIfAny(KernelScope& scope, size_t k, const Operand& bin, const Operand& value) {
    Builder& code = scope.code();
    const Counted& counted = counted_[k];
    Operand counts = code.prim(Op::kNe, counted.destination.type,
                               {value, identity(counted.op, counted.destination.type)});
    code.ifThenElse(counts, [&] { toMemory(scope, k, bin, value); });
  }

  // Memory of each invocation of so many workgroups (host).
  LoweringTarget ownPlace(KernelScope& scope, const Operand& groups) {
    Builder& code = scope.code();
    Operand number = code.add(code.mul(scope.groupId(), i64(schedule_.workgroup)), lid_);
    return scope.place(host_.mul(groups, i64(schedule_.workgroup)), [number] { return number; });
  }

  // Some elements of a chunk at a time, all of them read before the first is counted: every so many
  // th step of consecutive ones. All steps but the last have code without any test of
  // where the elements end.
  using Visit = std::function<void(const std::vector<Update>& all)>;
  void forElements(KernelScope& scope, const LoweringTarget& place, const Operand& chunk,
                   const Operand& host_chunks, const Visit& visit) {
    Builder& code = scope.code();
    const int64_t step = schedule_.workgroup * schedule_.elements;
    Operand width = scope.scalar(width_);
    Operand chunks = scope.scalar(host_chunks);
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    Operand whole = code.prim(Op::kMachineDiv, ScalarType::kI64, {width, i64(step)});
    Operand left = code.max(code.sub(whole, chunk), i64(0));
    code.forLoop("round", i64(0), divideUp(code, left, chunks), [&](const Operand& round) {
      Operand which = code.add(chunk, code.mul(round, chunks));
      Operand first = code.add(code.mul(which, i64(step)), lid_);
      std::vector<std::vector<Update>> all;
      for (int64_t t = 0; t < schedule_.elements; ++t) {
        Operand i = code.add(first, i64(t * schedule_.workgroup));
        all.push_back(updates(scope, environment, place, i));
      }
      for (const std::vector<Update>& one : all) visit(one);
    });
    Operand begin = code.mul(whole, i64(step));
    Operand turn = code.prim(Op::kMachineRem, ScalarType::kI64, {whole, chunks});
    Operand is_last = code.prim(Op::kEq, ScalarType::kI64, {chunk, turn});
    Operand rest =
        code.let("rest", ScalarType::kI64, Select{is_last, code.sub(width, begin), i64(0)});
    eachOf(code, rest, [&](const Operand& i) {
      visit(updates(scope, environment, place, code.add(begin, i)));
    });
  }

  // Bins that come up among the first elements of a workgroup have slots in shared memory: `tags`
  // says which. Of several for the same slot one has it; which one changes nothing.
  void inSlots() {
    KernelScope scope(program_, host_, call_, call_.function.name + "_slots");
    Builder& code = scope.code();
    lid_ = scope.localId();
    const Counted& counted = counted_[0];
    BufferId tags = scope.shared("tags", ScalarType::kU32, schedule_.capacity);
    BufferId values = scope.shared("values", counted.destination.type, schedule_.capacity);
    eachOf(code, i64(schedule_.capacity), [&](const Operand& slot) {
      code.store(tags, slot, u32(0xffffffffu));
      code.store(values, slot, identity(counted.op, counted.destination.type));
    });
    code.append(Barrier{});
    const LoweringTarget place = ownPlace(scope, i64(schedule_.workgroups));
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    Operand from = code.mul(scope.groupId(), i64(schedule_.workgroup * kHistSamples));
    for (int64_t k = 0; k < kHistSamples; ++k) {
      Operand i = code.add(from, code.add(lid_, i64(k * schedule_.workgroup)));
      Update seen = updates(scope, environment, place, i)[0];
      code.ifThenElse(seen.inside,
                      [&] { code.store(tags, slotOf(code, seen.bin), tagOf(code, seen.bin)); });
    }
    code.append(Barrier{});
    forElements(scope, place, scope.groupId(), i64(schedule_.workgroups),
                [&](const std::vector<Update>& all) { countInSlot(scope, tags, values, all[0]); });
    code.append(Barrier{});
    eachOf(code, i64(schedule_.capacity), [&](const Operand& slot) {
      Operand tag = code.load(tags, slot);
      Operand bin =
          code.let("bin", ScalarType::kI64,
                   Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, tag});
      addIfAny(scope, 0, bin, code.load(values, slot));
    });
    launch(scope, i64(schedule_.workgroups));
  }
  static Operand tagOf(Builder& code, const Operand& bin) {
    return code.let("tag", ScalarType::kU32,
                    Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32, bin});
  }
  Operand slotOf(Builder& code, const Operand& bin) {
    Operand high = code.prim(Op::kMachineLshr, ScalarType::kU32, {tagOf(code, bin), u32(11)});
    Operand mixed = code.prim(Op::kXor, ScalarType::kU32, {tagOf(code, bin), high});
    Operand slot = code.prim(Op::kAnd, ScalarType::kU32,
                             {mixed, u32(static_cast<uint32_t>(schedule_.capacity - 1))});
    return code.let("slot", ScalarType::kI64,
                    Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, slot});
  }
  void countInSlot(KernelScope& scope, BufferId tags, BufferId values, const Update& update) {
    Builder& code = scope.code();
    code.ifThenElse(update.inside, [&] {
      Operand slot = slotOf(code, update.bin);
      Operand has_slot =
          code.prim(Op::kEq, ScalarType::kU32, {code.load(tags, slot), tagOf(code, update.bin)});
      code.ifThenElse(
          has_slot,
          [&] {
            code.append(Atomic{atomicOp(counted_[0].op), values, slot, update.value});
          },
          [&] { toMemory(scope, 0, update.bin, update.value); });
    });
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const core::Hist& hist_;
  std::vector<Counted> counted_;
  AtomicHistSchedule schedule_;
  Operand width_;  // host
  Operand lid_;    // of the kernel at hand
  bool supported_ = true;
};

}  // namespace

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

TemplateResult emitAtomicHist(Program& program, Builder& host, const KernelCall& call,
                              const AtomicHistSchedule& schedule) {
  return AtomicHist(program, host, call, schedule).run();
}

}  // namespace halo::gpu
