// Each subgroup has a chunk of consecutive elements and takes some of every lane at a time. So
// those read together and those kept of them are adjacent:
//
//   step   | k = 0: lane 0, lane 1, .. | k = 1: lane 0, ..
//
// (1) It counts its chunk's flags, each workgroup those of its subgroups together. (2) A workgroup
// adds up the counts of those before it, a subgroup also those before it in the workgroup. Then it
// goes over its chunk again and knows for each element how many flags there are before.
//
// A flag is a bit of a byte, byte k % 4 of word k / 4. Adding up words over the lanes counts for
// four k at a time, as there are at most 32 lanes. A product adds up the bytes of a word. Devices
// do integers at half their rate, so that instructions count here: whole steps have code without
// any test of where the chunk ends.
#include "gpu/templates/scan/compact.h"

#include <algorithm>

#include "gpu/plan/nests/element_code.h"
#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

constexpr int64_t kBytes = 4;           // of a word, each counts for one k
constexpr int64_t kCompactGroup = 256;  // invocations of a workgroup

// The common part of both kernels; extents are the host's.
struct CompactShape {
  const CompactionSchedule& schedule;
  Operand width, length, chunks;
  int64_t subgroups() const { return kCompactGroup / schedule.lanes; }
  int64_t step() const { return schedule.lanes * schedule.elements; }
};

CompactShape shapeFor(Builder& host, const ScanScatter& scatter,
                      const CompactionSchedule& schedule) {
  CompactShape shape{schedule, {}, {}, {}};
  shape.width = operandOf(scatter.scanCall().arguments, scatter.screma().width);
  const int64_t of_round = schedule.workgroups * shape.subgroups() * shape.step();
  Operand steps = divideUp(host, shape.width, i64(of_round));
  shape.length = host.mul(host.max(steps, i64(1)), i64(shape.step()));
  shape.chunks = host.max(divideUp(host, shape.width, shape.length), i64(1));
  return shape;
}

// One of the two kernels.
class CompactKernel {
 public:
  CompactKernel(Program& program, Builder& host, ScanScatter& scatter, const CompactShape& shape,
                const char* name)
      : host_(host),
        call_(scatter.scanCall()),
        scatter_(scatter),
        screma_(scatter.screma()),
        shape_(shape),
        counts_(screma_.scans.size()),
        scope_(program, host, call_, call_.function.name + name),
        code_(scope_.code()) {}

  // counts[chunk], together[workgroup] of each scan.
  struct Buffers {
    std::vector<BufferId> counts, together;
  };

  bool count(const Buffers& to) {
    openChunk(scope_.groupId());
    for (size_t s = 0; s < counts_; ++s) {
      counted_.push_back(code_.declare("count", ScalarType::kU32, u32(0)));
    }
    forEachStep([&](const Operand&) {
      for (size_t s = 0; s < counts_; ++s) {
        Operand sum = counted_[s];
        for (const Operand& holds : holds_[s]) {
          sum = code_.let("sum", ScalarType::kU32, Select{holds, add(sum, u32(1)), sum});
        }
        code_.assign(counted_[s], sum);
      }
    });
    for (size_t s = 0; s < counts_; ++s) {
      Operand own = sumOfLanes(counted_[s]);
      code_.ifThenElse(isFirstLane(), [&] {
        code_.ifThenElse(exists_, [&] { code_.store(scope_.buffer(to.counts[s]), chunk_, own); });
      });
      Operand all = sumOfSubgroups(own);
      Operand is_first = prim(Op::kEq, code_.add(subgroup_, lane_), i64(0));
      code_.ifThenElse(is_first, [&] { code_.store(scope_.buffer(to.together[s]), group_, all); });
    }
    return launch();
  }

  // The last elements first: those are in the caches still.
  bool move(const Buffers& from) {
    Operand groups = scope_.scalar(divideUp(host_, shape_.chunks, i64(shape_.subgroups())));
    openChunk(code_.sub(code_.sub(groups, i64(1)), scope_.groupId()));
    Operands totals;
    for (size_t s = 0; s < counts_; ++s) {
      const GroupSums sums = sumsOfGroups(scope_.buffer(from.together[s]), groups);
      const Operand before = countsBefore(scope_.buffer(from.counts[s]), sums.before);
      before_.push_back(code_.declare("before", ScalarType::kI64, before));
      totals.push_back(converted(ScalarType::kI64, typeOf(s), sums.all));
    }
    if (scatter_.takesTotals()) scatter_.setTotals(std::move(totals));
    forEachStep([&](const Operand& first) { moveStep(first); });
    Operand is_last = prim(Op::kEq, chunk_, code_.sub(scope_.scalar(shape_.chunks), i64(1)));
    code_.ifThenElse(is_last, [&] {
      code_.ifThenElse(isFirstLane(), [&] {
        Operands totals;
        for (size_t s = 0; s < counts_; ++s) {
          totals.push_back(converted(ScalarType::kI64, typeOf(s), before_[s]));
        }
        scatter_.storeLast(scope_, totals);
      });
    });
    return launch();
  }

 private:
  Operand add(const Operand& a, const Operand& b) { return word(Op::kAdd, a, b); }
  Operand word(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kU32, {a, b});
  }
  Operand prim(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }
  Operand converted(ScalarType from, ScalarType to, const Operand& value) {
    if (from == to) return value;
    return code_.let("c", to, Convert{ConvertKind::kValue, from, to, value});
  }
  Operand shuffle(ShuffleKind kind, const Operand& value, int64_t lane) {
    return code_.let("far", ScalarType::kU32,
                     Shuffle{kind, value, u32(static_cast<uint32_t>(lane))});
  }
  Operand byteOf(const Operands& words, int64_t k) {
    const Operand& four = words[static_cast<size_t>(k / kBytes)];
    Operand moved = word(Op::kMachineLshr, four, u32(static_cast<uint32_t>(k % kBytes * 8)));
    return word(Op::kAnd, moved, u32(255));
  }
  ScalarType typeOf(size_t s) const { return call_.core.type(screma_.scans[s].neutral[0]).scalar; }
  Operand isFirstLane() { return prim(Op::kEq, lane_, i64(0)); }

  bool launch() {
    const int workgroup[3] = {static_cast<int>(kCompactGroup), 1, 1};
    Operand groups = divideUp(host_, shape_.chunks, i64(shape_.subgroups()));
    scope_.launch(workgroup, {groups, i64(1), i64(1)});
    return !scope_.unsupported();
  }

  // ---- where a chunk is

  void openChunk(const Operand& group) {
    lane_ = scope_.builtIn(BuiltIn::kLane, shape_.schedule.lanes);
    subgroup_ = scope_.builtIn(BuiltIn::kSubgroup, shape_.subgroups());
    // Bounds that hold anyway show that comparisons need no more than 32 bits (raise.h, narrow).
    group_ = within(group, i64(shape_.schedule.workgroups));
    chunk_ = code_.add(code_.mul(group_, i64(shape_.subgroups())), subgroup_);
    exists_ = prim(Op::kLt, chunk_, scope_.scalar(shape_.chunks));
    Operand width = scope_.scalar(shape_.width), length = scope_.scalar(shape_.length);
    begin_ = within(code_.mul(chunk_, length), width);
    end_ = code_.min(code_.add(begin_, length), width);
    last_ = code_.max(code_.sub(width, i64(1)), i64(0));
  }
  Operand within(const Operand& value, const Operand& most) {
    return code_.max(code_.min(value, most), i64(0));
  }

  // ---- reading

  // holds_, inputs_ := those of a step; then `use` gets this lane's first element.
  void forEachStep(const std::function<void(const Operand&)>& use) {
    Operand length = code_.max(code_.sub(end_, begin_), i64(0));
    Operand whole = prim(Op::kMachineDiv, length, i64(shape_.step()));
    is_whole_ = true;
    code_.forLoop("step", i64(0), whole, [&](const Operand& step) { takeStep(step, use); });
    Operand has_rest = prim(Op::kLt, code_.mul(whole, i64(shape_.step())), length);
    is_whole_ = false;
    code_.ifThenElse(has_rest, [&] { takeStep(whole, use); });
  }
  void takeStep(const Operand& step, const std::function<void(const Operand&)>& use) {
    first_ = code_.add(begin_, code_.add(code_.mul(step, i64(shape_.step())), lane_));
    inputs_.clear();
    holds_.assign(counts_, {});
    for (int64_t k = 0; k < shape_.schedule.elements; ++k) load(k);
    for (int64_t k = 0; k < shape_.schedule.elements; ++k) findFlags(k);
    use(first_);
  }
  Operand elementOf(int64_t k) { return code_.add(first_, i64(k * shape_.schedule.lanes)); }
  Operand isInside(int64_t k) {
    return is_whole_ ? Operand(prim::Scalar::ofBool(true)) : prim(Op::kLt, elementOf(k), end_);
  }

  // The map's inputs of element k; of the last element of all instead, if there are fewer.
  void load(int64_t k) {
    Operand i = is_whole_ ? elementOf(k) : code_.min(elementOf(k), last_);
    Environment environment = scope_.environment();
    lowerPrefix(scope_, environment, placeOf(i));
    Operands inputs;
    for (size_t p = 0; p < screma_.inputs.size(); ++p) {
      core::ValueId param = screma_.map.params[p];
      const ArrayRef& array = environment.arrays.at(screma_.inputs[p]);
      bindElement(code_, call_.core, environment, param, array, {i});
      inputs.push_back(environment.scalars.at(param));
    }
    inputs_.push_back(std::move(inputs));
  }
  LoweringTarget placeOf(const Operand& i) {
    return scope_.place(shape_.width, [i] { return i; });
  }

  void findFlags(int64_t k) {
    Environment environment = scope_.environment();
    LoweringTarget target = placeOf(elementOf(k));
    lowerPrefix(scope_, environment, target);
    for (size_t p = 0; p < screma_.inputs.size(); ++p) {
      environment.scalars[screma_.map.params[p]] = inputs_[static_cast<size_t>(k)][p];
    }
    Operands made = lowerBody(code_, call_.core, scatter_.map(), environment, target).scalars;
    for (size_t s = 0; s < counts_; ++s) {
      Operand mapped = made[scatter_.lasts().size() + s];
      Operand holds =
          code_.prim(Op::kNe, typeOf(s), {mapped, prim::Scalar::fromBits(typeOf(s), 0)});
      if (!is_whole_) holds = code_.prim(Op::kAnd, ScalarType::kBool, {isInside(k), holds});
      holds_[s].push_back(holds);
    }
  }

  // ---- adding up

  Operand sumOfLanes(Operand sum) {
    for (int64_t d = 1; d < shape_.schedule.lanes; d *= 2) {
      sum = add(sum, shuffle(ShuffleKind::kXor, sum, d));
    }
    return sum;
  }
  Operand sumOfSubgroups(const Operand& own) {
    BufferId parts = scope_.shared("parts", ScalarType::kU32, shape_.subgroups());
    code_.ifThenElse(isFirstLane(), [&] { code_.store(parts, subgroup_, own); });
    code_.append(Barrier{});
    Operand all = u32(0);
    for (int64_t g = 0; g < shape_.subgroups(); ++g) all = add(all, code_.load(parts, i64(g)));
    return all;
  }

  // How many flags the workgroups before this one have; and all of them, if the scatter asks.
  struct GroupSums {
    Operand before, all;
  };
  GroupSums sumsOfGroups(BufferId together, const Operand& groups) {
    const Operand lid = code_.add(code_.mul(subgroup_, i64(shape_.schedule.lanes)), lane_);
    const VarId before = code_.declare("sum", ScalarType::kI64, i64(0));
    const VarId all = code_.declare("all", ScalarType::kI64, i64(0));
    const bool wants_all = scatter_.takesTotals();
    const Operand most = wants_all ? groups : group_;
    const auto addFrom = [&](int64_t k) {
      const Operand group = code_.add(lid, i64(k));
      const Operand count = countIf(together, group, prim(Op::kLt, group, most));
      Operand earlier = count;
      if (wants_all) {
        const Operand is_before = prim(Op::kLt, group, group_);
        earlier = code_.let("earlier", ScalarType::kI64, Select{is_before, count, i64(0)});
      }
      code_.assign(before, code_.add(before, earlier));
      if (wants_all) code_.assign(all, code_.add(all, count));
    };
    addFrom(0);
    // Independent reads where there are many groups; most launches have fewer.
    code_.ifThenElse(prim(Op::kLt, i64(kCompactGroup), most), [&] {
      for (int64_t k = kCompactGroup; k < shape_.schedule.workgroups; k += kCompactGroup) {
        addFrom(k);
      }
    });
    return {sumOfInvocations(before, "earlier"), wants_all ? sumOfInvocations(all, "all") : i64(0)};
  }
  Operand sumOfInvocations(Operand sum, const char* name) {
    BufferId parts = scope_.shared(name, ScalarType::kI64, shape_.subgroups());
    for (int64_t d = 1; d < shape_.schedule.lanes; d *= 2) {
      Operand far = u32(static_cast<uint32_t>(d));
      sum = code_.add(sum, shuffled(code_, ScalarType::kI64, ShuffleKind::kXor, sum, far));
    }
    code_.ifThenElse(isFirstLane(), [&] { code_.store(parts, subgroup_, sum); });
    code_.append(Barrier{});
    Operand all = i64(0);
    for (int64_t g = 0; g < shape_.subgroups(); ++g) {
      all = code_.add(all, code_.load(parts, i64(g)));
    }
    return all;
  }
  // How many flags there are before the chunk, from those before its workgroup.
  Operand countsBefore(BufferId counts, Operand before) {
    Operand first = code_.mul(group_, i64(shape_.subgroups()));
    for (int64_t g = 0; g + 1 < shape_.subgroups(); ++g) {
      Operand counted = prim(Op::kLt, i64(g), subgroup_);
      before = code_.add(before, countIf(counts, code_.add(first, i64(g)), counted));
    }
    return before;
  }
  Operand countIf(BufferId counts, const Operand& which, const Operand& condition) {
    Operand at = code_.let("at", ScalarType::kI64, Select{condition, which, i64(0)});
    Operand raw = converted(ScalarType::kU32, ScalarType::kI64, code_.load(counts, at));
    return code_.let("count", ScalarType::kI64, Select{condition, raw, i64(0)});
  }

  // ---- writing

  // Of a scan in a step.
  struct Ranks {
    Operands flags;    // words, this lane's
    Operands before;   // words: flags before element k of this lane, from that of the word's first
    Operands running;  // i64, by word: flags before the first element of lane 0
  };

  void moveStep(const Operand& first) {
    std::vector<Ranks> all;
    for (size_t s = 0; s < counts_; ++s) all.push_back(rank(s));
    for (int64_t k = 0; k < shape_.schedule.elements; ++k) {
      Operand i = code_.add(first, i64(k * shape_.schedule.lanes));
      if (is_whole_) {
        moveElement(all, k, i);
      } else {
        code_.ifThenElse(isInside(k), [&] { moveElement(all, k, i); });
      }
    }
  }
  void moveElement(const std::vector<Ranks>& all, int64_t k, const Operand& i) {
    auto element = [&](const Operands& scanned, const Operands& mapped) {
      const Operands& inputs = inputs_[static_cast<size_t>(k)];
      scatter_.scatter(
          scope_, i, [&](size_t input) { return std::optional(inputs[input]); }, scanned, mapped);
    };
    Operands before, flags;
    for (const Ranks& ranks : all) {
      Operand rank = converted(ScalarType::kU32, ScalarType::kI64, byteOf(ranks.before, k));
      before.push_back(code_.add(ranks.running[static_cast<size_t>(k / kBytes)], rank));
      flags.push_back(byteOf(ranks.flags, k));
    }
    if (counts_ == 1) {  // the known flag makes most of one arm go away
      ScalarType type = typeOf(0);
      Operand holds = code_.prim(Op::kNe, ScalarType::kU32, {flags[0], u32(0)});
      Operand after = code_.add(before[0], i64(1));
      auto flag = [&](uint64_t bits) { return Operand(prim::Scalar::fromBits(type, bits)); };
      code_.ifThenElse(
          holds, [&] { element({converted(ScalarType::kI64, type, after)}, {flag(1)}); },
          [&] { element({converted(ScalarType::kI64, type, before[0])}, {flag(0)}); });
      return;
    }
    Operands scanned, mapped;
    for (size_t s = 0; s < counts_; ++s) {
      Operand one = converted(ScalarType::kU32, ScalarType::kI64, flags[s]);
      scanned.push_back(converted(ScalarType::kI64, typeOf(s), code_.add(before[s], one)));
      mapped.push_back(converted(ScalarType::kU32, typeOf(s), flags[s]));
    }
    element(scanned, mapped);
  }

  // Leaves in before_ the count before the next step.
  Ranks rank(size_t s) {
    Ranks ranks;
    Operand running = within(before_[s], scope_.scalar(shape_.width));
    for (int64_t k = 0; k < shape_.schedule.elements; k += kBytes) {
      Operand own = flagsOf(s, k);
      Operand sum = own;
      for (int64_t d = 1; d < shape_.schedule.lanes; d *= 2) {
        Operand more = add(sum, shuffle(ShuffleKind::kUp, sum, d));
        sum = code_.let("sum", ScalarType::kU32, Select{prim(Op::kGe, lane_, i64(d)), more, sum});
      }
      Operand totals = shuffle(ShuffleKind::kFrom, sum, shape_.schedule.lanes - 1);
      ranks.flags.push_back(own);
      // All lanes' earlier k, and the lanes before for this one.
      Operand earlier = word(Op::kMul, totals, u32(0x01010100));
      ranks.before.push_back(add(word(Op::kSub, sum, own), earlier));
      ranks.running.push_back(running);
      Operand total = word(Op::kMachineLshr, word(Op::kMul, totals, u32(0x01010101)), u32(24));
      running = code_.add(running, converted(ScalarType::kU32, ScalarType::kI64, total));
    }
    code_.assign(before_[s], running);
    return ranks;
  }
  // Word k / 4.
  Operand flagsOf(size_t s, int64_t k) {
    Operand flags = u32(0);
    for (int64_t c = 0; c < kBytes; ++c) {
      Operand one = u32(uint32_t{1} << (c * 8));
      Operand flag = code_.let("flag", ScalarType::kU32,
                               Select{holds_[s][static_cast<size_t>(k + c)], one, u32(0)});
      flags = c == 0 ? flag : word(Op::kOr, flags, flag);
    }
    return flags;
  }

  Builder& host_;
  const KernelCall& call_;
  ScanScatter& scatter_;
  const core::Screma& screma_;
  const CompactShape& shape_;
  size_t counts_;  // scans
  KernelScope scope_;
  Builder& code_;
  Operand lane_, subgroup_, group_, chunk_, exists_;
  Operand begin_, end_, last_;    // of the chunk; the last element of all
  Operand first_;                 // of the step, this lane's
  std::vector<Operands> inputs_;  // of the step, by k
  std::vector<Operands> holds_;   // whether there is a flag, by scan and k
  bool is_whole_ = false;         // all elements of the step exist
  std::vector<VarId> counted_;    // u32
  std::vector<VarId> before_;     // i64
};

}  // namespace

TemplateResult emitCompaction(Program& program, Builder& host, ScanScatter& scatter,
                              const CompactionSchedule& schedule) {
  const CompactShape shape = shapeFor(host, scatter, schedule);
  CompactKernel::Buffers buffers;
  for (size_t s = 0; s < scatter.screma().scans.size(); ++s) {
    auto allocate = [&](const char* name, const Operand& elements) {
      return host.alloc(name, ScalarType::kU32, Space::kDevice, elements);
    };
    buffers.counts.push_back(allocate("counts", shape.chunks));
    buffers.together.push_back(allocate("together", i64(schedule.workgroups)));
  }
  bool supported = CompactKernel(program, host, scatter, shape, "_count").count(buffers);
  // Kernels behind a failure do nothing, so that elements that are moved have passed all checks.
  scatter.trustChecks();
  supported = CompactKernel(program, host, scatter, shape, "_move").move(buffers) && supported;
  for (BufferId buffer : buffers.counts) host.append(Free{buffer});
  for (BufferId buffer : buffers.together) host.append(Free{buffer});
  return {{}, supported};
}

}  // namespace halo::gpu
