// `lanes`: a run of G lanes, a power of two within a subgroup, has some segments and reads their
// vectors in turns. Where segments are not whole vectors, it begins with the one that the first
// element lies in, and elements of other segments count as neutral ones:
//
//   memory   | . . a a | a a a a | a a a a | a . . .      G = 2: lanes 0 1 0 1
//
// `chunks`: a workgroup has a part of a segment, whose inner vectors need no such care; lanes 0 and
// 1 do the elements at its ends. Both combine lanes by shuffles. The order depends on extents and
// on the size of subgroups alone.
#include "gpu/templates/reduce/reduce_lanes.h"

#include <algorithm>

#include "gpu/plan/nests/nest.h"
#include "gpu/templates/reduce/reduce_ordered.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr size_t kReduceLanesMostWords = 6;
constexpr size_t kMostWordsInOrder = 8;
constexpr int64_t kGroup256 = 256;
const int kReduceLanesWorkgroup[3] = {kGroup256, 1, 1};
// Segments of a run and turns of it under way together. Short segments that begin anywhere: one at
// a time, as its turns find the rest of each other's vectors in the cache.
struct Together {
  int64_t segments, turns;
};
constexpr Together kUsual = {4, 1};
constexpr Together kShortBetween = {1, 2};
constexpr int64_t kMostShortBetween = 45;     // elements, for runs of up to four lanes
constexpr int64_t kOfChunk = 4;               // vectors of a workgroup's lane under way together
constexpr int64_t kReduceLanesGroups = 1024;  // fills a large device
constexpr int64_t kReduceLanesLeastChunk = 4 * kGroup256 * kOfChunk;
constexpr int64_t kShortSegment = 512;    // always by runs
constexpr int64_t kMediumSegment = 8192;  // by runs where there are many and vectors begin them
constexpr int64_t kManySegments = 16384;
constexpr int64_t kLongestOfRuns = int64_t{1} << 20;  // also where runs are asked for

// Of four elements, which count: all, all or none, those in the segment, those between two places.
enum class Guard : uint8_t { kNone, kVector, kSegment, kElements };

// One kernel: the common part of both schedules.
class LaneKernel {
 public:
  LaneKernel(Program& program, Builder& host, const KernelCall& call,
             const std::vector<const core::Screma*>& levels, const OuterLevels& outer,
             const FlatInputs& flat, const char* name)
      : host_(host),
        call_(call),
        outer_(outer),
        scope_(program, host, call, call.function.name + name),
        code_(scope_.code()),
        segments_(outer.count(host)),
        width_(operandOf(call.arguments, levels.back()->width)),
        cells_(host.mul(segments_, width_)),
        ops_(scope_, *levels.back()),
        map_(scope_, levels, outer, flat, cells_) {
    const int64_t lanes = call.variants.subgroup;
    lane_ = scope_.builtIn(BuiltIn::kLane, lanes);
    subgroup_ = scope_.builtIn(BuiltIn::kSubgroup, kGroup256 / lanes);
    lid_ = code_.add(code_.mul(subgroup_, i64(lanes)), lane_);
  }

  // A run of 2^log_lanes lanes for each segment, and several segments at a time.
  bool lanes(const Operand& log_lanes, bool aligned, const Together& usual) {
    Operand log = within(scope_.scalar(log_lanes), i64(8));
    Operand lanes = prim(Op::kMachineShl, i64(1), log);
    const int64_t together = call_.variants.number("lanes", 1, usual.segments);
    const int64_t at_once = call_.variants.number("lanes", 2, usual.turns);
    Operand number = prim(Op::kAnd, lid_, code_.sub(lanes, i64(1)));
    Operand runs = prim(Op::kMachineShr, i64(kGroup256), log);
    Operand first = code_.mul(scope_.groupId(), code_.mul(runs, i64(together)));
    first = code_.add(first, prim(Op::kMachineShr, lid_, log));
    Operands items;
    std::vector<Segment> segments;
    for (int64_t q = 0; q < together; q++) {
      Operand item = code_.add(first, code_.mul(runs, i64(q)));
      items.push_back(within(item, scope_.scalar(segments_)));
      segments.push_back(openSegment(items.back()));
    }
    Operand width = within(scope_.scalar(width_), i64(kLongestOfRuns));
    length_ = asWord(code_, width);
    Operand vectors = prim(Op::kMachineShr, code_.add(width, i64(aligned ? 0 : 6)), i64(2));
    Operand rounds = prim(Op::kMachineShr, code_.add(vectors, code_.sub(lanes, i64(1))), log);
    if (at_once > 1) rounds = divideUp(code_, rounds, i64(at_once));
    declareSums(together);
    code_.forLoop("round", i64(0), rounds, [&](const Operand& round) {
      std::vector<Turn> turns;
      for (int64_t u = 0; u < at_once; u++) {
        Operand number_of_turn = code_.add(code_.mul(round, i64(at_once)), i64(u));
        Operand turn = code_.add(code_.mul(number_of_turn, lanes), number);
        turns.push_back({code_.mul(turn, i64(4)), prim(Op::kLt, turn, vectors)});
      }
      addOfEach(segments, turns, aligned ? Guard::kVector : Guard::kSegment);
    });
    combineRuns(lanes);
    storeRuns(segments, items, number);
    Operand host_runs = host_.prim(Op::kMachineShr, ScalarType::kI64, {i64(kGroup256), log_lanes});
    Operand of_group = host_.mul(host_runs, i64(together));
    scope_.launch(kReduceLanesWorkgroup, {divideUp(host_, segments_, of_group), i64(1), i64(1)});
    return !scope_.unsupported();
  }

  bool chunks(const Chunks& chunks) {
    Operand groups = host_.mul(chunks.segments, chunks.count);
    Operand item = within(scope_.groupId(), scope_.scalar(groups));
    Operand segments = scope_.scalar(segments_);
    Operand chunk = prim(Op::kMachineDiv, item, segments);
    whole_ = openSegment(code_.sub(item, code_.mul(chunk, segments)));
    Operand skipped = code_.mul(chunk, scope_.scalar(chunks.length));
    skipped = within(skipped, scope_.scalar(width_));
    begin_ = code_.min(code_.add(whole_.begin, skipped), whole_.end);
    end_ = code_.min(code_.add(begin_, scope_.scalar(chunks.length)), whole_.end);
    declareSums(kOfChunk);
    innerVectors();
    ends();
    Operands total = combineGroup(combineLanes(sumOfSums()));
    code_.ifThenElse(prim(Op::kEq, lid_, i64(0)), [&] { chunks.put(scope_, item, total); });
    scope_.launch(kReduceLanesWorkgroup, {groups, i64(1), i64(1)});
    return !scope_.unsupported();
  }

 private:
  Operand prim(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }
  Operand both(const Operand& a, const Operand& b) {
    return code_.prim(Op::kAnd, ScalarType::kBool, {a, b});
  }
  // Bounds that hold anyway show that arithmetic needs no more than 32 bits (raise.h, narrow).
  Operand within(const Operand& value, const Operand& most) {
    return code_.max(code_.min(value, most), i64(0));
  }

  Operand isBelow(const Operand& word, size_t plus, const Operand& end) {
    Operand moved = plus == 0 ? word
                              : code_.prim(Op::kAdd, ScalarType::kU32,
                                           {word, u32(static_cast<uint32_t>(plus))});
    return code_.prim(Op::kLt, ScalarType::kU32, {moved, end});
  }

  struct Segment {
    Operand begin, end;  // numbers of elements among all
    Operands indices;
    Environment levels;  // with the bindings of the levels around
  };
  // Invocations without a segment look at the last one.
  Segment openSegment(const Operand& number) {
    Operand last = code_.sub(scope_.scalar(segments_), i64(1));
    Operand segment = within(number, last);
    Operand cells = scope_.scalar(cells_);
    Operand begin = within(code_.mul(segment, scope_.scalar(width_)), cells);
    Operand end = code_.min(code_.add(begin, scope_.scalar(width_)), cells);
    Operands extents;
    for (const Operand& extent : outer_.extents()) extents.push_back(scope_.scalar(extent));
    Operands indices = indicesOf(code_, segment, extents);
    return {begin, end, indices, map_.bound(segment, indices)};
  }

  // A lane's vectors `skipped` elements behind those that the segments' first elements lie in.
  struct Turn {
    Operand skipped, exists;
  };
  void addOfEach(const std::vector<Segment>& segments, const std::vector<Turn>& turns,
                 Guard guard) {
    std::vector<Operand> at;
    std::vector<std::vector<Operands>> loaded;
    for (const Turn& turn : turns) {
      for (const Segment& segment : segments) {
        Operand first = segment.begin;
        if (guard == Guard::kSegment) first = prim(Op::kAnd, first, i64(~int64_t{3}));
        at.push_back(code_.add(first, turn.skipped));
        Operand last =
            prim(Op::kAnd, code_.max(code_.sub(segment.end, i64(1)), i64(0)), i64(~int64_t{3}));
        loaded.push_back(map_.load(code_.min(at.back(), last)));
      }
    }
    for (size_t k = 0; k < at.size(); k++) {
      const size_t q = k % segments.size();
      begin_ = segments[q].begin;
      end_ = segments[q].end;
      turn_exists_ = turns[k / segments.size()].exists;
      add(sums_[q], at[k], loaded[k], segments[q], guard);
    }
  }

  // Each lane's sums become those of its run.
  void combineRuns(const Operand& lanes) {
    for (int64_t d = 1; d < call_.variants.subgroup; d *= 2) {
      Operand distance = u32(static_cast<uint32_t>(d));
      code_.ifThenElse(prim(Op::kGt, lanes, i64(d)), [&] {
        for (const std::vector<VarId>& sum : sums_) {
          Operands far = ops_.shuffle(ShuffleKind::kXor, asOperands(sum), distance);
          assignAll(code_, sum, ops_.apply(asOperands(sum), far));
        }
      });
    }
  }

  void storeRuns(const std::vector<Segment>& segments, const Operands& items,
                 const Operand& number) {
    code_.ifThenElse(prim(Op::kEq, number, i64(0)), [&] {
      for (size_t q = 0; q < segments.size(); q++) {
        Operand exists = prim(Op::kLt, items[q], scope_.scalar(segments_));
        code_.ifThenElse(exists, [&] {
          for (size_t k = 0; k < sums_[q].size(); k++) {
            storeElement(code_, scope_.array(call_.results[k]), segments[q].indices, sums_[q][k]);
          }
        });
      }
    });
  }

  void declareSums(int64_t count) {
    for (int64_t u = 0; u < count; u++) sums_.push_back(ops_.declare("acc", ops_.neutral()));
  }

  // sum := op(sum, the four elements at `at`), as far as the guard lets them.
  void add(const std::vector<VarId>& sum, const Operand& at, const std::vector<Operands>& loaded,
           const Segment& segment, Guard guard) {
    std::vector<Operands> x;
    Operands insides;
    Operand place = guard == Guard::kSegment ? asWord(code_, code_.sub(at, begin_)) : Operand();
    for (size_t c = 0; c < kFour; c++) {
      Operand i = code_.add(at, i64(static_cast<int64_t>(c)));
      Operand inside = prim::Scalar::ofBool(true);
      if (guard == Guard::kVector) inside = turn_exists_;
      if (guard == Guard::kElements)
        inside = both(prim(Op::kGe, i, begin_), prim(Op::kLt, i, end_));
      if (guard == Guard::kSegment) inside = isBelow(place, c, length_);
      insides.push_back(inside);
      auto indices = [this, i, &segment] {
        Operands all = segment.indices;
        all.push_back(within(code_.sub(i, segment.begin), scope_.scalar(width_)));
        return all;
      };
      bool later = guard == Guard::kNone || guard == Guard::kVector;
      x.push_back(
          map_.valuesAndPassed(ops_, {i, loaded, c, indices, &segment.levels}, inside, later));
    }
    const bool is_partial = guard == Guard::kSegment || guard == Guard::kElements;
    const Operand all_inside = is_partial ? both(insides[0], insides[kFour - 1]) : insides[0];
    map_.storeFour(at, all_inside, insides, x);
    Operands low = ops_.apply(x[0], x[1]);
    Operands high = ops_.apply(x[2], x[3]);
    Operands four = ops_.apply(low, high);
    Operands all = ops_.apply(asOperands(sum), four);
    if (guard == Guard::kVector) all = ops_.select(turn_exists_, all, asOperands(sum));
    assignAll(code_, sum, all);
  }

  void innerVectors() {
    first_ = prim(Op::kMachineShr, code_.add(begin_, i64(3)), i64(2));
    after_ = prim(Op::kMachineShr, end_, i64(2));
    Operand vectors = code_.max(code_.sub(after_, first_), i64(0));
    Operand rounds = prim(Op::kMachineDiv, vectors, i64(kGroup256 * kOfChunk));
    auto vectorAt = [&](const Operand& number) {
      return code_.mul(code_.add(first_, number), i64(4));
    };
    code_.forLoop("round", i64(0), rounds, [&](const Operand& round) {
      std::vector<Operand> at;
      std::vector<std::vector<Operands>> loaded;
      for (int64_t u = 0; u < kOfChunk; u++) {
        Operand turn = code_.add(code_.mul(round, i64(kOfChunk)), i64(u));
        at.push_back(vectorAt(code_.add(code_.mul(turn, i64(kGroup256)), lid_)));
        loaded.push_back(map_.load(at.back()));
      }
      for (size_t u = 0; u < at.size(); u++) add(sums_[u], at[u], loaded[u], whole_, Guard::kNone);
    });
    Operand done = code_.mul(rounds, i64(kGroup256 * kOfChunk));
    Operand left = code_.max(code_.sub(code_.sub(vectors, done), lid_), i64(0));
    Operand turns = divideUp(code_, left, i64(kGroup256));
    code_.forLoop("turn", i64(0), turns, [&](const Operand& turn) {
      Operand number = code_.add(code_.add(code_.mul(turn, i64(kGroup256)), lid_), done);
      Operand at = vectorAt(number);
      add(sums_[0], at, map_.load(at), whole_, Guard::kNone);
    });
  }

  // The vectors that only begin or end in the chunk.
  void ends() {
    Operand is_head = prim(Op::kEq, lid_, i64(0));
    Operand head = prim(Op::kAnd, begin_, i64(~int64_t{3}));
    Operand head_is_part = prim(Op::kNe, prim(Op::kAnd, begin_, i64(3)), i64(0));
    Operand tail = code_.mul(after_, i64(4));
    Operand tail_is_part = prim(Op::kNe, prim(Op::kAnd, end_, i64(3)), i64(0));
    tail_is_part = both(tail_is_part, prim(Op::kGe, after_, first_));
    Operand at = code_.let("at", ScalarType::kI64, Select{is_head, head, tail});
    Operand is_part =
        code_.let("part", ScalarType::kBool, Select{is_head, head_is_part, tail_is_part});
    Operand mine = both(is_part, prim(Op::kLt, lid_, i64(2)));
    code_.ifThenElse(mine, [&] { add(sums_[0], at, map_.load(at), whole_, Guard::kElements); });
  }

  Operands sumOfSums() {
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
  Operands combineLanes(Operands value) {
    for (int64_t d = 1; d < call_.variants.subgroup; d *= 2) {
      Operands far = ops_.shuffle(ShuffleKind::kXor, value, u32(static_cast<uint32_t>(d)));
      value = ops_.apply(value, far);
    }
    return value;
  }

  // Lane 0 gets the value of all subgroups.
  Operands combineGroup(const Operands& value) {
    const int64_t subgroups = kGroup256 / call_.variants.subgroup;
    std::vector<BufferId> parts = ops_.shared("part", subgroups);
    code_.ifThenElse(prim(Op::kEq, lane_, i64(0)), [&] { ops_.store(parts, subgroup_, value); });
    code_.append(Barrier{});
    Operands total = ops_.load(parts, i64(0));
    for (int64_t g = 1; g < subgroups; g++) {
      total = ops_.apply(total, ops_.load(parts, i64(g)));
    }
    return total;
  }

  Builder& host_;
  const KernelCall& call_;
  const OuterLevels& outer_;
  KernelScope scope_;
  Builder& code_;
  Operand segments_, width_, cells_;  // host
  Operators ops_;
  ElementMap map_;
  Operand lane_, subgroup_, lid_;
  Segment whole_;          // that the chunk is of
  Operand begin_, end_;    // of the summands: numbers of elements among all
  Operand first_, after_;  // vectors that lie in it
  Operand turn_exists_;    // whether the vectors at hand do
  Operand length_;         // of segments, u32
  std::vector<std::vector<VarId>> sums_;
};

}  // namespace

LaneReduce::LaneReduce(Program& program, Builder& host, const KernelCall& call)
    : program_(program),
      host_(host),
      call_(call),
      levels_(reduceNest(call.core, std::get<core::Screma>(lastStatement(call).expr))),
      outer_(call, levels_),
      flat_(call, levels_),
      any_order_(inAnyOrder(levels_.back()->reductions)) {}

bool LaneReduce::applies() const {
  const core::Screma& screma = *levels_.back();
  return hasLanes(call_.variants) && (any_order_ || call_.variants.allows("chunks")) &&
         isStraight(call_.core, screma, any_order_ ? kReduceLanesMostWords : kMostWordsInOrder) &&
         !mentionsLevels(call_.core, levels_) && flat_.any();
}

Operand LaneReduce::lanesPay() {
  if (levels_.size() == 1 || !any_order_ || !call_.variants.allows("lanes"))
    return prim::Scalar::ofBool(false);
  auto prim = [&](Op op, const Operand& a, const Operand& b, ScalarType type = ScalarType::kI64) {
    return host_.prim(op, type, {a, b});
  };
  Operand width = operandOf(call_.arguments, levels_.back()->width);
  if (call_.variants.forced == "lanes") return prim(Op::kLe, width, i64(kLongestOfRuns));
  Operand is_short = prim(Op::kLe, width, i64(kShortSegment));
  Operand is_medium = prim(Op::kLe, width, i64(kMediumSegment));
  Operand many = prim(Op::kGe, outer_.count(host_), i64(kManySegments));
  Operand are_enough = prim(Op::kAnd, is_medium, many, ScalarType::kBool);
  Operand even = prim(Op::kEq, prim(Op::kAnd, width, i64(3)), i64(0));
  are_enough = prim(Op::kAnd, are_enough, even, ScalarType::kBool);
  return prim(Op::kOr, is_short, are_enough, ScalarType::kBool);
}

TemplateResult LaneReduce::runLanes() {
  call_.variants.say(call_.function.name + ": lanes of a subgroup for each segment");
  Operand width = operandOf(call_.arguments, levels_.back()->width);
  bool supported = true;
  auto launch = [&](const char* name, bool by_four, const Together& together) {
    LaneKernel kernel(program_, host_, call_, levels_, outer_, flat_, name);
    supported = kernel.lanes(logLanes(width, by_four), by_four, together) && supported;
  };
  auto prim = [&](Op op, const Operand& a, const Operand& b) {
    return host_.prim(op, ScalarType::kI64, {a, b});
  };
  branch(
      host_, prim(Op::kEq, prim(Op::kAnd, width, i64(3)), i64(0)),
      [&] { launch("_lanes", true, kUsual); },
      [&] {
        branch(
            host_, prim(Op::kLe, width, i64(kMostShortBetween)),
            [&] { launch("_lanes_short", false, kShortBetween); },
            [&] { launch("_lanes_between", false, kUsual); });
      });
  return {{}, supported};
}

// A lane for each vector; where segments begin between vectors, three turns fill lanes better.
Operand LaneReduce::logLanes(const Operand& width, bool aligned) {
  if (int64_t asked = call_.variants.number("lanes", 0, 0); asked > 0) {
    int64_t log = 0;
    while (log < 5 && int64_t{2} << log <= std::min<int64_t>(asked, call_.variants.subgroup)) log++;
    return i64(log);
  }
  Operand log_lanes = i64(0);
  for (int64_t log = 1; int64_t{1} << log <= call_.variants.subgroup; log++) {
    int64_t fewer = int64_t{1} << (log - 1);
    Operand needs = host_.prim(Op::kGt, ScalarType::kI64,
                               {width, i64(aligned ? fewer * 4 : fewer * 3 * 4 - 3)});
    log_lanes = host_.let("log_lanes", ScalarType::kI64, Select{needs, i64(log), log_lanes});
  }
  return log_lanes;
}

Chunks LaneReduce::chunks() {
  Operand width = operandOf(call_.arguments, levels_.back()->width);
  Operand segments = outer_.count(host_);
  Operand wanted = divideUp(host_, i64(kReduceLanesGroups), host_.max(segments, i64(1)));
  Operand most =
      host_.prim(Op::kMachineDiv, ScalarType::kI64, {width, i64(kReduceLanesLeastChunk)});
  Operand about = host_.max(host_.min(wanted, most), i64(1));
  // Full rounds of all lanes: the vectors that are left of one would be read one after another.
  Operand rounds = divideUp(host_, divideUp(host_, width, about), i64(kReduceLanesLeastChunk));
  Operand length =
      host_.max(host_.mul(rounds, i64(kReduceLanesLeastChunk)), i64(kReduceLanesLeastChunk));
  Operand count = host_.max(divideUp(host_, width, length), i64(1));
  return {segments, count, length, {}};
}

bool LaneReduce::runChunks(const Chunks& chunks) {
  call_.variants.say(call_.function.name + ": a workgroup for each chunk of a segment" +
                     (any_order_ ? "" : ", in order"));
  if (!any_order_) {
    return OrderedChunks(program_, host_, call_, levels_, outer_, flat_).run(chunks);
  }
  return LaneKernel(program_, host_, call_, levels_, outer_, flat_, "_chunks").chunks(chunks);
}

}  // namespace halo::gpu
