// A run of G lanes, a power of two within a subgroup, has some segments and reads their vectors in
// rounds. Where segments are not whole vectors, it begins with the vector that holds the first
// element. Elements of other segments count as neutral ones:
//
//   memory   | . . a a | a a a a | a a a a | a . . .      G = 2: lanes 0 1 0 1
//
// Shuffles combine the lanes of a run.
#include "gpu/templates/reduce/subgroup_reduce.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kMaxSegment = int64_t{1} << 20;  // elements; lengths fit 32 bits

class SubgroupReduce {
 public:
  SubgroupReduce(const ReduceNest& nest, const FlatInputs& flat,
                 const SubgroupReduceSchedule& schedule, const char* name)
      : schedule_(schedule),
        is_aligned_(schedule.is_aligned),
        kernel_(nest, flat, name, schedule.workgroup, schedule.lanes),
        scope_(kernel_.scope),
        code_(kernel_.code),
        ops_(kernel_.ops) {}

  // `log_run`: 2^log_run lanes of a run; host.
  bool run(const Operand& log_run) {
    Operand log = within(code_, scope_.scalar(log_run), i64(8));
    Operand lanes = prim(Op::kMachineShl, i64(1), log);
    Operand number = prim(Op::kAnd, kernel_.lid, code_.sub(lanes, i64(1)));
    openSegments(log);
    Operand width = within(code_, scope_.scalar(kernel_.width), i64(kMaxSegment));
    length_ = asWord(code_, width);
    const int64_t skipped = is_aligned_ ? 0 : 6;
    Operand vectors = prim(Op::kMachineShr, code_.add(width, i64(skipped)), i64(2));
    Operand rounds = prim(Op::kMachineShr, code_.add(vectors, code_.sub(lanes, i64(1))), log);
    if (schedule_.turns > 1) rounds = divideUp(code_, rounds, i64(schedule_.turns));
    for (size_t q = 0; q < segments_.size(); ++q) {
      sums_.push_back(ops_.declare("acc", ops_.neutral()));
    }
    code_.forLoop("round", i64(0), rounds, [&](const Operand& round) {
      std::vector<Turn> turns;
      for (int64_t u = 0; u < schedule_.turns; ++u) {
        Operand number_of_turn = code_.add(code_.mul(round, i64(schedule_.turns)), i64(u));
        Operand turn = code_.add(code_.mul(number_of_turn, lanes), number);
        turns.push_back({code_.mul(turn, i64(4)), prim(Op::kLt, turn, vectors)});
      }
      addTurns(turns);
    });
    combineRuns(lanes);
    storeRuns(number);
    Builder& host = kernel_.nest.host;
    Operand runs =
        host.prim(Op::kMachineShr, ScalarType::kI64, {i64(schedule_.workgroup), log_run});
    Operand of_group = host.mul(runs, i64(schedule_.segments));
    return kernel_.launch(divideUp(host, kernel_.segments, of_group));
  }

 private:
  Operand prim(Op op, const Operand& a, const Operand& b) { return kernel_.prim(op, a, b); }

  // Those of this run: neighbouring runs have neighbouring segments.
  void openSegments(const Operand& log) {
    Operand runs = prim(Op::kMachineShr, i64(schedule_.workgroup), log);
    Operand first = code_.mul(scope_.groupId(), code_.mul(runs, i64(schedule_.segments)));
    first = code_.add(first, prim(Op::kMachineShr, kernel_.lid, log));
    for (int64_t q = 0; q < schedule_.segments; ++q) {
      Operand item = code_.add(first, code_.mul(runs, i64(q)));
      items_.push_back(within(code_, item, scope_.scalar(kernel_.segments)));
      segments_.push_back(kernel_.openSegment(items_.back()));
    }
  }

  // A lane's vectors `skipped` elements behind those that the segments' first elements lie in.
  struct Turn {
    Operand skipped, exists;
  };
  // All loads before the first sum.
  void addTurns(const std::vector<Turn>& turns) {
    std::vector<Operand> at;
    std::vector<std::vector<Operands>> loaded;
    for (const Turn& turn : turns) {
      for (const VectorSegment& segment : segments_) {
        Operand first = is_aligned_ ? segment.begin : kernel_.firstOfVector(segment.begin);
        at.push_back(code_.add(first, turn.skipped));
        Operand last = kernel_.firstOfVector(code_.max(code_.sub(segment.end, i64(1)), i64(0)));
        loaded.push_back(kernel_.map.load(code_.min(at.back(), last)));
      }
    }
    for (size_t k = 0; k < at.size(); ++k) {
      const size_t q = k % segments_.size();
      add(q, turns[k / segments_.size()].exists, at[k], loaded[k]);
    }
  }

  // The vector counts as a whole where segments are whole vectors, else its elements one by one.
  void add(size_t q, const Operand& exists, const Operand& at,
           const std::vector<Operands>& loaded) {
    Operand place = is_aligned_ ? Operand() : asWord(code_, code_.sub(at, segments_[q].begin));
    auto inside = [&](size_t c, const Operand&) {
      return is_aligned_ ? exists : isBelow(place, c, length_);
    };
    Operands four = kernel_.combined({at, loaded, segments_[q], inside, is_aligned_});
    Operands all = ops_.apply(asOperands(sums_[q]), four);
    if (is_aligned_) all = ops_.select(exists, all, asOperands(sums_[q]));
    assignAll(code_, sums_[q], all);
  }
  Operand isBelow(const Operand& word, size_t plus, const Operand& end) {
    const Operand distance = u32(static_cast<uint32_t>(plus));
    Operand moved = plus == 0 ? word : code_.prim(Op::kAdd, ScalarType::kU32, {word, distance});
    return code_.prim(Op::kLt, ScalarType::kU32, {moved, end});
  }

  // Each lane's sums become those of its run.
  void combineRuns(const Operand& lanes) {
    for (int64_t d = 1; d < schedule_.lanes; d *= 2) {
      Operand distance = u32(static_cast<uint32_t>(d));
      code_.ifThenElse(prim(Op::kGt, lanes, i64(d)), [&] {
        for (const std::vector<VarId>& sum : sums_) {
          Operands far = ops_.shuffle(ShuffleKind::kXor, asOperands(sum), distance);
          assignAll(code_, sum, ops_.apply(asOperands(sum), far));
        }
      });
    }
  }

  void storeRuns(const Operand& number) {
    code_.ifThenElse(prim(Op::kEq, number, i64(0)), [&] {
      for (size_t q = 0; q < segments_.size(); ++q) {
        Operand exists = prim(Op::kLt, items_[q], scope_.scalar(kernel_.segments));
        code_.ifThenElse(exists, [&] {
          kernel_.nest.store(scope_, segments_[q].indices, asOperands(sums_[q]));
        });
      }
    });
  }

  const SubgroupReduceSchedule& schedule_;
  bool is_aligned_;
  VectorReduce kernel_;
  KernelScope& scope_;
  Builder& code_;
  Operators& ops_;
  Operands items_;  // numbers of the run's segments
  std::vector<VectorSegment> segments_;
  Operand length_;  // of segments, u32
  std::vector<std::vector<VarId>> sums_;
};

// A lane for each vector; where segments begin between vectors, three rounds fill lanes better.
Operand logRun(const ReduceNest& nest, const SubgroupReduceSchedule& schedule) {
  Operand log_run = i64(0);
  const Operand width = nest.width();
  for (int64_t log = 1; int64_t{1} << log <= schedule.lanes; ++log) {
    if (schedule.run > 0) {
      if (int64_t{1} << log <= schedule.run) log_run = i64(log);
      continue;
    }
    const int64_t fewer = int64_t{1} << (log - 1);
    const int64_t filled = schedule.is_aligned ? fewer * 4 : fewer * 3 * 4 - 3;
    Operand needs = nest.host.prim(Op::kGt, ScalarType::kI64, {width, i64(filled)});
    log_run = nest.host.let("log_lanes", ScalarType::kI64, Select{needs, i64(log), log_run});
  }
  return log_run;
}

}  // namespace

TemplateResult emitSubgroups(const ReduceNest& nest, const FlatInputs& flat,
                             const SubgroupReduceSchedule& schedule) {
  const char* name = schedule.is_aligned      ? "_lanes"
                     : schedule.segments == 1 ? "_lanes_short"
                                              : "_lanes_between";
  SubgroupReduce kernel(nest, flat, schedule, name);
  return {{}, kernel.run(logRun(nest, schedule))};
}

}  // namespace halo::gpu
