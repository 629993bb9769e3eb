// Flags are counted first. Each subgroup has a chunk of consecutive elements.
//
// (1) It counts its chunk's flags, each workgroup those of its subgroups together. (2) A workgroup
// adds up the counts of those before it, a subgroup also those before it in the workgroup. Then it
// goes over its chunk again and knows for each element how many flags there are before.
#include "gpu/templates/scan/compact.h"

#include <algorithm>

#include "gpu/templates/kernel/conditions.h"
#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/scan/compact_pass.h"
#include "gpu/templates/scan/compact_steps.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kCompactGroup = 256;  // invocations of a workgroup

// The common part of both kernels; extents are the host's.
struct CompactShape {
  const CompactionSchedule& schedule;
  Operand width, length, chunks;
  int64_t subgroups() const { return kCompactGroup / schedule.lanes; }
  int64_t step() const { return schedule.lanes * schedule.elements; }
};

CompactShape shapeFor(Builder& host, const ScanScatter& scatter,
                      const CompactionSchedule& schedule) {
  CompactShape shape{schedule, {}, {}, {}};
  shape.width = operandOf(scatter.scanCall().arguments, scatter.screma().width);
  const int64_t of_round = schedule.workgroups * shape.subgroups() * shape.step();
  Operand steps = divideUp(host, shape.width, i64(of_round));
  shape.length = host.mul(host.max(steps, i64(1)), i64(shape.step()));
  shape.chunks = host.max(divideUp(host, shape.width, shape.length), i64(1));
  return shape;
}

// One of the two kernels.
class CompactKernel {
 public:
  CompactKernel(Program& program, Builder& host, ScanScatter& scatter, const CompactShape& shape,
                const char* name)
      : host_(host),
        scatter_(scatter),
        shape_(shape),
        scope_(program, host, scatter.scanCall(), scatter.scanCall().function.name + name),
        code_(scope_.code()),
        steps_(scope_, scatter, {shape.schedule.lanes, shape.schedule.elements, shape.width}) {}

  // counts[chunk], together[workgroup] of each scan.
  struct Buffers {
    std::vector<BufferId> counts, together;
  };

  bool count(const Buffers& to) {
    openChunk(scope_.groupId());
    for (size_t s = 0; s < steps_.scans(); ++s) {
      counted_.push_back(code_.declare("count", ScalarType::kU32, u32(0)));
    }
    forEachStep([&](const Operand&, bool) {
      for (size_t s = 0; s < steps_.scans(); ++s) {
        Operand sum = counted_[s];
        for (const Operand& holds : steps_.holds(s)) {
          sum = code_.let("sum", ScalarType::kU32, Select{holds, add(sum, u32(1)), sum});
        }
        code_.assign(counted_[s], sum);
      }
    });
    for (size_t s = 0; s < steps_.scans(); ++s) {
      Operand own = steps_.sumOfLanes(counted_[s]);
      code_.ifThenElse(isFirstLane(), [&] {
        code_.ifThenElse(exists_, [&] { code_.store(scope_.buffer(to.counts[s]), chunk_, own); });
      });
      Operand all = sumOfSubgroups(own);
      Operand is_first = isEqual(code_, code_.add(subgroup_, lane_), i64(0));
      code_.ifThenElse(is_first, [&] { code_.store(scope_.buffer(to.together[s]), group_, all); });
    }
    return launch();
  }

  // The last elements first: those are in the caches still.
  bool move(const Buffers& from) {
    Operand groups = scope_.scalar(divideUp(host_, shape_.chunks, i64(shape_.subgroups())));
    openChunk(code_.sub(code_.sub(groups, i64(1)), scope_.groupId()));
    Operands totals;
    for (size_t s = 0; s < steps_.scans(); ++s) {
      const GroupSums sums = sumsOfGroups(scope_.buffer(from.together[s]), groups);
      const Operand before = countsBefore(scope_.buffer(from.counts[s]), sums.before);
      before_.push_back(code_.declare("before", ScalarType::kI64, before));
      if (!scatter_.takesTotals()) continue;
      totals.push_back(convertedCount(code_, ScalarType::kI64, steps_.typeOf(s), sums.all));
    }
    scatter_.setTotals(std::move(totals));
    forEachStep([&](const Operand& first, bool is_whole) { moveStep(first, is_whole); });
    Operand is_last = isEqual(code_, chunk_, code_.sub(scope_.scalar(shape_.chunks), i64(1)));
    code_.ifThenElse(is_last, [&] {
      code_.ifThenElse(isFirstLane(), [&] {
        Operands totals;
        for (size_t s = 0; s < steps_.scans(); ++s) {
          totals.push_back(convertedCount(code_, ScalarType::kI64, steps_.typeOf(s), before_[s]));
        }
        scatter_.storeLast(scope_, totals);
      });
    });
    return launch();
  }

 private:
  Operand add(const Operand& a, const Operand& b) {
    return code_.prim(Op::kAdd, ScalarType::kU32, {a, b});
  }
  Operand isFirstLane() { return isEqual(code_, lane_, i64(0)); }

  bool launch() {
    const int workgroup[3] = {static_cast<int>(kCompactGroup), 1, 1};
    Operand groups = divideUp(host_, shape_.chunks, i64(shape_.subgroups()));
    scope_.launch(workgroup, {groups, i64(1), i64(1)});
    return !scope_.unsupported();
  }

  // ---- where a chunk is

  void openChunk(const Operand& group) {
    lane_ = scope_.builtIn(BuiltIn::kLane, shape_.schedule.lanes);
    subgroup_ = scope_.builtIn(BuiltIn::kSubgroup, shape_.subgroups());
    // Bounds that hold anyway show that comparisons need no more than 32 bits (raise.h, narrow).
    group_ = within(group, i64(shape_.schedule.workgroups));
    chunk_ = code_.add(code_.mul(group_, i64(shape_.subgroups())), subgroup_);
    exists_ = isLess(code_, chunk_, scope_.scalar(shape_.chunks));
    Operand width = scope_.scalar(shape_.width), length = scope_.scalar(shape_.length);
    begin_ = within(code_.mul(chunk_, length), width);
    end_ = code_.min(code_.add(begin_, length), width);
    steps_.open(lane_, end_);
  }
  Operand within(const Operand& value, const Operand& most) {
    return code_.max(code_.min(value, most), i64(0));
  }

  // `use` gets this lane's first element of a step, and whether all of the step exist.
  using Use = std::function<void(const Operand& first, bool is_whole)>;
  void forEachStep(const Use& use) {
    Operand length = code_.max(code_.sub(end_, begin_), i64(0));
    Operand whole = code_.prim(Op::kMachineDiv, ScalarType::kI64, {length, i64(shape_.step())});
    auto take = [&](const Operand& step, bool is_whole) {
      Operand first = code_.add(begin_, code_.add(code_.mul(step, i64(shape_.step())), lane_));
      steps_.take(first, is_whole);
      use(first, is_whole);
    };
    code_.forLoop("step", i64(0), whole, [&](const Operand& step) { take(step, true); });
    Operand has_rest = isLess(code_, code_.mul(whole, i64(shape_.step())), length);
    code_.ifThenElse(has_rest, [&] { take(whole, false); });
  }

  // ---- adding up

  Operand sumOfSubgroups(const Operand& own) {
    BufferId parts = scope_.shared("parts", ScalarType::kU32, shape_.subgroups());
    code_.ifThenElse(isFirstLane(), [&] { code_.store(parts, subgroup_, own); });
    code_.append(Barrier{});
    Operand all = u32(0);
    for (int64_t g = 0; g < shape_.subgroups(); ++g) all = add(all, code_.load(parts, i64(g)));
    return all;
  }

  // How many flags the workgroups before this one have; and all of them, if the scatter asks.
  struct GroupSums {
    Operand before, all;
  };
  GroupSums sumsOfGroups(BufferId together, const Operand& groups) {
    const Operand lid = code_.add(code_.mul(subgroup_, i64(shape_.schedule.lanes)), lane_);
    const VarId before = code_.declare("sum", ScalarType::kI64, i64(0));
    const VarId all = code_.declare("all", ScalarType::kI64, i64(0));
    const bool wants_all = scatter_.takesTotals();
    const Operand most = wants_all ? groups : group_;
    const auto addFrom = [&](int64_t k) {
      const Operand group = code_.add(lid, i64(k));
      const Operand count = countIf(together, group, isLess(code_, group, most));
      Operand earlier = count;
      if (wants_all) {
        const Operand is_before = isLess(code_, group, group_);
        earlier = code_.let("earlier", ScalarType::kI64, Select{is_before, count, i64(0)});
      }
      code_.assign(before, code_.add(before, earlier));
      if (wants_all) code_.assign(all, code_.add(all, count));
    };
    addFrom(0);
    // Independent reads where there are many groups; most launches have fewer.
    code_.ifThenElse(isLess(code_, i64(kCompactGroup), most), [&] {
      for (int64_t k = kCompactGroup; k < shape_.schedule.workgroups; k += kCompactGroup) {
        addFrom(k);
      }
    });
    return {sumOfInvocations(before, "earlier"), wants_all ? sumOfInvocations(all, "all") : i64(0)};
  }
  Operand sumOfInvocations(Operand sum, const char* name) {
    BufferId parts = scope_.shared(name, ScalarType::kI64, shape_.subgroups());
    for (int64_t d = 1; d < shape_.schedule.lanes; d *= 2) {
      Operand far = u32(static_cast<uint32_t>(d));
      sum = code_.add(sum, shuffled(code_, ScalarType::kI64, ShuffleKind::kXor, sum, far));
    }
    code_.ifThenElse(isFirstLane(), [&] { code_.store(parts, subgroup_, sum); });
    code_.append(Barrier{});
    Operand all = i64(0);
    for (int64_t g = 0; g < shape_.subgroups(); ++g) {
      all = code_.add(all, code_.load(parts, i64(g)));
    }
    return all;
  }
  // How many flags there are before the chunk, from those before its workgroup.
  Operand countsBefore(BufferId counts, Operand before) {
    Operand first = code_.mul(group_, i64(shape_.subgroups()));
    for (int64_t g = 0; g + 1 < shape_.subgroups(); ++g) {
      Operand counted = isLess(code_, i64(g), subgroup_);
      before = code_.add(before, countIf(counts, code_.add(first, i64(g)), counted));
    }
    return before;
  }
  Operand countIf(BufferId counts, const Operand& which, const Operand& condition) {
    Operand at = code_.let("at", ScalarType::kI64, Select{condition, which, i64(0)});
    Operand raw = widened(code_, code_.load(counts, at));
    return code_.let("count", ScalarType::kI64, Select{condition, raw, i64(0)});
  }

  // Leaves in before_ the counts before the next step.
  void moveStep(const Operand& first, bool is_whole) {
    std::vector<CompactSteps::Ranks> all;
    for (size_t s = 0; s < steps_.scans(); ++s) {
      all.push_back(steps_.rank(steps_.flagWords(s)));
      const Operand before = within(before_[s], scope_.scalar(shape_.width));
      code_.assign(before_[s], steps_.run(all.back(), before));
    }
    steps_.move(first, is_whole, all);
  }

  Builder& host_;
  ScanScatter& scatter_;
  const CompactShape& shape_;
  KernelScope scope_;
  Builder& code_;
  CompactSteps steps_;
  Operand lane_, subgroup_, group_, chunk_, exists_;
  Operand begin_, end_;         // of the chunk
  std::vector<VarId> counted_;  // u32
  std::vector<VarId> before_;   // i64
};

}  // namespace

TemplateResult emitCompaction(Program& program, Builder& host, ScanScatter& scatter,
                              const CompactionSchedule& schedule) {
  if (schedule.carry == CompactionSchedule::Carry::kLookback) {
    return emitCompactionPass(program, host, scatter, schedule);
  }
  const CompactShape shape = shapeFor(host, scatter, schedule);
  CompactKernel::Buffers buffers;
  for (size_t s = 0; s < scatter.screma().scans.size(); ++s) {
    auto allocate = [&](const char* name, const Operand& elements) {
      return host.alloc(name, ScalarType::kU32, Space::kDevice, elements);
    };
    buffers.counts.push_back(allocate("counts", shape.chunks));
    buffers.together.push_back(allocate("together", i64(schedule.workgroups)));
  }
  bool supported = CompactKernel(program, host, scatter, shape, "_count").count(buffers);
  // Kernels behind a failure do nothing, so that elements that are moved have passed all checks.
  scatter.trustChecks();
  supported = CompactKernel(program, host, scatter, shape, "_move").move(buffers) && supported;
  for (BufferId buffer : buffers.counts) host.append(Free{buffer});
  for (BufferId buffer : buffers.together) host.append(Free{buffer});
  return {{}, supported};
}

}  // namespace halo::gpu
