#include "gpu/templates/scan/tile_prefixes.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

Operand TilePrefixes::prim(Op op, const Operand& a, const Operand& b) {
  return code_.prim(op, ScalarType::kI64, {a, b});
}

void TilePrefixes::scan(std::vector<ScanVector>& vectors) {
  const Operands run = scanSubgroup(vectors);
  scanGroup(vectors.back(), run);
}

// Does element c take values more than c + `distance` elements before it? Always without segments.
// In aligned ones all four take the same.
std::optional<Operand> TilePrefixes::reaches(const ScanVector& vector, size_t c,
                                             const Operand& distance) {
  if (!places_.hasSegments()) return std::nullopt;
  if (places_.isAligned()) return prim(Op::kGt, vector.place, distance);
  return prim(Op::kGt, places_.placeOf(vector, c),
              code_.add(distance, i64(static_cast<int64_t>(c))));
}

// Does it take the element before it?
std::optional<Operand> TilePrefixes::reachesNext(const ScanVector& vector, size_t c) {
  if (!places_.hasSegments() || places_.isAligned()) return std::nullopt;
  return prim(Op::kGt, places_.placeOf(vector, c), i64(0));
}

Operands TilePrefixes::joinIf(const std::optional<Operand>& condition, const Operands& left,
                              const Operands& right) {
  return condition ? ops_.join(*condition, left, right) : ops_.apply(left, right);
}

// Of the lane so far below, or of the first one. A shuffle by a distance has no value where there
// is no such lane, and lavapipe lets that one into a choice of the other value.
Operands TilePrefixes::below(const Operands& values, int64_t distance) {
  Operand lane = code_.max(code_.sub(places_.lane(), i64(distance)), i64(0));
  return ops_.shuffle(ShuffleKind::kFrom, values, asWord(code_, lane));
}

// The subgroup's combination.
Operands TilePrefixes::scanSubgroup(std::vector<ScanVector>& vectors) {
  Operands run = ops_.neutral();
  Operand in_run = code_.mul(places_.lane(), i64(static_cast<int64_t>(kFour)));
  Operand is_first = prim(Op::kEq, places_.lane(), i64(0));
  for (ScanVector& vector : vectors) {
    std::vector<Operands>& x = vector.values;
    for (size_t c = 1; c < kFour; ++c) x[c] = joinIf(reachesNext(vector, c), x[c - 1], x[c]);
    Operands inclusive = scanLanes(vector, x[kFour - 1]);
    Operands before = below(inclusive, 1);
    Operand all_lanes = reachesRun(vector, in_run);
    const bool is_begin = keepsFirst() && &vector == &vectors.front();
    Operands others = before;
    if (!is_begin) {
      others = places_.hasSegments() ? ops_.join(all_lanes, run, before) : ops_.apply(run, before);
    }
    before = ops_.select(is_first, run, others);
    const std::vector<Operands> own = x;
    takeFour(vector, i64(0), before, x);
    for (size_t c = 0; c < kFour && is_begin; ++c) x[c] = ops_.select(is_first, own[c], x[c]);
    run = ops_.shuffle(ShuffleKind::kFrom, x[kFour - 1],
                       u32(static_cast<uint32_t>(schedule_.lanes - 1)));
  }
  return run;
}

// One choice for all four is made of their operands.
void TilePrefixes::takeFour(const ScanVector& vector, const Operand& distance, Operands left,
                            std::vector<Operands>& x) {
  if (places_.hasSegments() && places_.isAligned()) {
    left = ops_.select(*reaches(vector, 0, distance), left, ops_.neutral());
  }
  for (size_t c = 0; c < kFour; ++c) {
    const bool always = !places_.hasSegments() || places_.isAligned();
    x[c] = always ? ops_.apply(left, x[c]) : ops_.join(*reaches(vector, c, distance), left, x[c]);
  }
}

// Whether the lanes before belong to the first element's segment, all of them, and more.
Operand TilePrefixes::reachesRun(const ScanVector& vector, const Operand& in_run) {
  return places_.hasSegments() ? prim(Op::kGt, vector.place, in_run) : Operand();
}

// Combinations of the lanes up to each one; of a segment, since its beginning.
Operands TilePrefixes::scanLanes(const ScanVector& vector, Operands value) {
  Operand place = places_.hasSegments() ? places_.placeOf(vector, kFour - 1) : Operand();
  for (int64_t d = 1; d < schedule_.lanes; d *= 2) {
    Operands far = below(value, d);
    Operand takes = prim(Op::kGe, places_.lane(), i64(d));
    if (places_.hasSegments()) {
      Operand reaches = prim(Op::kGe, place, i64(d * static_cast<int64_t>(kFour)));
      takes = code_.prim(Op::kAnd, ScalarType::kBool, {takes, reaches});
    }
    value = ops_.join(takes, far, value);
  }
  return value;
}

// before_ := the sum of the subgroups before, total_ the sum of all.
void TilePrefixes::scanGroup(const ScanVector& last, const Operands& run) {
  const int64_t subgroups = places_.subgroups();
  const bool has_segments = places_.hasSegments();
  std::vector<BufferId> parts = ops_.shared("part", subgroups);
  BufferId places =
      has_segments ? scope_.shared("places", ScalarType::kU32, subgroups) : BufferId();
  Operand is_last = prim(Op::kEq, places_.lane(), i64(schedule_.lanes - 1));
  code_.ifThenElse(is_last, [&] {
    ops_.store(parts, places_.subgroup(), run);
    if (!has_segments) return;
    Operand place = places_.placeOf(last, kFour - 1);
    code_.store(
        places, places_.subgroup(),
        code_.let("w", ScalarType::kU32,
                  Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32, place}));
  });
  code_.append(Barrier{});
  if (schedule_.sums == ScanSchedule::Sums::kTree) return scanParts(parts);
  Operands total = ops_.neutral();
  before_ = ops_.neutral();
  for (int64_t g = 0; g < subgroups; ++g) {
    Operand mine = prim(Op::kEq, places_.subgroup(), i64(g));
    before_ = g == 0 ? total : ops_.select(mine, total, before_);
    Operands part = ops_.load(parts, i64(g));
    if (!has_segments) {
      total = g == 0 ? part : ops_.apply(total, part);
      continue;
    }
    Operand word = code_.load(places, i64(g));
    Operand place =
        code_.let("i", ScalarType::kI64,
                  Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, word});
    Operand whole = prim(Op::kGe, place, i64(places_.ofSubgroup()));
    total = g == 0 ? part : ops_.join(whole, total, part);
  }
  total_ = total;
}

// The same by the lanes of each subgroup, which are as many as subgroups at least.
void TilePrefixes::scanParts(const std::vector<BufferId>& parts) {
  const int64_t subgroups = places_.subgroups();
  Operands sum = ops_.load(parts, code_.min(places_.lane(), i64(subgroups - 1)));
  for (int64_t d = 1; d < subgroups; d *= 2) {
    Operands far = below(sum, d);
    sum = ops_.join(prim(Op::kGe, places_.lane(), i64(d)), far, sum);
  }
  Operand previous = code_.max(code_.sub(places_.subgroup(), i64(1)), i64(0));
  Operand is_first = prim(Op::kEq, places_.subgroup(), i64(0));
  before_ = ops_.shuffle(ShuffleKind::kFrom, sum, asWord(code_, previous));
  before_ = ops_.select(is_first, ops_.neutral(), before_);
  total_ = ops_.shuffle(ShuffleKind::kFrom, sum, u32(static_cast<uint32_t>(subgroups - 1)));
}

}  // namespace halo::gpu
