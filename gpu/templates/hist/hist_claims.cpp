// The elements that a workgroup looks at together have numbers. In rounds, all that are not counted
// yet put their numbers into a word of their bin. The smallest stays. The element whose number it
// is may count, the others try again:
//
//   bins      3 5 3 3 7        round 1: elements 0, 1, 4    round 2: element 2    round 3: 3
//
// There are as many rounds as elements in the most frequent bin, mostly few. Several bins may have
// a word together, which costs rounds and no more. The elements left after some rounds have few
// bins: then all elements of the first one's bin are combined at once, and so on. So the order
// depends on the bins and on extents alone (language.md#semantics), not on time.
#include "gpu/templates/hist/hist_claims.h"

#include <algorithm>

#include "gpu/schedule/hist.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr uint32_t kRounds = 4;  // before a bin's elements are combined
constexpr uint32_t kUnclaimed = 0xffffffff;

class ClaimKernels : private ClaimKernel {
 public:
  ClaimKernels(Program& program, Builder& host, const KernelCall& call,
               const OrderedHistSchedule& schedule)
      : ClaimKernel(program, host, call, "claims" + std::to_string(schedule.bins), schedule),
        schedule_(schedule) {}

  bool run() {
    Operand groups = groupsFor(host_, width_, group_ * kClaimTogether * 2);
    Operand room = host_.prim(Op::kMachineDiv, ScalarType::kI64,
                              {i64(schedule_.part_bins), host_.max(bins_, i64(1))});
    groups = host_.min(host_.min(groups, room), i64(schedule_.parts));
    allocatePartial(host_.max(groups, i64(1)));
    count();
    merge();
    return supported_;
  }

 private:
  void count() {
    KernelScope scope(program_, host_, call_, kernelName("count"));
    open(scope);
    clear(scope, scope.scalar(bins_));
    forEachElement(scope, group_, kClaimTogether,
                   [&](const std::vector<Update>& all) { countAll(scope, all); });
    eachOf(scope.code(), scope.localId(), group_, scope.scalar(bins_), [&](const Operand& bin) {
      storePartial(scope, bin, load(scope.code(), bins_here_, bin));
    });
    launch(scope, group_, groups_);
  }

  const OrderedHistSchedule& schedule_;
};

}  // namespace

ClaimKernel::ClaimKernel(Program& program, Builder& host, const KernelCall& call,
                         std::string prefix, const OrderedHistSchedule& schedule)
    : GroupHist(program, host, call, std::move(prefix)),
      most_bins_(schedule.bins),
      group_(schedule.workgroup),
      at_once_(schedule.elements),
      words_(schedule.claims) {}

void ClaimKernel::open(KernelScope& scope) {
  Builder& code = scope.code();
  bins_here_ = shared(scope, most_bins_);
  claims_ = scope.shared("claims", ScalarType::kU32, words_);
  open_ = scope.shared("open", ScalarType::kU32, 1);
  least_ = scope.shared("least", ScalarType::kU32, 1);
  frequent_ = scope.shared("frequent", ScalarType::kI64, 1);
  values_ = shared(scope, group_);
  Operand lid = scope.localId();
  eachOf(code, lid, group_, i64(words_),
         [&](const Operand& word) { code.store(claims_, word, u32(kUnclaimed)); });
  Operand is_first = code.prim(Op::kEq, ScalarType::kI64, {lid, i64(0)});
  code.ifThenElse(is_first, [&] {
    code.store(open_, i64(0), u32(0));
    code.store(least_, i64(0), u32(kUnclaimed));
  });
  round_ = code.declare("rounds", ScalarType::kU32, u32(0));
}

void ClaimKernel::clear(KernelScope& scope, const Operand& bins) {
  Builder& code = scope.code();
  Operands nothing = neutral(scope);
  eachOf(code, scope.localId(), group_, bins,
         [&](const Operand& bin) { store(code, bins_here_, bin, nothing); });
  code.append(Barrier{});
}

void ClaimKernel::countAll(KernelScope& scope, const std::vector<Update>& all) {
  for (size_t t = 0; t < all.size(); t += static_cast<size_t>(at_once_)) {
    auto end = std::min(all.size(), t + static_cast<size_t>(at_once_));
    countTogether(scope, scope.localId(),
                  {all.begin() + static_cast<std::ptrdiff_t>(t),
                   all.begin() + static_cast<std::ptrdiff_t>(end)});
  }
}

void ClaimKernel::countTogether(KernelScope& scope, const Operand& lid,
                                const std::vector<Update>& updates) {
  Builder& code = scope.code();
  std::vector<Element> elements;
  for (size_t t = 0; t < updates.size(); ++t) {
    Operand number = code.add(lid, i64(static_cast<int64_t>(t) * group_));
    number =
        code.let("number", ScalarType::kU32,
                 Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32, number});
    Operand word = code.prim(Op::kAnd, ScalarType::kI64, {updates[t].bin, i64(words_ - 1)});
    VarId waits = code.declare("waits", ScalarType::kBool, updates[t].counts);
    elements.push_back({number, word, waits});
  }
  VarId goes_on = code.declare("goes_on", ScalarType::kBool, prim::Scalar::ofBool(true));
  VarId rounds = code.declare("tries", ScalarType::kU32, u32(0));
  code.whileLoop(
      [&] {
        Operand few = code.prim(Op::kLt, ScalarType::kU32, {rounds, u32(kRounds)});
        return code.prim(Op::kAnd, ScalarType::kBool, {goes_on, few});
      },
      [&] {
        code.assign(goes_on, countRound(scope, updates, elements));
        code.assign(rounds, code.prim(Op::kAdd, ScalarType::kU32, {rounds, u32(1)}));
      });
  code.whileLoop([&] { return Operand(goes_on); },
                 [&] { code.assign(goes_on, countBin(scope, lid, updates, elements)); });
}

// Whether there is another round.
Operand ClaimKernel::countRound(KernelScope& scope, const std::vector<Update>& updates,
                                const std::vector<Element>& elements) {
  Builder& code = scope.code();
  for (const Element& element : elements) {
    code.ifThenElse(element.waits, [&] {
      code.append(Atomic{AtomicOp::kMin, claims_, element.word, element.number, {}});
    });
  }
  nextRound(code);
  code.append(Barrier{});
  Operands may_count;
  for (const Element& element : elements) {
    Operand least = code.load(claims_, element.word);
    Operand is_own = code.prim(Op::kEq, ScalarType::kU32, {least, element.number});
    may_count.push_back(code.prim(Op::kAnd, ScalarType::kBool, {is_own, element.waits}));
  }
  for (size_t t = 0; t < elements.size(); ++t) {
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
  return isOpen(code);
}
void ClaimKernel::nextRound(Builder& code) {
  code.assign(round_, code.prim(Op::kAdd, ScalarType::kU32, {round_, u32(1)}));
}
Operand ClaimKernel::isOpen(Builder& code) {
  code.append(Barrier{});
  return code.prim(Op::kEq, ScalarType::kU32, {code.load(open_, i64(0)), round_});
}

// All elements of the bin that the first one waits for. Whether others wait still.
Operand ClaimKernel::countBin(KernelScope& scope, const Operand& lid,
                              const std::vector<Update>& updates,
                              const std::vector<Element>& elements) {
  Builder& code = scope.code();
  nextRound(code);
  for (const Element& element : elements) {
    code.ifThenElse(element.waits, [&] {
      code.append(Atomic{AtomicOp::kMin, least_, i64(0), element.number, {}});
    });
  }
  code.append(Barrier{});
  Operand least = code.load(least_, i64(0));
  for (size_t t = 0; t < elements.size(); ++t) {
    Operand is_first = code.prim(Op::kEq, ScalarType::kU32, {least, elements[t].number});
    code.ifThenElse(is_first, [&] { code.store(frequent_, i64(0), updates[t].bin); });
  }
  code.append(Barrier{});
  Operand bin = code.load(frequent_, i64(0));
  store(code, values_, lid, neutral(scope));
  for (size_t t = 0; t < elements.size(); ++t) {
    Operand is_same = code.prim(Op::kEq, ScalarType::kI64, {bin, updates[t].bin});
    is_same = code.prim(Op::kAnd, ScalarType::kBool, {is_same, elements[t].waits});
    code.ifThenElse(
        is_same,
        [&] {
          Operands sum = combined(scope, load(code, values_, lid), updates[t].values);
          store(code, values_, lid, sum);
          code.assign(elements[t].waits, prim::Scalar::ofBool(false));
        },
        [&] { code.ifThenElse(elements[t].waits, [&] { code.store(open_, i64(0), round_); }); });
  }
  code.append(Barrier{});
  combineParts(scope, lid, bin);
  return isOpen(code);
}
// By parts: fewer barriers than by halves.
void ClaimKernel::combineParts(KernelScope& scope, const Operand& lid, const Operand& bin) {
  Builder& code = scope.code();
  int64_t parts = 1;
  while (parts * parts < group_) parts *= 2;
  auto fold = [&](int64_t count, int64_t stride) {
    Operands sum = load(code, values_, lid);
    for (int64_t k = 1; k < count; ++k) {
      sum = combined(scope, sum, load(code, values_, code.add(lid, i64(k * stride))));
    }
    return sum;
  };
  code.ifThenElse(code.prim(Op::kLt, ScalarType::kI64, {lid, i64(parts)}),
                  [&] { store(code, values_, lid, fold(group_ / parts, parts)); });
  code.append(Barrier{});
  code.ifThenElse(code.prim(Op::kEq, ScalarType::kI64, {lid, i64(0)}), [&] {
    Operands old = load(code, bins_here_, bin);
    store(code, bins_here_, bin, combined(scope, old, fold(parts, 1)));
    code.store(least_, i64(0), u32(kUnclaimed));
  });
}

TemplateResult emitClaimHist(Program& program, Builder& host, const KernelCall& call,
                             const OrderedHistSchedule& schedule) {
  return {{}, ClaimKernels(program, host, call, schedule).run()};
}

}  // namespace halo::gpu
