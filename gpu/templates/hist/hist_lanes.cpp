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

#include <algorithm>

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kHistLanesReserved = 1024;  // bytes of shared memory for all else
constexpr int64_t kHistLanesMostGroups = 1024;
constexpr int64_t kLeastGroup = 64;       // smaller ones lose to hist_claims.h
constexpr size_t kHistLanesShortMap = 8;  // statements of a map, for many elements at a time

// A kernel for up to so many bins. Fewer bins let more invocations work at a time.
struct Tier {
  int64_t group;  // invocations
  int64_t bins;
};

std::vector<Tier> laneTiersFor(const Variants& variants, int64_t bytes) {
  int64_t slots = (usualSharedBytes(variants) - kHistLanesReserved) / bytes;
  std::vector<Tier> tiers;
  for (int64_t group : {256, 64, 32, 16, 8, 4, 1}) {
    bool is_wanted = group >= kLeastGroup || variants.forced == "lanes" || tiers.empty();
    if (slots >= group && is_wanted) tiers.push_back({group, slots / group});
  }
  return tiers;
}

class LaneKernels : private GroupHist {
 public:
  LaneKernels(Program& program, Builder& host, const KernelCall& call, const Operand& bins,
              const Tier& tier)
      : GroupHist(program, host, call, "own" + std::to_string(tier.group), bins), tier_(tier) {}

  bool run() {
    int64_t together = hist_.map.body.stms.size() <= kHistLanesShortMap ? 16 : 4;
    Operand groups = groupsFor(host_, width_, tier_.group * together * 2);
    allocatePartial(host_.max(host_.min(groups, i64(kHistLanesMostGroups)), i64(1)));
    count(together);
    merge();
    return supported_;
  }

 private:
  void count(int64_t together) {
    KernelScope scope(program_, host_, call_, kernelName("count"));
    Builder& code = scope.code();
    std::vector<BufferId> own = shared(scope, tier_.group * tier_.bins);
    Operand lid = scope.localId();
    Operand bins = scope.scalar(bins_), copies = i64(tier_.group);
    Operands nothing = neutral(scope);
    eachOf(code, lid, tier_.group, code.mul(bins, copies),
           [&](const Operand& at) { store(code, own, at, nothing); });
    code.append(Barrier{});
    forEachElement(scope, tier_.group, together, [&](const std::vector<Update>& all) {
      for (const Update& one : all) apply(scope, own, lid, one);
    });
    code.append(Barrier{});
    combineCopies(scope, own, lid, bins);
    eachOf(code, lid, tier_.group, bins, [&](const Operand& bin) {
      storePartial(scope, bin, load(code, own, code.mul(bin, copies)));
    });
    launch(scope, tier_.group, groups_);
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

  Tier tier_;
};

}  // namespace

LaneHist::LaneHist(Program& program, Builder& host, const KernelCall& call)
    : GroupHistWay(program, host, call, "lanes", "bins of each invocation") {}

std::vector<int64_t> LaneHist::rooms() const {
  std::vector<int64_t> rooms;
  for (const Tier& tier : laneTiersFor(call_.variants, bytes_)) rooms.push_back(tier.bins);
  return rooms;
}

bool LaneHist::runVersion(size_t which) {
  const Tier tier = laneTiersFor(call_.variants, bytes_)[which];
  return LaneKernels(program_, host_, call_, bins_, tier).run();
}

}  // namespace halo::gpu
