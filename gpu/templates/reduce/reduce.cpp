// Reductions, whole or of a nest's segments (gpu.md#reductions). A segment is cut into chunks where
// there are too few of them to fill the device. A chunk is reduced by 1 to 256 neighbouring
// invocations: each combines its share, then a tree over shared memory combines them in order.
// Several chunks to a segment: a second launch reduces their values the same way. How elements are
// spread depends on the extents alone, so the bits of float results do too.
#include <fmt/format.h>

#include "gpu/plan/nests/nest.h"
#include "gpu/templates/host/together.h"
#include "gpu/templates/kernel/group_sums.h"
#include "gpu/templates/kernel/levels.h"
#include "gpu/templates/product/tiled.h"
#include "gpu/templates/reduce/reduce_lanes.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int kReduceLogGroup = 8;
static_assert(int64_t{1} << kReduceLogGroup == kGroup);
constexpr int64_t kInvocations = int64_t{1} << 18;  // fills a large device several times
constexpr int64_t kReducePerLane = 16;  // elements for each lane before a run gets twice as many
constexpr int64_t kPerChunk = 16;       // elements for each lane of a chunk, at least
constexpr int64_t kFewTurns = 16;       // of an inner operation that leaves an element short
constexpr int64_t kPerPartial = 4;      // the same where there is one workgroup: no time to lose
constexpr int64_t kBusy = 1024;         // workgroups that fill a large device
constexpr int64_t kUnroll = 4;          // elements whose loads are under way together
constexpr size_t kReduceMaxShortBody = 48;  // statements
const int kReduceWorkgroup[3] = {kGroup, 1, 1};

bool isStraight(const Block& block) {
  for (const Stm& stm : block) {
    bool is_plain = std::holds_alternative<Let>(stm.node) ||
                    std::holds_alternative<Assign>(stm.node) ||
                    std::holds_alternative<Declare>(stm.node);
    if (!is_plain) return false;
  }
  return block.size() <= kReduceMaxShortBody;
}

// Whether one element is work for an invocation: a loop, or an inner operation of unknown or many
// turns.
bool isLong(const core::Body& element) {
  bool found = false;
  core::visitStms(element, [&](const core::Stm& stm) {
    found = found || std::holds_alternative<core::Loop>(stm.expr);
    const auto* inner = std::get_if<core::Screma>(&stm.expr);
    if (inner == nullptr) return;
    const bool is_short =
        inner->width.isConstant() && inner->width.constant.asSigned() <= kFewTurns;
    found = found || !is_short;
  });
  return found;
}

// How `segments` of `width` elements are spread, as host operands.
struct Spread {
  Operand segments, width;
  Operand log_lanes;  // a run of 2^log_lanes invocations for each chunk
  Operand chunks;     // of one segment
  Operand length;     // of a chunk, but the last of a segment
};

class Reduce {
 public:
  Reduce(Program& program, Builder& host, const KernelCall& call)
      : program_(program),
        host_(host),
        call_(call),
        levels_(reduceNest(call.core, std::get<core::Screma>(lastStatement(call).expr))),
        screma_(*levels_.back()),
        outer_(call, levels_) {
    for (const core::Reduction& reduction : screma_.reductions) arity_ += reduction.neutral.size();
  }

  // With `kernels`, their workgroups make the chunks' values.
  TemplateResult run(ChunkKernels* kernels = nullptr) {
    Operand segments = outer_.count(host_);
    Operand width = operandOf(call_.arguments, screma_.width);
    Chunks chunks;
    Spread first{segments, width, i64(0), i64(1), width};
    if (kernels != nullptr) {
      chunks = kernels->chunks();
      first.chunks = chunks.count;
    } else {
      first = spread(segments, width, readsAcross());
    }
    Operand items = host_.mul(segments, first.chunks);
    several_ = host_.prim(Op::kGt, ScalarType::kI64, {first.chunks, Operand::ofI64(1)});
    for (size_t k = 0; k < arity_ && !outer_.empty(); k++) {
      if (!call_.results[k].dense) several_ = Operand(prim::Scalar::ofBool(true));
    }
    for (size_t k = 0; k < arity_; k++) makeTarget(k, items);
    if (kernels != nullptr) {
      chunks.put = [&](KernelScope& scope, const Operand& item, const Operands& total) {
        for (size_t k = 0; k < total.size(); k++) storeTarget(scope, k, item, total[k]);
      };
      result_.supported = kernels->runChunks(chunks);
    } else {
      reduceSegments(first);
    }
    host_.ifThenElse(several_, [&] {
      Spread second = spread(segments, first.chunks, false, kPerPartial);
      reducePartials(second);
    });
    for (BufferId partial : partials_) host_.append(Free{partial});
    return std::move(result_);
  }

 private:
  void storeTarget(KernelScope& scope, size_t k, const Operand& item, const Operand& value) {
    Builder& code = scope.code();
    const BufferId target = scope.buffer(targets_[k]);
    code.store(target, code.add(scope.scalar(offsets_[k]), item), value);
  }

  // Where value k of each segment goes: a dense result, or a buffer for the host to read. With
  // several chunks the first launch writes to partial values instead.
  void makeTarget(size_t k, const Operand& items) {
    ScalarType type = call_.core.type(screma_.map.body.results[k]).scalar;
    BufferId partial = host_.alloc("partials", type, Space::kDevice, items);
    partials_.push_back(partial);
    if (outer_.empty()) {
      BufferId result = host_.alloc("reduced", type, Space::kDevice, Operand::ofI64(1));
      result_.scalars.push_back({static_cast<int>(k), result});
      results_.push_back(denseArray(host_, result, Operand::ofI64(0), type, {}));
    } else {
      results_.push_back(call_.results[k]);
    }
    BufferId target = host_.buffer("target", type, Space::kDevice);
    const ArrayRef& whole = results_.back();
    host_.ifThenElse(
        several_,
        [&] {
          host_.append(Rebind{target, partial});
        },
        [&] {
          host_.append(Rebind{target, whole.buffer});
        });
    targets_.push_back(target);
    offsets_.push_back(whole.offset == Operand::ofI64(0)
                           ? whole.offset
                           : host_.let("offset", ScalarType::kI64,
                                       Select{several_, Operand::ofI64(0), whole.offset}));
  }

  // Whether neighbouring elements of a segment lie apart in memory, and those of neighbouring
  // segments lie together: column sums.
  bool readsAcross() {
    bool across = false;
    host_.capture([&] {
      Environment environment = call_.arguments;
      Place place;
      place.allocate = [&](Builder& builder, const std::string& name, ScalarType type,
                           const Operands& shape) {
        BufferId none = builder.buffer(name, type, Space::kDevice);
        return denseArray(builder, none, Operand::ofI64(0), type, shape);
      };
      outer_.bind(host_, environment, place, Operands(outer_.extents().size(), i64(0)));
      for (core::ValueId input : screma_.inputs) {
        const ArrayRef& array = environment.arrays.at(input);
        across = across || (!array.isVirtual() && array.strides[0] != Operand::ofI64(1));
      }
    });
    return across && !outer_.empty();
  }

  // A lane for each long element, as long as the device has invocations for all segments.
  Operand takesLong(const Spread& spread, int log_lanes) {
    Operand wide =
        host_.prim(Op::kGe, ScalarType::kI64, {spread.width, i64(int64_t{1} << log_lanes)});
    Operand fits =
        host_.prim(Op::kLe, ScalarType::kI64, {spread.segments, i64(kInvocations >> log_lanes)});
    return host_.prim(Op::kAnd, ScalarType::kBool, {wide, fits});
  }

  // As one chunk, if there are to be so many elements for each lane of that.
  Spread spread(const Operand& segments, const Operand& width, bool across, int64_t whole = 0) {
    Spread spread{segments, width, i64(0), i64(1), width};
    const bool is_long = whole == 0 && isLong(screma_.map.body);
    if (!across) {
      for (int k = 1; k <= kReduceLogGroup; k++) {
        const int64_t least = (whole > 0 ? whole : kReducePerLane) << k;
        Operand wide = host_.prim(Op::kGe, ScalarType::kI64, {width, i64(least)});
        if (is_long) wide = host_.prim(Op::kOr, ScalarType::kBool, {wide, takesLong(spread, k)});
        spread.log_lanes =
            host_.let("log_lanes", ScalarType::kI64, Select{wide, i64(k), spread.log_lanes});
      }
    }
    if (whole > 0) return spread;
    Operand lanes = host_.prim(Op::kMachineShl, ScalarType::kI64, {i64(1), spread.log_lanes});
    Operand busy = host_.max(host_.mul(segments, lanes), i64(1));
    Operand wanted = divideUp(host_, i64(kInvocations), busy);
    Operand most = host_.prim(Op::kMachineDiv, ScalarType::kI64,
                              {width, host_.mul(lanes, i64(is_long ? 1 : kPerChunk))});
    spread.chunks = host_.max(host_.min(wanted, most), i64(1));
    spread.length = host_.max(divideUp(host_, width, spread.chunks), i64(1));
    return spread;
  }

  // The place of one invocation.
  struct Lane {
    Operand lid, number, log_lanes, lanes;  // `number` within the run
    Operand item, segment, chunk;           // of the run
    Operands indices;                       // of the segment, in the levels around
    Operand inside;                         // whether there is such an item
  };
  Lane lane(KernelScope& scope, const Spread& spread) { return lanes(scope, spread, 1)[0]; }
  // One for each item of the run.
  std::vector<Lane> lanes(KernelScope& scope, const Spread& spread, int64_t together) {
    Builder& code = scope.code();
    auto prim = [&](Op op, const Operand& a, const Operand& b) {
      return code.prim(op, ScalarType::kI64, {a, b});
    };
    Lane lane;
    lane.lid = scope.localId();
    lane.log_lanes = scope.scalar(spread.log_lanes);
    lane.lanes = prim(Op::kMachineShl, i64(1), lane.log_lanes);
    lane.number = prim(Op::kAnd, lane.lid, code.sub(lane.lanes, i64(1)));
    Operand runs = scope.scalar(runsOf(spread));
    Operand run = within(code, prim(Op::kMachineShr, lane.lid, lane.log_lanes), i64(kGroup));
    Operand items = scope.scalar(host_.mul(spread.segments, spread.chunks));
    Operand of_group = together == 1 ? runs : code.mul(runs, i64(together));
    Operand first = code.add(code.mul(scope.groupId(), of_group), run);
    std::vector<Lane> all;
    for (int64_t q = 0; q < together; q++) {
      lane.item = q == 0 ? first : code.add(first, code.mul(runs, i64(q)));
      lane.item = within(code, lane.item, items);
      lane.inside = prim(Op::kLt, lane.item, items);
      findSegment(scope, spread, lane);
      all.push_back(lane);
    }
    return all;
  }
  // Bounds that hold anyway show that divisions need no more than 32 bits (raise.h, narrow).
  static Operand within(Builder& code, const Operand& value, const Operand& most) {
    return code.max(code.min(value, most), i64(0));
  }
  // Neighbouring runs take neighbouring segments, which lie together in column sums.
  void findSegment(KernelScope& scope, const Spread& spread, Lane& lane) {
    Builder& code = scope.code();
    Operand segments = scope.scalar(spread.segments);
    lane.chunk = code.prim(Op::kMachineDiv, ScalarType::kI64, {lane.item, segments});
    lane.segment = code.sub(lane.item, code.mul(lane.chunk, segments));
    // Lanes without an item look at the last segment and store nothing.
    lane.segment = within(code, lane.segment, code.sub(segments, i64(1)));
    Operands extents;
    for (const Operand& extent : outer_.extents()) extents.push_back(scope.scalar(extent));
    lane.indices = indicesOf(code, lane.segment, extents);
  }
  // Of a workgroup; host.
  Operand runsOf(const Spread& spread) {
    return host_.prim(Op::kMachineShr, ScalarType::kI64, {i64(kGroup), spread.log_lanes});
  }
  Operands groups(const Spread& spread, int64_t together = 1) {
    Operand runs = host_.mul(runsOf(spread), i64(together));
    Operand items = host_.mul(spread.segments, spread.chunks);
    return {divideUp(host_, items, runs), i64(1), i64(1)};
  }

  // The names that the levels around the reduction bind for the lane's segment.
  Environment segmentOf(KernelScope& scope, const Lane& lane, const Operand& all) {
    Environment environment = scope.environment();
    Place place = scope.place(all, [item = lane.item] { return item; });
    outer_.bind(scope.code(), environment, place, lane.indices);
    return environment;
  }

  // `element(i)` for the lane's share of the elements lo <= i < hi: every lanes-th of them, or
  // consecutive ones.
  void share(Builder& code, const Lane& lane, const Operand& lo, const Operand& hi, bool strided,
             const std::function<void(const Operand& i)>& element) {
    Operand per = divideUp(code, code.max(code.sub(hi, lo), i64(0)), lane.lanes);
    Operand start = code.add(lo, strided ? lane.number : code.mul(lane.number, per));
    Operand step = strided ? lane.lanes : i64(1);
    Operand left = code.max(code.sub(hi, start), i64(0));
    Operand count = strided ? divideUp(code, left, lane.lanes) : code.min(left, per);
    auto at = [&](const Operand& t) { return code.add(start, code.mul(t, step)); };
    Block once = code.capture([&] { element(start); });
    Operand done = i64(0);
    if (isStraight(once)) {
      Operand rounds = code.prim(Op::kMachineDiv, ScalarType::kI64, {count, i64(kUnroll)});
      code.forLoop("round", i64(0), rounds, [&](const Operand& round) {
        Operand t = code.mul(round, i64(kUnroll));
        for (int64_t k = 0; k < kUnroll; k++) element(at(code.add(t, i64(k))));
      });
      done = code.mul(rounds, i64(kUnroll));
    }
    code.forLoop("t", done, count, [&](const Operand& t) { element(at(t)); });
  }

  // Several segments of a run at once, where the device is busy with fewer runs.
  void reduceSegments(const Spread& spread) {
    const int64_t together = segmentsTogether(call_, levels_);
    if (together == 1) return reduceElements(spread, 1);
    call_.variants.canBe({"together", "plain"});
    call_.variants.say(fmt::format("{}: from {} workgroups on, {} segments of a run at once",
                                   call_.function.name, kBusy, together));
    const bool is_forced = call_.variants.forced == "together";
    Operand are_whole = host_.prim(Op::kNot, ScalarType::kBool, {several_});
    Operand many = host_.prim(Op::kGe, ScalarType::kI64, {groups(spread, together)[0], i64(kBusy)});
    Operand pays =
        is_forced ? are_whole : host_.prim(Op::kAnd, ScalarType::kBool, {are_whole, many});
    host_.ifThenElse(
        pays, [&] { reduceElements(spread, together); }, [&] { reduceElements(spread, 1); });
  }

  // With several segments of a run together: they have one chunk each.
  void reduceElements(const Spread& spread, int64_t together) {
    const char* suffix = together == 1 ? "" : "_together";
    KernelScope scope(program_, host_, call_, call_.function.name + suffix);
    Builder& code = scope.code();
    const std::vector<Lane> lanes = this->lanes(scope, spread, together);
    const Lane& lane = lanes[0];
    Operand all = host_.mul(spread.segments, spread.width);
    std::vector<Environment> environments;
    std::vector<GroupSums> sums;
    for (const Lane& each : lanes) {
      environments.push_back(segmentOf(scope, each, all));
      sums.emplace_back(scope, environments.back(), screma_.reductions);
    }
    code.ifThenElse(lane.inside, [&] {
      Operand length = scope.scalar(spread.length);
      Operand lo = code.mul(lane.chunk, length);
      Operand width = scope.scalar(spread.width);
      Operand hi = code.min(code.add(lo, length), width);
      share(code, lane, lo, hi, inAnyOrder(screma_.reductions), [&](const Operand& i) {
        if (together > 1) return elements(scope, environments, sums, lanes, i, all);
        Environment inner = environments[0];
        element(scope, inner, sums[0], lane.indices, i, all);
      });
    });
    GroupSums::combineRuns(sums, lane.lid, lane.log_lanes);
    for (size_t q = 0; q < lanes.size(); q++) {
      store(scope, sums[q], lanes[q],
            [&](size_t k, const Operand& value) { storeTarget(scope, k, lanes[q].item, value); });
    }
    scope.launch(kReduceWorkgroup, groups(spread, together));
    result_.supported = result_.supported && !scope.unsupported();
  }

  // One element of several segments, which all read it from the same place. All values before the
  // first sum: divisions of all segments then share a test (raise/exact_division.cpp).
  void elements(KernelScope& scope, const std::vector<Environment>& environments,
                std::vector<GroupSums>& sums, const std::vector<Lane>& lanes, const Operand& i,
                const Operand& cells) {
    Environment first = environments[0];
    bindInputs(scope, first, i);
    std::vector<Operands> values;
    for (size_t q = 0; q < lanes.size(); q++) {
      Environment inner = environments[q];
      for (core::ValueId param : screma_.map.params) {
        auto scalar = first.scalars.find(param);
        if (scalar != first.scalars.end()) inner.scalars[param] = scalar->second;
        auto row = first.arrays.find(param);
        if (row != first.arrays.end()) inner.arrays[param] = row->second;
      }
      const Place place = elementPlace(scope, lanes[q].indices, i, cells);
      values.push_back(lowerBody(scope.code(), call_.core, screma_.map.body, inner, place).scalars);
    }
    for (size_t q = 0; q < lanes.size(); q++) {
      sums[q].add([&](size_t k) { return values[q][k]; });
    }
  }

  void bindInputs(KernelScope& scope, Environment& environment, const Operand& i) {
    for (size_t k = 0; k < screma_.inputs.size(); k++) {
      ArrayRef input = environment.arrays.at(screma_.inputs[k]);
      bindElement(scope.code(), call_.core, environment, screma_.map.params[k], input, {i});
    }
  }
  Place elementPlace(KernelScope& scope, const Operands& segment, const Operand& i,
                     const Operand& cells) {
    return scope.place(cells, [this, &scope, segment, i] {
      Builder& code = scope.code();
      Operand number = i64(0);
      for (size_t k = 0; k < segment.size(); k++) {
        number = code.add(code.mul(number, scope.scalar(outer_.extents()[k])), segment[k]);
      }
      Operand width = scope.scalar(operandOf(call_.arguments, screma_.width));
      return code.add(code.mul(number, width), i);
    });
  }

  // acc := op(acc, map(inputs[i])); results passed through are stored.
  void element(KernelScope& scope, Environment& environment, GroupSums& sums,
               const Operands& segment, const Operand& i, const Operand& cells) {
    Builder& code = scope.code();
    bindInputs(scope, environment, i);
    Place place = elementPlace(scope, segment, i, cells);
    const core::Body& body = screma_.map.body;
    Operands indices = segment;
    indices.push_back(i);
    Destinations destinations(body.results.size());
    for (size_t k = arity_; k < body.results.size(); k++) {
      if (call_.core.type(body.results[k]).isScalar()) continue;
      destinations[k] = prefixView(code, scope.array(call_.results[k]), indices);
    }
    Results values = lowerBody(code, call_.core, body, environment, place, destinations);
    sums.add([&](size_t k) { return values.scalars[k]; });
    for (size_t k = arity_; k < body.results.size(); k++) {
      if (!call_.core.type(body.results[k]).isScalar()) continue;
      storeElement(code, scope.array(call_.results[k]), indices, values.scalars[k]);
    }
  }

  // The lanes of each run together; its first lane stores value k.
  void combine(KernelScope& scope, GroupSums& sums, const Lane& lane,
               const std::function<void(size_t k, const Operand& value)>& use) {
    sums.combineRuns(lane.lid, lane.log_lanes);
    store(scope, sums, lane, use);
  }
  void store(KernelScope& scope, GroupSums& sums, const Lane& lane,
             const std::function<void(size_t k, const Operand& value)>& use) {
    Builder& code = scope.code();
    Operand first = code.prim(Op::kEq, ScalarType::kI64, {lane.number, i64(0)});
    Operand stores = code.prim(Op::kAnd, ScalarType::kBool, {first, lane.inside});
    code.ifThenElse(stores, [&] { sums.eachTotal(lane.lid, use); });
  }

  // Partial value c of segment s is item c * segments + s.
  void reducePartials(const Spread& spread) {
    KernelScope scope(program_, host_, call_, call_.function.name + "_finish");
    Builder& code = scope.code();
    Lane lane = this->lane(scope, spread);
    Environment environment = segmentOf(scope, lane, spread.segments);
    GroupSums sums(scope, environment, screma_.reductions);
    Operand segments = scope.scalar(spread.segments);
    code.ifThenElse(lane.inside, [&] {
      share(code, lane, i64(0), scope.scalar(spread.width), false, [&](const Operand& c) {
        Operand at = code.add(code.mul(c, segments), lane.segment);
        sums.add([&](size_t k) { return code.load(scope.buffer(partials_[k]), at); });
      });
    });
    combine(scope, sums, lane, [&](size_t k, const Operand& value) {
      storeElement(code, scope.array(results_[k]), lane.indices, value);
    });
    scope.launch(kReduceWorkgroup, groups(spread));
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  std::vector<const core::Screma*> levels_;
  const core::Screma& screma_;
  size_t arity_ = 0;
  OuterLevels outer_;
  Operand several_;  // host: whether segments have several chunks
  std::vector<BufferId> partials_, targets_;
  Operands offsets_;
  std::vector<ArrayRef> results_;
  TemplateResult result_;
};

// By lanes, by workgroups with wide reads, or by the plain schedule.
TemplateResult emitRows(Program& program, Builder& host, const KernelCall& call) {
  LaneReduce lanes(program, host, call);
  bool wanted = call.variants.allows("lanes") || call.variants.allows("chunks");
  if (!wanted || !lanes.applies()) return Reduce(program, host, call).run();
  if (call.function.kernel[0].space.size() > 1) call.variants.canBe({"lanes"});
  call.variants.canBe({"chunks", "plain"});
  auto chunks = [&] {
    return Reduce(program, host, call).run(call.variants.allows("chunks") ? &lanes : nullptr);
  };
  Operand by_lanes = lanes.lanesPay();
  if (by_lanes.isConstant()) {
    return by_lanes.constant.asBool() ? lanes.runLanes() : chunks();
  }
  bool supported = true;
  host.ifThenElse(
      by_lanes, [&] { supported = lanes.runLanes().supported; },
      [&] { supported = chunks().supported && supported; });
  return {{}, supported};
}

}  // namespace

TemplateResult emitReduce(Program& program, Builder& host, const KernelCall& call) {
  TiledReduce tiled(program, host, call);
  if (!tiled.applies()) return emitRows(program, host, call);
  tiled.offer();
  bool supported = true;
  auto emit = [&](const TemplateResult& made) { supported = made.supported && supported; };
  auto otherwise = [&] {
    branch(
        host, tiled.pays(), [&] { emit(tiled.run()); },
        [&] { emit(emitRows(program, host, call)); });
  };
  auto split = [&] { emit(Reduce(program, host, call).run(&tiled)); };
  branch(host, tiled.splitPays(), split, otherwise);
  return {{}, supported};
}

}  // namespace halo::gpu
