// A chunk has inner vectors, all of whose elements count, and up to two that only begin or end in
// it. Lanes 0 and 1 combine the elements of these. Operators that take elements in any order are
// here, the others in sequence_reduce.h.
#include "gpu/templates/reduce/workgroup_reduce.h"

#include "gpu/templates/reduce/sequence_reduce.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class WorkgroupReduce {
 public:
  WorkgroupReduce(const ReduceNest& nest, const FlatInputs& flat,
                  const WorkgroupReduceSchedule& schedule)
      : schedule_(schedule),
        kernel_(nest, flat, "_chunks", schedule.workgroup, schedule.lanes),
        code_(kernel_.code),
        ops_(kernel_.ops) {}

  bool run(const SegmentChunks& chunks, ChunkValues& values) {
    const Operand workgroups = kernel_.nest.host.mul(chunks.segments, chunks.count);
    chunk_ = kernel_.openChunk(chunks, workgroups);
    for (int64_t u = 0; u < schedule_.vectors; ++u) {
      sums_.push_back(ops_.declare("acc", ops_.neutral()));
    }
    innerVectors();
    ends();
    Operands total = kernel_.ofWorkgroup(ofSubgroup(ofLane()));
    code_.ifThenElse(prim(Op::kEq, kernel_.lid, i64(0)), [&] {
      values.store(kernel_.scope, chunk_.item, chunk_.segment.indices, total);
    });
    values.finish(kernel_.scope);
    return kernel_.launch(workgroups);
  }

 private:
  Operand prim(Op op, const Operand& a, const Operand& b) { return kernel_.prim(op, a, b); }

  Operand vectorAt(const Operand& number) { return code_.mul(code_.add(first_, number), i64(4)); }
  // sum := op(sum, the vector at `at`)
  void addWhole(const std::vector<VarId>& sum, const Operand& at,
                const std::vector<Operands>& loaded) {
    auto inside = [](size_t, const Operand&) { return Operand(prim::Scalar::ofBool(true)); };
    Operands four = kernel_.combined({at, loaded, chunk_.segment, inside, true});
    assignAll(code_, sum, ops_.apply(asOperands(sum), four));
  }

  // Full rounds of all lanes, several vectors of each lane under way; then the rest.
  void innerVectors() {
    const int64_t round_vectors = schedule_.workgroup * schedule_.vectors;
    first_ = prim(Op::kMachineShr, code_.add(chunk_.begin, i64(3)), i64(2));
    after_ = prim(Op::kMachineShr, chunk_.end, i64(2));
    Operand vectors = code_.max(code_.sub(after_, first_), i64(0));
    Operand rounds = prim(Op::kMachineDiv, vectors, i64(round_vectors));
    code_.forLoop("round", i64(0), rounds, [&](const Operand& round) { addRound(round); });
    Operand done = code_.mul(rounds, i64(round_vectors));
    Operand left = code_.max(code_.sub(code_.sub(vectors, done), kernel_.lid), i64(0));
    Operand turns = divideUp(code_, left, i64(schedule_.workgroup));
    code_.forLoop("turn", i64(0), turns, [&](const Operand& turn) {
      Operand of_lane = code_.add(code_.mul(turn, i64(schedule_.workgroup)), kernel_.lid);
      Operand at = vectorAt(code_.add(of_lane, done));
      addWhole(sums_[0], at, kernel_.map.load(at));
    });
  }
  void addRound(const Operand& round) {
    std::vector<Operand> at;
    std::vector<std::vector<Operands>> loaded;
    for (int64_t u = 0; u < schedule_.vectors; ++u) {
      Operand turn = code_.add(code_.mul(round, i64(schedule_.vectors)), i64(u));
      at.push_back(vectorAt(code_.add(code_.mul(turn, i64(schedule_.workgroup)), kernel_.lid)));
      loaded.push_back(kernel_.map.load(at.back()));
    }
    for (size_t u = 0; u < at.size(); ++u) addWhole(sums_[u], at[u], loaded[u]);
  }

  // The vectors that only begin or end in the chunk.
  void ends() {
    Operand is_head = prim(Op::kEq, kernel_.lid, i64(0));
    Operand head = kernel_.firstOfVector(chunk_.begin);
    Operand head_is_part = prim(Op::kNe, prim(Op::kAnd, chunk_.begin, i64(3)), i64(0));
    Operand tail = code_.mul(after_, i64(4));
    Operand tail_is_part = prim(Op::kNe, prim(Op::kAnd, chunk_.end, i64(3)), i64(0));
    tail_is_part = kernel_.both(tail_is_part, prim(Op::kGe, after_, first_));
    Operand at = code_.let("at", ScalarType::kI64, Select{is_head, head, tail});
    Operand is_part =
        code_.let("part", ScalarType::kBool, Select{is_head, head_is_part, tail_is_part});
    Operand mine = kernel_.both(is_part, prim(Op::kLt, kernel_.lid, i64(2)));
    auto inside = [&](size_t, const Operand& i) {
      return kernel_.both(prim(Op::kGe, i, chunk_.begin), prim(Op::kLt, i, chunk_.end));
    };
    code_.ifThenElse(mine, [&] {
      const std::vector<Operands> loaded = kernel_.map.load(at);
      Operands four = kernel_.combined({at, loaded, chunk_.segment, inside, false});
      assignAll(code_, sums_[0], ops_.apply(asOperands(sums_[0]), four));
    });
  }

  // A tree over the lane's sums.
  Operands ofLane() {
    std::vector<Operands> level;
    for (const std::vector<VarId>& sum : sums_) level.push_back(asOperands(sum));
    while (level.size() > 1) {
      std::vector<Operands> next;
      for (size_t k = 0; k + 1 < level.size(); k += 2) {
        next.push_back(ops_.apply(level[k], level[k + 1]));
      }
      level = std::move(next);
    }
    return level[0];
  }
  // In each lane the combination of its subgroup.
  Operands ofSubgroup(Operands value) {
    for (int64_t d = 1; d < schedule_.lanes; d *= 2) {
      Operands far = ops_.shuffle(ShuffleKind::kXor, value, u32(static_cast<uint32_t>(d)));
      value = ops_.apply(value, far);
    }
    return value;
  }

  const WorkgroupReduceSchedule& schedule_;
  VectorReduce kernel_;
  Builder& code_;
  Operators& ops_;
  VectorChunk chunk_;
  Operand first_, after_;  // numbers of the vectors that lie in the chunk
  std::vector<std::vector<VarId>> sums_;
};

// Full rounds of all lanes: the vectors that are left of one would be read one after another.
// Partial values of a longer reduction have its chunks (core/chunk_sums.h).
SegmentChunks chunksOfSegments(const ReduceNest& nest, const WorkgroupReduceSchedule& schedule) {
  Builder& host = nest.host;
  const Operand width = nest.width(), segments = nest.segments();
  if (nest.screma.partial_values) {
    return {segments, operandOf(nest.call.arguments, *nest.screma.partial_values),
            operandOf(nest.call.arguments, *nest.screma.chunk)};
  }
  const Operand whole = nest.wholeSegments();
  Operand tile = i64(schedule.tile());
  if (schedule.short_chunks > 0) {
    const Operand is_short =
        host.prim(Op::kLe, ScalarType::kI64, {width, i64(schedule.short_chunks)});
    tile = host.let("tile", ScalarType::kI64, Select{is_short, i64(schedule.shortTile()), tile});
  }
  Operand wanted = divideUp(host, i64(schedule.workgroups), host.max(whole, i64(1)));
  Operand most = host.prim(Op::kMachineDiv, ScalarType::kI64, {width, tile});
  Operand about = host.max(host.min(wanted, most), i64(1));
  Operand rounds = divideUp(host, divideUp(host, width, about), tile);
  Operand length = host.max(host.mul(rounds, tile), tile);
  Operand count = host.max(divideUp(host, width, length), i64(1));
  return {segments, count, length};
}

}  // namespace

TemplateResult emitWorkgroups(const ReduceNest& nest, const FlatInputs& flat,
                              const WorkgroupReduceSchedule& schedule) {
  const SegmentChunks chunks = chunksOfSegments(nest, schedule);
  const auto first = [&](ChunkValues& values) {
    if (schedule.order == WorkgroupReduceSchedule::Order::kSequence) {
      return SequenceReduce(nest, flat, schedule).run(chunks, values);
    }
    return WorkgroupReduce(nest, flat, schedule).run(chunks, values);
  };
  const bool is_one =
      schedule.finish == Finish::kLastWorkgroup && !nest.screma.partial_values.has_value();
  return is_one ? reduceInOneLaunch(nest, chunks, first) : reduceInStages(nest, chunks, first);
}

}  // namespace halo::gpu
