// From the four elements of a lane to the value of a workgroup's chunk.
#include "gpu/templates/reduce/reduce_ordered.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kReduceOrderedLanes = 256;  // of a workgroup
constexpr int64_t kTurns = 4;                 // under way together; ofTurns() is written for it
const int kReduceOrderedWorkgroup[3] = {kReduceOrderedLanes, 1, 1};

}  // namespace

OrderedChunks::OrderedChunks(Program& program, Builder& host, const KernelCall& call,
                             const std::vector<const core::Screma*>& levels,
                             const OuterLevels& outer, const FlatInputs& flat)
    : host_(host),
      call_(call),
      outer_(outer),
      scope_(program, host, call, call.function.name + "_ordered"),
      code_(scope_.code()),
      lanes_(call.variants.subgroup),
      segments_(outer.count(host)),
      width_(operandOf(call.arguments, levels.back()->width)),
      cells_(host.mul(segments_, width_)),
      ops_(scope_, *levels.back()),
      map_(scope_, levels, outer, flat, cells_) {
  lane_ = scope_.builtIn(BuiltIn::kLane, lanes_);
  subgroup_ = scope_.builtIn(BuiltIn::kSubgroup, kReduceOrderedLanes / lanes_);
  lid_ = code_.add(code_.mul(subgroup_, i64(lanes_)), lane_);
}

Operand OrderedChunks::prim(Op op, const Operand& a, const Operand& b) {
  return code_.prim(op, ScalarType::kI64, {a, b});
}
// Bounds that hold anyway show that arithmetic needs no more than 32 bits (raise.h, narrow).
Operand OrderedChunks::within(const Operand& value, const Operand& most) {
  return code_.max(code_.min(value, most), i64(0));
}

bool OrderedChunks::run(const Chunks& chunks) {
  const Operand groups = host_.mul(chunks.segments, chunks.count);
  const Operand item = within(scope_.groupId(), scope_.scalar(groups));
  openChunk(chunks);
  const Operands inner = ofGroup(ofSubgroup());
  // The first lane adds segments that only begin or end in the chunk.
  std::vector<VarId> total = ops_.declare("total", inner);
  const Operand leads = prim(Op::kEq, lid_, i64(0));
  auto inChunk = [&](const Operand& i) {
    return code_.prim(Op::kAnd, ScalarType::kBool,
                      {prim(Op::kGe, i, begin_), prim(Op::kLt, i, end_)});
  };
  auto part = [&](const Operand& end, bool is_head) {
    const Operand is_part = prim(Op::kNe, prim(Op::kAnd, end, i64(3)), i64(0));
    code_.ifThenElse(code_.prim(Op::kAnd, ScalarType::kBool, {leads, is_part}), [&] {
      const Operand at = prim(Op::kAnd, end, i64(~int64_t{3}));
      const Operands ends = elements(at, map_.load(at), inChunk, false);
      const Operands so_far = asOperands(total);
      assignAll(code_, total, is_head ? ops_.apply(ends, so_far) : ops_.apply(so_far, ends));
    });
  };
  part(begin_, true);
  // Where the chunk ends in the vector that it begins in, that was all.
  const Operand vector_of_end = prim(Op::kMachineShr, end_, i64(2));
  const Operand is_other = prim(Op::kGe, code_.mul(vector_of_end, i64(4)), begin_);
  code_.ifThenElse(is_other, [&] { part(end_, false); });
  code_.ifThenElse(prim(Op::kEq, lid_, i64(0)),
                   [&] { chunks.put(scope_, item, asOperands(total)); });
  scope_.launch(kReduceOrderedWorkgroup, {groups, i64(1), i64(1)});
  return !scope_.unsupported();
}

// Item c * segments + s is chunk c of segment s.
void OrderedChunks::openChunk(const Chunks& chunks) {
  const Operand segments = scope_.scalar(segments_);
  const Operand groups = scope_.scalar(host_.mul(chunks.segments, chunks.count));
  const Operand item = within(scope_.groupId(), groups);
  const Operand chunk = prim(Op::kMachineDiv, item, segments);
  const Operand number = code_.sub(item, code_.mul(chunk, segments));
  const Operand segment = within(number, code_.sub(segments, i64(1)));
  const Operand cells = scope_.scalar(cells_);
  const Operand width = scope_.scalar(width_);
  segment_begin_ = within(code_.mul(segment, width), cells);
  const Operand segment_end = code_.min(code_.add(segment_begin_, width), cells);
  Operands extents;
  for (const Operand& extent : outer_.extents()) extents.push_back(scope_.scalar(extent));
  indices_ = indicesOf(code_, segment, extents);
  bound_ = map_.bound(segment, indices_);
  const Operand length = scope_.scalar(chunks.length);
  const Operand skipped = within(code_.mul(chunk, length), width);
  begin_ = code_.min(code_.add(segment_begin_, skipped), segment_end);
  end_ = code_.min(code_.add(begin_, length), segment_end);
}

// Four elements together; those that are not inside count as neutral ones, or may be anything.
Operands OrderedChunks::elements(const Operand& at, const std::vector<Operands>& loaded,
                                 const std::function<Operand(const Operand& i)>& inside,
                                 bool any_outside) {
  std::vector<Operands> x;
  Operands insides;
  for (size_t c = 0; c < kFour; c++) {
    const Operand i = code_.add(at, i64(static_cast<int64_t>(c)));
    insides.push_back(inside(i));
    auto indices = [this, i] {
      Operands all = indices_;
      all.push_back(within(code_.sub(i, segment_begin_), scope_.scalar(width_)));
      return all;
    };
    x.push_back(
        map_.valuesAndPassed(ops_, {i, loaded, c, indices, &bound_}, insides[c], any_outside));
  }
  const Operand ends = code_.prim(Op::kAnd, ScalarType::kBool, {insides[0], insides[kFour - 1]});
  map_.storeFour(at, ends, insides, x);
  const Operands low = ops_.apply(x[0], x[1]);
  return ops_.apply(low, ops_.apply(x[2], x[3]));
}

// The whole vectors of the chunk, as many for each subgroup as make full turns.
Operands OrderedChunks::ofSubgroup() {
  const Operand first = prim(Op::kMachineShr, code_.add(begin_, i64(3)), i64(2));
  const Operand after = code_.max(prim(Op::kMachineShr, end_, i64(2)), first);
  const int64_t at_once = lanes_ * kTurns;
  const Operand all_turns =
      divideUp(code_, code_.sub(after, first), i64(at_once * (kReduceOrderedLanes / lanes_)));
  const Operand mine = code_.add(first, code_.mul(subgroup_, code_.mul(all_turns, i64(at_once))));
  std::vector<VarId> sum = ops_.declare("sum", ops_.neutral());
  code_.forLoop("round", i64(0), all_turns, [&](const Operand& round) {
    const Operand from = code_.add(mine, code_.mul(round, i64(at_once)));
    std::vector<Operand> at;
    std::vector<std::vector<Operands>> loaded;
    for (int64_t t = 0; t < kTurns; t++) {
      at.push_back(code_.add(from, code_.add(lane_, i64(t * lanes_))));
      // Lanes behind the end look at the last vector.
      const Operand there = code_.min(at.back(), code_.max(code_.sub(after, i64(1)), i64(0)));
      loaded.push_back(map_.load(code_.mul(there, i64(4))));
    }
    std::vector<Operands> values;
    for (size_t t = 0; t < at.size(); t++) {
      const Operand exists = prim(Op::kLt, at[t], after);
      const Operands four = elements(
          code_.mul(at[t], i64(4)), loaded[t], [&](const Operand&) { return exists; }, true);
      values.push_back(ops_.select(exists, four, ops_.neutral()));
    }
    const Operands together = ofTurns(std::move(values));
    assignAll(code_, sum, ops_.apply(asOperands(sum), together));
  });
  return asOperands(sum);
}

// In lane 0: the four turns of the subgroup's lanes, turn by turn.
Operands OrderedChunks::ofTurns(std::vector<Operands> values) {
  // Lanes with numbers 0, 1, 2, 3 mod 4 get turns 0, 1, 2, 3.
  const Operands low = halved(values[0], values[1], 1);
  const Operands high = halved(values[2], values[3], 1);
  Operands value = halved(low, high, 2);
  for (int64_t d = 4; d < lanes_; d *= 2) value = withNext(value, static_cast<uint32_t>(d));
  for (uint32_t d : {1U, 2U}) value = withNext(value, d);
  return value;
}

// Of lanes whose numbers differ in this bit, the lower one combines both values of `even`, the
// other one those of `odd`.
Operands OrderedChunks::halved(const Operands& even, const Operands& odd, uint32_t bit) {
  const Operand is_upper = prim(Op::kNe, prim(Op::kAnd, lane_, i64(bit)), i64(0));
  const Operands far = ops_.shuffle(ShuffleKind::kXor, ops_.select(is_upper, even, odd), u32(bit));
  return ops_.apply(ops_.select(is_upper, far, even), ops_.select(is_upper, odd, far));
}

// With that of a later lane; those that have none get an unused value.
Operands OrderedChunks::withNext(const Operands& value, uint32_t distance) {
  return ops_.apply(value, ops_.shuffle(ShuffleKind::kDown, value, u32(distance)));
}

// In the first lane of the workgroup the values of its subgroups' first lanes.
Operands OrderedChunks::ofGroup(const Operands& value) {
  const int64_t subgroups = kReduceOrderedLanes / lanes_;
  const std::vector<BufferId> parts = ops_.shared("part", subgroups);
  code_.ifThenElse(prim(Op::kEq, lane_, i64(0)), [&] { ops_.store(parts, subgroup_, value); });
  code_.append(Barrier{});
  Operands total = ops_.load(parts, i64(0));
  for (int64_t g = 1; g < subgroups; g++) total = ops_.apply(total, ops_.load(parts, i64(g)));
  return total;
}

}  // namespace halo::gpu
