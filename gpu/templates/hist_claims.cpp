// The elements that a workgroup looks at together have numbers. In rounds, all that are not counted
// yet put their numbers into a word of their bin, of which the smallest stays; the element whose
// number it is may count, the others try again:
//
//   bins      3 5 3 3 7        round 1: elements 0, 1, 4    round 2: element 2    round 3: 3
//
// There are as many rounds as elements in the most frequent bin, mostly few. Several bins may have
// a word together, which costs rounds and no more. So the order depends on the bins and on extents
// alone (LANGUAGE.md B.3), whoever comes first.
#include "gpu/templates/hist_claims.h"

#include <algorithm>

#include "gpu/templates/hist_groups.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kReserved = 1024;   // bytes of shared memory for all else
constexpr int64_t kMostWords = 1024;  // of claims; a power of two
constexpr int64_t kGroup = 64;        // invocations
constexpr int64_t kAtOnce = 4;        // elements of an invocation in a round
constexpr int64_t kTogether = 8;      // and under way
constexpr int64_t kMostGroups = 4096;
constexpr int64_t kMostPartial = int64_t{1} << 23;  // bins of all workgroups
constexpr uint32_t kUnclaimed = 0xffffffff;

// Kernels for up to so many bins. Fewer bins let more workgroups work at a time.
std::vector<int64_t> tiersFor(const Variants& variants, int64_t bytes) {
  int64_t most = (variants.shared_bytes - kReserved - kMostWords * 4) / bytes;
  std::vector<int64_t> tiers;
  for (int64_t bins : {256, 1024, 4096}) {
    if (bins < most) tiers.push_back(bins);
  }
  tiers.push_back(std::max<int64_t>(most, 1));
  return tiers;
}

class ClaimKernels : private GroupHist {
 public:
  ClaimKernels(Program& program, Builder& host, const KernelCall& call, const Operand& bins,
               int64_t most_bins)
      : GroupHist(program, host, call, "claims" + std::to_string(most_bins), bins),
        most_bins_(most_bins) {
    group_ = std::min(call.variants.number("claims", 0, kGroup), call.variants.most_invocations);
    at_once_ = std::min<int64_t>(call.variants.number("claims", 1, kAtOnce), kTogether);
    while (words_ < most_bins && words_ < kMostWords) words_ *= 2;
  }

  bool run() {
    Operand groups = groupsFor(host_, width_, group_ * kTogether * 2);
    Operand room = host_.prim(Op::kMachineDiv, ScalarType::kI64,
                              {i64(kMostPartial), host_.max(bins_, i64(1))});
    groups = host_.min(host_.min(groups, room), i64(kMostGroups));
    allocatePartial(host_.max(groups, i64(1)));
    count();
    merge();
    return supported_;
  }

 private:
  void count() {
    KernelScope scope(program_, host_, call_, kernelName("count"));
    Builder& code = scope.code();
    bins_here_ = shared(scope, most_bins_);
    claims_ = scope.shared("claims", ScalarType::kU32, words_);
    open_ = scope.shared("open", ScalarType::kU32, 1);
    Operand lid = scope.localId();
    Operand bins = scope.scalar(bins_);
    Operands nothing = neutral(scope);
    eachOf(code, lid, group_, bins,
           [&](const Operand& bin) { store(code, bins_here_, bin, nothing); });
    eachOf(code, lid, group_, i64(words_),
           [&](const Operand& word) { code.store(claims_, word, u32(kUnclaimed)); });
    Operand is_first = code.prim(Op::kEq, ScalarType::kI64, {lid, i64(0)});
    code.ifThenElse(is_first, [&] { code.store(open_, i64(0), u32(0)); });
    code.append(Barrier{});
    round_ = code.declare("rounds", ScalarType::kU32, u32(0));
    forEachElement(scope, group_, kTogether, [&](const std::vector<Update>& all) {
      for (size_t t = 0; t < all.size(); t += static_cast<size_t>(at_once_)) {
        auto end = std::min(all.size(), t + static_cast<size_t>(at_once_));
        countTogether(scope, lid,
                      {all.begin() + static_cast<std::ptrdiff_t>(t),
                       all.begin() + static_cast<std::ptrdiff_t>(end)});
      }
    });
    eachOf(code, lid, group_, bins,
           [&](const Operand& bin) { storePartial(scope, bin, load(code, bins_here_, bin)); });
    launch(scope, group_, groups_);
  }

  // An element of this invocation.
  struct Element {
    Operand number, word;  // u32; i64, where it claims its bin
    VarId waits;
  };

  void countTogether(KernelScope& scope, const Operand& lid, const std::vector<Update>& updates) {
    Builder& code = scope.code();
    std::vector<Element> elements;
    for (size_t t = 0; t < updates.size(); t++) {
      Operand number = code.add(lid, i64(static_cast<int64_t>(t) * group_));
      number =
          code.let("number", ScalarType::kU32,
                   Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32, number});
      Operand word = code.prim(Op::kAnd, ScalarType::kI64, {updates[t].bin, i64(words_ - 1)});
      VarId waits = code.declare("waits", ScalarType::kBool, updates[t].counts);
      elements.push_back({number, word, waits});
    }
    VarId goes_on = code.declare("goes_on", ScalarType::kBool, prim::Scalar::ofBool(true));
    code.whileLoop([&] { return Operand(goes_on); },
                   [&] { code.assign(goes_on, countRound(scope, updates, elements)); });
  }

  // Whether there is another round.
  Operand countRound(KernelScope& scope, const std::vector<Update>& updates,
                     const std::vector<Element>& elements) {
    Builder& code = scope.code();
    for (const Element& element : elements) {
      code.ifThenElse(element.waits, [&] {
        code.append(Atomic{AtomicOp::kMin, claims_, element.word, element.number, {}});
      });
    }
    code.assign(round_, code.prim(Op::kAdd, ScalarType::kU32, {round_, u32(1)}));
    code.append(Barrier{});
    Operands may_count;
    for (const Element& element : elements) {
      Operand least = code.load(claims_, element.word);
      Operand is_own = code.prim(Op::kEq, ScalarType::kU32, {least, element.number});
      may_count.push_back(code.prim(Op::kAnd, ScalarType::kBool, {is_own, element.waits}));
    }
    for (size_t t = 0; t < elements.size(); t++) {
      code.ifThenElse(
          may_count[t],
          [&] {
            Operands old = load(code, bins_here_, updates[t].bin);
            store(code, bins_here_, updates[t].bin, combined(scope, old, updates[t].values));
            code.store(claims_, elements[t].word, u32(kUnclaimed));
            code.assign(elements[t].waits, prim::Scalar::ofBool(false));
          },
          [&] { code.ifThenElse(elements[t].waits, [&] { code.store(open_, i64(0), round_); }); });
    }
    code.append(Barrier{});
    return code.prim(Op::kEq, ScalarType::kU32, {code.load(open_, i64(0)), round_});
  }

  int64_t most_bins_, group_, at_once_, words_ = 1;
  std::vector<BufferId> bins_here_;
  BufferId claims_, open_;  // the last round in which an element had to wait
  VarId round_;
};

}  // namespace

ClaimHist::ClaimHist(Program& program, Builder& host, const KernelCall& call)
    : program_(program),
      host_(host),
      call_(call),
      possible_(GroupHist::fits(call) && call.variants.allows("claims")) {
  if (!possible_) return;
  bins_ = GroupHist::binsOf(host_, call);
  bytes_ = GroupHist::bytesOf(call);
}

Operand ClaimHist::fits() {
  int64_t most = tiersFor(call_.variants, bytes_).back();
  return host_.prim(Op::kLe, ScalarType::kI64, {bins_, i64(most)});
}

TemplateResult ClaimHist::run() {
  call_.variants.say(call_.function.name + ": histogram, elements of a workgroup claim bins");
  bool supported = true;
  std::vector<int64_t> tiers = tiersFor(call_.variants, bytes_);
  // The first that has room.
  std::function<void(size_t)> choose = [&](size_t which) {
    auto take = [&] {
      ClaimKernels kernels(program_, host_, call_, bins_, tiers[which]);
      supported = kernels.run() && supported;
    };
    if (which + 1 == tiers.size()) return take();
    Operand fits = host_.prim(Op::kLe, ScalarType::kI64, {bins_, i64(tiers[which])});
    if (fits.isConstant()) return fits.constant.asBool() ? take() : choose(which + 1);
    host_.ifThenElse(fits, take, [&] { choose(which + 1); });
  };
  choose(0);
  return {{}, supported};
}

}  // namespace halo::gpu
