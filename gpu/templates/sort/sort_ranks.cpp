#include "gpu/templates/sort/sort_ranks.h"

#include <algorithm>

#include "gpu/templates/kernel/conditions.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

SortRanks::SortRanks(KernelScope& scope, const SortSchedule& shape, const SortPass& pass,
                     const SortElements& elements)
    : scope_(scope),
      code_(scope.code()),
      shape_(shape),
      pass_(pass),
      elements_(elements),
      looks_(scope, shape, pass),
      lid_(elements.invocation()),
      bases_(scope.shared("bases", ScalarType::kU32, shape.bins())) {
  // The stage holds words of the subgroups' digits as well.
  const int64_t words = shape_.lanes > 0 ? shape_.subgroups() * shape_.bins() : 0;
  stage_ = scope_.shared("stage", ScalarType::kU32, std::max(shape_.tile(), words));
  if (words > 0) counts_ = scope_.shared("counts", ScalarType::kU32, words);
}

void SortRanks::clearCounts() {
  const int64_t each = shape_.subgroups() * shape_.bins() / shape_.workgroup;
  for (int64_t k = 0; k < each; ++k) {
    const Operand at = code_.add(lid_, i64(k * shape_.workgroup));
    code_.store(counts_, at, u32(0));
    code_.store(stage_, at, u32(0));
  }
}

Operands SortRanks::placesOf(const Operands& digits, const Operand& tile) {
  tile_ = tile;
  return shape_.lanes > 0 ? byLanes(digits) : byCounters(digits);
}

Operand SortRanks::baseOf(const Operand& digit) {
  return code_.load(bases_, asIndex(code_, digit));
}

Operand SortRanks::isBin() { return isLess(code_, lid_, i64(shape_.bins())); }

// ---- ranks by lanes

// counts_[subgroup][bin]
Operand SortRanks::counterAt(const Operand& subgroup, const Operand& bin) {
  return code_.add(code_.mul(subgroup, i64(shape_.bins())), bin);
}

Operands SortRanks::byLanes(const Operands& digits) {
  if (shape_.placement == Placement::kOneWorkgroup) {
    clearCounts();
    code_.append(Barrier{});
  } else {
    sumTotals();
  }
  countDigits(digits);
  startBins();
  const Operand lane = asWord(code_, ScalarType::kI64, elements_.lane());
  const Operand bit = word(code_, Op::kMachineShl, u32(1), lane);
  const Operand up_to = word(code_, Op::kOr, bit, word(code_, Op::kSub, bit, u32(1)));
  Operands places;
  for (const Operand& digit : digits) {
    places.push_back(asIndex(code_, placeOf(digit, lane, bit, up_to)));
  }
  code_.append(Barrier{});
  return places;
}

// counts_[subgroup][bin] := keys of the subgroup.
void SortRanks::countDigits(const Operands& digits) {
  for (const Operand& digit : digits) {
    const Operand at = counterAt(elements_.subgroup(), asIndex(code_, digit));
    code_.append(Atomic{AtomicOp::kAdd, counts_, at, u32(1)});
  }
  code_.append(Barrier{});
}

// `bit`: of this lane; `up_to`: that and those before. The last lane of a digit knows how many
// there are: counting bits and looking for them is slow, so it is done once each.
Operand SortRanks::placeOf(const Operand& digit, const Operand& lane, const Operand& bit,
                           const Operand& up_to) {
  auto bits = [&](Op op, const Operand& mask) {
    return asWord(code_, ScalarType::kI32, code_.prim(op, ScalarType::kU32, {mask}));
  };
  Operand own = counterAt(elements_.subgroup(), asIndex(code_, digit));
  code_.append(Atomic{AtomicOp::kOr, stage_, own, bit});
  Operand again = code_.let("again", ScalarType::kU32,
                            Shuffle{ShuffleKind::kXor, digit, u32(0)});  // all have set theirs
  Operand at = counterAt(elements_.subgroup(), asIndex(code_, again));
  Operand peers = code_.load(stage_, at);
  Operand rank = bits(Op::kPopc, word(code_, Op::kAnd, peers, up_to));  // from 1
  Operand last = word(code_, Op::kSub, u32(31), bits(Op::kClz, peers));
  VarId taken = code_.declare("taken", ScalarType::kU32, u32(0));
  code_.ifThenElse(word(code_, Op::kEq, last, lane), [&] {
    VarId old = code_.program().addVar("old", ScalarType::kU32);
    code_.store(stage_, at, u32(0));
    code_.append(Atomic{AtomicOp::kAdd, counts_, at, rank, old});
    code_.assign(taken, word(code_, Op::kSub, old, u32(1)));
  });
  Operand first =
      code_.let("first", ScalarType::kU32, Shuffle{ShuffleKind::kFrom, Operand(taken), last});
  return word(code_, Op::kAdd, first, rank);
}

// Invocation b: counts_[..][b] := where the subgroups' keys with digit b begin in the tile;
// bases_[b] := how much further they lie in the result.
void SortRanks::startBins() {
  const Operand bin = bin_ = code_.min(lid_, i64(shape_.bins() - 1));
  VarId sum = code_.declare("sum", ScalarType::kU32, u32(0));
  std::vector<VarId> firsts;  // of each subgroup's keys
  for (int64_t g = 0; g < shape_.subgroups(); ++g) {
    firsts.push_back(code_.declare("first", ScalarType::kU32, u32(0)));
  }
  code_.ifThenElse(isBin(), [&] {
    Operands counts;
    for (int64_t g = 0; g < shape_.subgroups(); ++g) {
      counts.push_back(code_.load(counts_, counterAt(i64(g), bin)));
    }
    Operand running = u32(0);
    for (size_t g = 0; g < counts.size(); ++g) {
      code_.assign(firsts[g], running);
      running = g == 0 ? counts[0] : word(code_, Op::kAdd, running, counts[g]);
    }
    code_.assign(sum, running);
    if (shape_.placement == Placement::kOnesweep) looks_.postOwn({tile_, bin, running});
  });
  Operand in_tile = binsBefore("tile_sums", sum);
  code_.ifThenElse(isBin(), [&] {
    for (int64_t g = 0; g < shape_.subgroups(); ++g) {
      Operand first = Operand(firsts[static_cast<size_t>(g)]);
      code_.store(counts_, counterAt(i64(g), bin), word(code_, Op::kAdd, first, in_tile));
    }
    if (shape_.placement == Placement::kCounted) storeBase(bin, in_all_, in_tile);
  });
  own_ = sum;
  if (shape_.placement == Placement::kOnesweep) begin_ = word(code_, Op::kSub, in_all_, in_tile);
  code_.append(Barrier{});
}
// While keys are on their way.
void SortRanks::sumTotals() {
  VarId all = code_.declare("all", ScalarType::kU32, u32(0));
  code_.ifThenElse(isBin(), [&] { code_.assign(all, totalOf(lid_)); });
  in_all_ = binsBefore("all_sums", all);
}
Operand SortRanks::totalOf(const Operand& bin) {
  Operand at = bin;
  if (shape_.placement == Placement::kOnesweep) {
    Operand row = code_.mul(scope_.scalar(pass_.digit), i64(shape_.bins()));
    at = code_.add(row, bin);
  }
  return code_.load(scope_.buffer(pass_.totals), at);
}
void SortRanks::storeBase(const Operand& bin, const Operand& in_all, const Operand& in_tile) {
  Operand row = code_.mul(bin, scope_.scalar(pass_.tiles));
  Operand earlier = code_.load(scope_.buffer(pass_.counts), code_.add(row, tile_));
  Operand begin = word(code_, Op::kAdd, in_all, earlier);
  code_.store(bases_, bin, word(code_, Op::kSub, begin, in_tile));
}

// Invocation b: bases_[b], from the counts of its digit in earlier tiles.
void SortRanks::lookBack() {
  looks_.find(isBin(), {tile_, bin_, own_}, [&](const Operand& earlier) {
    code_.store(bases_, bin_, word(code_, Op::kAdd, begin_, earlier));
  });
}

// ---- sums

// The sum of the values of invocations before this one; those behind the bins have 0.
Operand SortRanks::binsBefore(const std::string& name, const Operand& value) {
  int64_t owners = (shape_.bins() + shape_.lanes - 1) / shape_.lanes;  // subgroups that have bins
  BufferId sums = scope_.shared(name, ScalarType::kU32, shape_.subgroups());
  Operand inclusive = value;
  for (int64_t d = 1; d < shape_.lanes; d *= 2) {
    Operand far = code_.let("far", ScalarType::kU32,
                            Shuffle{ShuffleKind::kUp, inclusive, u32(static_cast<uint32_t>(d))});
    Operand more = word(code_, Op::kAdd, inclusive, far);
    Operand takes = code_.prim(Op::kGe, ScalarType::kI64, {elements_.lane(), i64(d)});
    inclusive = code_.let("inc", ScalarType::kU32, Select{takes, more, inclusive});
  }
  Operand is_last = isEqual(code_, elements_.lane(), i64(shape_.lanes - 1));
  code_.ifThenElse(is_last, [&] { code_.store(sums, elements_.subgroup(), inclusive); });
  code_.append(Barrier{});
  Operand before = word(code_, Op::kSub, inclusive, value);
  for (int64_t g = 0; g + 1 < owners; ++g) {
    Operand is_before = isLess(code_, i64(g), elements_.subgroup());
    Operand part = code_.load(sums, i64(g));
    Operand counted = code_.let("part", ScalarType::kU32, Select{is_before, part, u32(0)});
    before = word(code_, Op::kAdd, before, counted);
  }
  return before;
}

// ---- ranks by counters: counts_[bin][invocation]

Operands SortRanks::byCounters(const Operands& digits) {
  counts_ = scope_.shared("counts", ScalarType::kU32, shape_.workgroup * shape_.bins());
  auto counter_at = [&](const Operand& bin) {
    return code_.add(code_.mul(bin, i64(shape_.workgroup)), lid_);
  };
  for (int64_t b = 0; b < shape_.bins(); ++b) code_.store(counts_, counter_at(i64(b)), u32(0));
  Operands ranks;
  for (const Operand& digit : digits) {
    const Operand at = counter_at(asIndex(code_, digit));
    ranks.push_back(code_.load(counts_, at));
    code_.store(counts_, at, word(code_, Op::kAdd, ranks.back(), u32(1)));
  }
  code_.append(Barrier{});
  sumCounters();
  Operands places;
  for (size_t k = 0; k < digits.size(); ++k) {
    const Operand of_bin = code_.load(counts_, counter_at(asIndex(code_, digits[k])));
    places.push_back(asIndex(code_, word(code_, Op::kAdd, of_bin, ranks[k])));
  }
  code_.ifThenElse(isBin(), [&] {
    const VarId in_all = code_.declare("in_all", ScalarType::kU32, u32(0));
    code_.forLoop("b", i64(0), lid_, [&](const Operand& b) {
      const Operand total = code_.load(scope_.buffer(pass_.totals), b);
      code_.assign(in_all, word(code_, Op::kAdd, in_all, total));
    });
    const Operand in_tile = code_.load(counts_, code_.mul(lid_, i64(shape_.workgroup)));
    storeBase(lid_, in_all, in_tile);
  });
  code_.append(Barrier{});
  return places;
}

// All counters in a row := the sum of those before; each invocation does as many as there are
// bins.
void SortRanks::sumCounters() {
  Operand first = code_.mul(lid_, i64(shape_.bins()));
  Operands counts;
  Operand sum = u32(0);
  for (int64_t b = 0; b < shape_.bins(); ++b) {
    counts.push_back(code_.load(counts_, code_.add(first, i64(b))));
    sum = b == 0 ? counts[0] : word(code_, Op::kAdd, sum, counts.back());
  }
  BufferId shared = scope_.shared("sums", ScalarType::kU32, shape_.workgroup);
  Operand running = sumBefore(scope_, shared, shape_.workgroup, sum);
  for (int64_t b = 0; b < shape_.bins(); ++b) {
    code_.store(counts_, code_.add(first, i64(b)), running);
    running = word(code_, Op::kAdd, running, counts[static_cast<size_t>(b)]);
  }
  code_.append(Barrier{});
}

}  // namespace halo::gpu
