// (1) Workgroups go over the elements, each invocation with bins of its own:
//
//   bins[bin * copies + copy]     copies = invocations: neighbours use different banks of memory,
//                                 whatever the bins are
//
// so skewed data cost no more than others. The more bins, the smaller the workgroups; where only a
// few invocations have room, others do it better (hist_claims.h). (2) The copies are combined in
// pairs. (3) One workgroup for each bin combines all workgroups' values, and the destination.
//
// Which element goes to which invocation, and the order of all combinations, depend on extents and
// on the memory of the device only (language.md#semantics).
#include "gpu/templates/hist/hist_lanes.h"

#include "gpu/templates/hist/hist_groups.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class LaneKernels : private GroupHist {
 public:
  LaneKernels(Program& program, Builder& host, const KernelCall& call,
              const OrderedHistSchedule& schedule)
      : GroupHist(program, host, call, "own" + std::to_string(schedule.workgroup)),
        schedule_(schedule) {}

  bool run() {
    const int64_t together = schedule_.elements;
    Operand groups = groupsFor(host_, width_, schedule_.workgroup * together * 2);
    allocatePartial(host_.max(host_.min(groups, i64(schedule_.parts)), i64(1)));
    count(together);
    merge();
    return supported_;
  }

 private:
  void count(int64_t together) {
    KernelScope scope(program_, host_, call_, kernelName("count"));
    Builder& code = scope.code();
    std::vector<BufferId> own = shared(scope, schedule_.workgroup * schedule_.bins);
    Operand lid = scope.localId();
    Operand bins = scope.scalar(bins_), copies = i64(schedule_.workgroup);
    Operands nothing = neutral(scope);
    eachOf(code, lid, schedule_.workgroup, code.mul(bins, copies),
           [&](const Operand& at) { store(code, own, at, nothing); });
    code.append(Barrier{});
    forEachElement(scope, schedule_.workgroup, together, [&](const std::vector<Update>& all) {
      for (const Update& one : all) apply(scope, own, lid, one);
    });
    code.append(Barrier{});
    combineCopies(scope, own, lid, bins);
    eachOf(code, lid, schedule_.workgroup, bins, [&](const Operand& bin) {
      storePartial(scope, bin, load(code, own, code.mul(bin, copies)));
    });
    launch(scope, schedule_.workgroup, groups_);
  }

  void apply(KernelScope& scope, const std::vector<BufferId>& own, const Operand& lid,
             const Update& one) {
    Builder& code = scope.code();
    code.ifThenElse(one.counts, [&] {
      Operand at = code.add(code.mul(one.bin, i64(schedule_.workgroup)), lid);
      store(code, own, at, combined(scope, load(code, own, at), one.values));
    });
  }

  // Copy 0 of each bin := all its copies, by halves.
  void combineCopies(KernelScope& scope, const std::vector<BufferId>& own, const Operand& lid,
                     const Operand& bins) {
    Builder& code = scope.code();
    for (int64_t d = schedule_.workgroup / 2; d >= 1; d /= 2) {
      eachOf(code, lid, schedule_.workgroup, code.mul(bins, i64(d)), [&](const Operand& item) {
        Operand bin = code.prim(Op::kMachineDiv, ScalarType::kI64, {item, i64(d)});
        Operand copy = code.prim(Op::kAnd, ScalarType::kI64, {item, i64(d - 1)});
        Operand at = code.add(code.mul(bin, i64(schedule_.workgroup)), copy);
        Operands far = load(code, own, code.add(at, i64(d)));
        store(code, own, at, combined(scope, load(code, own, at), far));
      });
      code.append(Barrier{});
    }
  }

  OrderedHistSchedule schedule_;
};

}  // namespace

TemplateResult emitLaneHist(Program& program, Builder& host, const KernelCall& call,
                            const OrderedHistSchedule& schedule) {
  return {{}, LaneKernels(program, host, call, schedule).run()};
}

}  // namespace halo::gpu
