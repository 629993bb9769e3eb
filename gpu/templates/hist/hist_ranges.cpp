// (1) One pass of a radix sort by the high bits of the bins: elements of a range of bins lie
// together. (2) A workgroup goes over a chunk of these. For each range of which it has elements it
// counts them
//     into bins of its own (hist_claims.h) and leaves those as a piece:
//
//       ranges   | 0          | 1   | 2             | 3 ..
//       chunks   | 0      | 1      | 2      | 3      | ..
//       pieces   | 0      |1  | 2  |3| 4    | 5     |6 ..      number: chunk + range
//
// (3) A bin's value in all pieces of its range is combined in their order.
//
// Reads every element twice and writes it once, how many bins there may be. The order of operations
// depends on the extents and the bins alone.
#include "gpu/templates/hist/hist_ranges.h"

#include <bit>

#include "gpu/schedule/hist.h"
#include "gpu/schedule/sort.h"
#include "gpu/templates/hist/hist_claims.h"
#include "gpu/templates/sort/sort.h"
#include "gpu/templates/sort/sort_tile.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kHistRangesGroup = 256;        // invocations
constexpr int64_t kHistRangesLeastChunk = 4096;  // elements
constexpr int64_t kMergedBins = 32;              // of a workgroup that combines pieces
constexpr int64_t kMergedParts = kHistRangesGroup / kMergedBins;
constexpr uint32_t kNoBin = 0xffffffff;

// Of a bin within its range.
int lowBits(const OrderedHistSchedule& schedule) {
  return std::countr_zero(static_cast<uint64_t>(schedule.bins));
}

class RangeKernels : private ClaimKernel {
 public:
  RangeKernels(Program& program, Builder& host, const KernelCall& call,
               const OrderedHistSchedule& schedule)
      : ClaimKernel(program, host, call, "ranges" + std::to_string(lowBits(schedule)), schedule),
        sort_(schedule.sort),
        low_(lowBits(schedule)) {
    Operand wanted = divideUp(host_, width_, i64(schedule.parts));
    Operand rounds = divideUp(host_, wanted, i64(group_ * kClaimTogether));
    length_ =
        host_.max(host_.mul(rounds, i64(group_ * kClaimTogether)), i64(kHistRangesLeastChunk));
    chunks_ = divideUp(host_, width_, length_);
  }

  bool run() {
    partition();
    findStarts();
    Operand pieces = host_.add(chunks_, i64(ranges_));
    for (const ArrayRef& result : call_.results) {
      BufferId all =
          host_.alloc("pieces", result.type, Space::kDevice, host_.mul(pieces, i64(most_bins_)));
      pieces_.push_back(all);
      buffers_.push_back(all);
    }
    count();
    combinePieces();
    for (BufferId buffer : buffers_) host_.append(Free{buffer});
    return supported_;
  }

 private:
  // elements_: bins (u32), then values.
  void partition() {
    SortedArrays arrays{sort_, {}};
    auto add = [&](ScalarType type) {
      arrays.from.push_back(denseArray(host_, BufferId{}, i64(0), type, {width_}));
    };
    add(ScalarType::kU32);
    for (const ArrayRef& result : call_.results) add(result.type);
    auto element = [this](KernelScope& scope, size_t which, const Operand& i) {
      return elementOf(scope, which, i);
    };
    Partition parts = partitionElements(program_, host_, call_, arrays, low_, element, buffers_);
    elements_ = parts.arrays;
    totals_ = parts.totals;
    ranges_ = int64_t{1} << parts.bits;
  }
  Operand elementOf(KernelScope& scope, size_t which, const Operand& i) {
    Builder& code = scope.code();
    LoweringTarget target = scope.place(width_, [i] { return i; });
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, target);
    Update found = update(scope, environment, target, i, prim::Scalar::ofBool(true));
    supported_ = supported_ && !scope.unsupported();
    if (which > 0) return found.values[which - 1];
    Operand bin = asWord(code, ScalarType::kI64, found.bin);
    return code.let("bin", ScalarType::kU32, Select{found.counts, bin, u32(kNoBin)});
  }

  // starts_[range] := where its elements begin; behind the last one, how many there are.
  void findStarts() {
    starts_ = host_.alloc("starts", ScalarType::kU32, Space::kDevice, i64(ranges_ + 1));
    buffers_.push_back(starts_);
    KernelScope scope(program_, host_, call_, kernelName("starts"));
    Builder& code = scope.code();
    Operand lid = scope.localId();
    Operand own = code.load(scope.buffer(totals_), lid);
    BufferId sums = scope.shared("sums", ScalarType::kU32, ranges_);
    Operand before = sumBefore(scope, sums, ranges_, own);
    code.store(scope.buffer(starts_), lid, before);
    Operand is_last = code.prim(Op::kEq, ScalarType::kI64, {lid, i64(ranges_ - 1)});
    code.ifThenElse(is_last, [&] {
      Operand all = word(code, Op::kAdd, before, own);
      code.store(scope.buffer(starts_), i64(ranges_), all);
    });
    launch(scope, ranges_, i64(1));
  }
  Operand startOf(KernelScope& scope, const Operand& range) {
    return asIndex(scope.code(), scope.code().load(scope.buffer(starts_), range));
  }

  void count() {
    KernelScope scope(program_, host_, call_, kernelName("count"));
    Builder& code = scope.code();
    open(scope);
    Operand begin = code.mul(scope.groupId(), scope.scalar(length_));
    Operand end = code.min(code.add(begin, scope.scalar(length_)), scope.scalar(width_));
    BufferId ends = scope.shared("ends", ScalarType::kI64, 2);
    eachOf(code, scope.localId(), group_, i64(ranges_), [&](const Operand& range) {
      Operand from = startOf(scope, range), to = startOf(scope, code.add(range, i64(1)));
      code.ifThenElse(isWithin(code, begin, from, to), [&] { code.store(ends, i64(0), range); });
      Operand last = code.sub(end, i64(1));
      code.ifThenElse(isWithin(code, last, from, to), [&] { code.store(ends, i64(1), range); });
    });
    code.append(Barrier{});
    Operand first = code.load(ends, i64(0));
    Operand behind = code.add(code.load(ends, i64(1)), i64(1));
    code.forLoop("range", first, behind, [&](const Operand& range) {
      Operand from = code.max(begin, startOf(scope, range));
      Operand to = code.min(end, startOf(scope, code.add(range, i64(1))));
      Operand any = code.prim(Op::kLt, ScalarType::kI64, {from, to});
      code.ifThenElse(any, [&] { countPiece(scope, range, from, to); });
    });
    launch(scope, group_, chunks_);
  }
  static Operand isWithin(Builder& code, const Operand& i, const Operand& from, const Operand& to) {
    Operand behind = code.prim(Op::kGe, ScalarType::kI64, {i, from});
    Operand before = code.prim(Op::kLt, ScalarType::kI64, {i, to});
    return code.prim(Op::kAnd, ScalarType::kBool, {behind, before});
  }

  // Elements from, .., to - 1, of which there are some.
  void countPiece(KernelScope& scope, const Operand& range, const Operand& from,
                  const Operand& to) {
    Builder& code = scope.code();
    clear(scope, i64(most_bins_));
    const int64_t step = group_ * kClaimTogether;
    Operand rounds = divideUp(code, code.sub(to, from), i64(step));
    Operand first = code.add(from, scope.localId());
    Operand last = code.sub(to, i64(1));
    code.forLoop("round", i64(0), rounds, [&](const Operand& round) {
      Operand start = code.add(first, code.mul(round, i64(step)));
      std::vector<Update> all;
      for (int64_t t = 0; t < kClaimTogether; ++t) {
        Operand i = code.add(start, i64(t * group_));
        Operand exists = code.prim(Op::kLt, ScalarType::kI64, {i, to});
        all.push_back(loadUpdate(scope, code.min(i, last), exists));
      }
      countAll(scope, all);
    });
    Operand piece = code.mul(code.add(scope.groupId(), range), i64(most_bins_));
    eachOf(code, scope.localId(), group_, i64(most_bins_), [&](const Operand& bin) {
      Operands values = load(code, bins_here_, bin);
      for (size_t k = 0; k < values.size(); ++k) {
        code.store(scope.buffer(pieces_[k]), code.add(piece, bin), values[k]);
      }
    });
  }
  Update loadUpdate(KernelScope& scope, const Operand& i, const Operand& exists) {
    Builder& code = scope.code();
    Update result;
    Operand bin = loadElement(code, scope.array(elements_[0]), {i});
    Operand has_bin = code.prim(Op::kNe, ScalarType::kU32, {bin, u32(kNoBin)});
    result.counts = code.prim(Op::kAnd, ScalarType::kBool, {exists, has_bin});
    uint32_t within = static_cast<uint32_t>(most_bins_ - 1);
    result.bin = asIndex(code, word(code, Op::kAnd, bin, u32(within)));
    for (size_t k = 1; k < elements_.size(); ++k) {
      result.values.push_back(loadElement(code, scope.array(elements_[k]), {i}));
    }
    return result;
  }

  // Invocations of a workgroup at distances of kMergedBins take a bin's pieces round-robin.
  void combinePieces() {
    KernelScope scope(program_, host_, call_, kernelName("pieces"));
    Builder& code = scope.code();
    Operand lid = scope.localId();
    Operand column = code.prim(Op::kMachineRem, ScalarType::kI64, {lid, i64(kMergedBins)});
    Operand part = code.prim(Op::kMachineDiv, ScalarType::kI64, {lid, i64(kMergedBins)});
    Operand wanted = code.add(code.mul(scope.groupId(), i64(kMergedBins)), column);
    Operand bin = code.min(wanted, code.sub(scope.scalar(bins_), i64(1)));
    Operand range = code.prim(Op::kMachineDiv, ScalarType::kI64, {bin, i64(most_bins_)});
    Operand within = code.prim(Op::kMachineRem, ScalarType::kI64, {bin, i64(most_bins_)});
    Operand from = startOf(scope, range), to = startOf(scope, code.add(range, i64(1)));
    auto chunk_of = [&](const Operand& i) {
      return code.prim(Op::kMachineDiv, ScalarType::kI64, {i, scope.scalar(length_)});
    };
    Operand first = chunk_of(from), last = chunk_of(code.max(code.sub(to, i64(1)), i64(0)));
    Operand any = code.prim(Op::kLt, ScalarType::kI64, {from, to});
    Operand count = code.let("count", ScalarType::kI64,
                             Select{any, code.add(code.sub(last, first), i64(1)), i64(0)});
    Operand turns = divideUp(code, code.max(code.sub(count, part), i64(0)), i64(kMergedParts));
    std::vector<BufferId> parts = shared(scope, kHistRangesGroup);
    store(code, parts, lid, neutral(scope));
    Operand piece = code.add(code.add(first, part), range);
    code.forLoop("turn", i64(0), turns, [&](const Operand& turn) {
      Operand which = code.add(piece, code.mul(turn, i64(kMergedParts)));
      Operand at = code.add(code.mul(which, i64(most_bins_)), within);
      Operands more;
      for (BufferId buffer : pieces_) more.push_back(code.load(scope.buffer(buffer), at));
      store(code, parts, lid, combined(scope, load(code, parts, lid), more));
    });
    code.append(Barrier{});
    Operand exists = code.prim(Op::kLt, ScalarType::kI64, {wanted, scope.scalar(bins_)});
    Operand is_first = code.prim(Op::kEq, ScalarType::kI64, {part, i64(0)});
    Operand writes = code.prim(Op::kAnd, ScalarType::kBool, {exists, is_first});
    code.ifThenElse(code.prim(Op::kAnd, ScalarType::kBool, {writes, any}), [&] {
      Operands total = load(code, parts, lid);
      for (int64_t k = 1; k < kMergedParts; ++k) {
        Operand at = code.add(lid, i64(k * kMergedBins));
        total = combined(scope, total, load(code, parts, at));
      }
      addToDestination(scope, bin, total);
    });
    launch(scope, kHistRangesGroup, divideUp(host_, bins_, i64(kMergedBins)));
  }

  const SortSchedule sort_;
  int low_;
  int64_t ranges_ = 0;
  Operand length_, chunks_;         // host: elements of a chunk, and how many chunks
  std::vector<ArrayRef> elements_;  // host: bins, then values, by ranges
  BufferId totals_, starts_;        // host: elements of each range; where they begin
  std::vector<BufferId> pieces_;    // [pieces][bins of a range]
  std::vector<BufferId> buffers_;   // to be freed
};

}  // namespace

TemplateResult emitRangeHist(Program& program, Builder& host, const KernelCall& call,
                             const OrderedHistSchedule& schedule) {
  return {{}, RangeKernels(program, host, call, schedule).run()};
}

}  // namespace halo::gpu
