// From the four elements of a lane to the value of a workgroup's chunk.
#include "gpu/templates/reduce/sequence_reduce.h"

#include "lang/base/check.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kTurns = 4;  // under way together; ofTurns() is written for it

}  // namespace

SequenceReduce::SequenceReduce(const ReduceNest& nest, const FlatInputs& flat,
                               const WorkgroupReduceSchedule& schedule)
    : kernel_(nest, flat, "_ordered", schedule.workgroup, schedule.lanes),
      code_(kernel_.code),
      ops_(kernel_.ops) {
  HALO_CHECK(schedule.vectors == kTurns, "turns of a lane");
}

bool SequenceReduce::run(const SegmentChunks& chunks, ChunkValues& values) {
  const Operand workgroups = kernel_.nest.host.mul(chunks.segments, chunks.count);
  chunk_ = kernel_.openChunk(chunks, workgroups);
  const Operands inner = kernel_.ofWorkgroup(ofSubgroup());
  const std::vector<VarId> total = ops_.declare("total", inner);
  addEnds(total);
  code_.ifThenElse(prim(Op::kEq, kernel_.lid, i64(0)), [&] {
    values.store(kernel_.scope, chunk_.item, chunk_.segment.indices, asOperands(total));
  });
  values.finish(kernel_.scope);
  return kernel_.launch(workgroups);
}

// The first lane adds vectors that only begin or end in the chunk.
void SequenceReduce::addEnds(const std::vector<VarId>& total) {
  const Operand leads = prim(Op::kEq, kernel_.lid, i64(0));
  auto inChunk = [&](size_t, const Operand& i) {
    return kernel_.both(prim(Op::kGe, i, chunk_.begin), prim(Op::kLt, i, chunk_.end));
  };
  auto part = [&](const Operand& end, bool is_head) {
    const Operand is_part = prim(Op::kNe, prim(Op::kAnd, end, i64(3)), i64(0));
    code_.ifThenElse(kernel_.both(leads, is_part), [&] {
      const Operand at = kernel_.firstOfVector(end);
      const std::vector<Operands> loaded = kernel_.map.load(at);
      const Operands ends = kernel_.combined({at, loaded, chunk_.segment, inChunk, false});
      const Operands so_far = asOperands(total);
      assignAll(code_, total, is_head ? ops_.apply(ends, so_far) : ops_.apply(so_far, ends));
    });
  };
  part(chunk_.begin, true);
  // Where the chunk ends in the vector that it begins in, that was all.
  const Operand vector_of_end = prim(Op::kMachineShr, chunk_.end, i64(2));
  const Operand is_other = prim(Op::kGe, code_.mul(vector_of_end, i64(4)), chunk_.begin);
  code_.ifThenElse(is_other, [&] { part(chunk_.end, false); });
}

// The whole vectors of the chunk, as many for each subgroup as make full rounds.
Operands SequenceReduce::ofSubgroup() {
  const int64_t lanes = kernel_.lanes;
  const Operand first = prim(Op::kMachineShr, code_.add(chunk_.begin, i64(3)), i64(2));
  const Operand after = code_.max(prim(Op::kMachineShr, chunk_.end, i64(2)), first);
  const int64_t at_once = lanes * kTurns;
  const Operand all_turns =
      divideUp(code_, code_.sub(after, first), i64(at_once * (kernel_.workgroup / lanes)));
  const Operand skipped = code_.mul(kernel_.subgroup, code_.mul(all_turns, i64(at_once)));
  const Operand mine = code_.add(first, skipped);
  std::vector<VarId> sum = ops_.declare("sum", ops_.neutral());
  code_.forLoop("round", i64(0), all_turns, [&](const Operand& round) {
    const Operand from = code_.add(mine, code_.mul(round, i64(at_once)));
    std::vector<Operand> at;
    std::vector<std::vector<Operands>> loaded;
    for (int64_t t = 0; t < kTurns; ++t) {
      at.push_back(code_.add(from, code_.add(kernel_.lane, i64(t * lanes))));
      // Lanes behind the end look at the last vector.
      const Operand there = code_.min(at.back(), code_.max(code_.sub(after, i64(1)), i64(0)));
      loaded.push_back(kernel_.map.load(code_.mul(there, i64(4))));
    }
    std::vector<Operands> values;
    for (size_t t = 0; t < at.size(); ++t) {
      const Operand exists = prim(Op::kLt, at[t], after);
      auto inside = [&](size_t, const Operand&) { return exists; };
      const Operand vector = code_.mul(at[t], i64(4));
      const Operands four = kernel_.combined({vector, loaded[t], chunk_.segment, inside, true});
      values.push_back(ops_.select(exists, four, ops_.neutral()));
    }
    const Operands together = ofTurns(std::move(values));
    assignAll(code_, sum, ops_.apply(asOperands(sum), together));
  });
  return asOperands(sum);
}

// In lane 0: the four rounds of the subgroup's lanes, round by round.
Operands SequenceReduce::ofTurns(std::vector<Operands> values) {
  // Lanes with numbers 0, 1, 2, 3 mod 4 get rounds 0, 1, 2, 3.
  const Operands low = halved(values[0], values[1], 1);
  const Operands high = halved(values[2], values[3], 1);
  Operands value = halved(low, high, 2);
  for (int64_t d = 4; d < kernel_.lanes; d *= 2) value = withNext(value, static_cast<uint32_t>(d));
  for (uint32_t d : {1U, 2U}) value = withNext(value, d);
  return value;
}

// Of lanes whose numbers differ in this bit, the lower one combines both values of `even`, the
// other one those of `odd`.
Operands SequenceReduce::halved(const Operands& even, const Operands& odd, uint32_t bit) {
  const Operand is_upper = prim(Op::kNe, prim(Op::kAnd, kernel_.lane, i64(bit)), i64(0));
  const Operands far = ops_.shuffle(ShuffleKind::kXor, ops_.select(is_upper, even, odd), u32(bit));
  return ops_.apply(ops_.select(is_upper, far, even), ops_.select(is_upper, odd, far));
}

// With that of a later lane; those that have none get an unused value.
Operands SequenceReduce::withNext(const Operands& value, uint32_t distance) {
  return ops_.apply(value, ops_.shuffle(ShuffleKind::kDown, value, u32(distance)));
}

}  // namespace halo::gpu
