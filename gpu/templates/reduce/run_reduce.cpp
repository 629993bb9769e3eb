// One kernel, or two: where segments walk over the same elements and there are many of them, a run
// has several.
#include "gpu/templates/reduce/run_reduce.h"

#include "gpu/templates/reduce/two_stage.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class RunReduce {
 public:
  RunReduce(const ReduceNest& nest, const ReduceSchedule& schedule, const Spread& spread,
            ChunkValues& values)
      : nest_(nest),
        screma_(nest.screma),
        schedule_(schedule),
        spread_(spread),
        values_(values),
        arity_(nest.arity()) {}

  bool run() {
    if (schedule_.segments == 1) return emit(1);
    Builder& host = nest_.host;
    Operand pays = host.prim(Op::kNot, ScalarType::kBool, {values_.areSeveral()});
    const Operand workgroups = workgroupsOf(host, spread_, schedule_.segments)[0];
    Operand many = host.prim(Op::kGe, ScalarType::kI64, {workgroups, i64(schedule_.segments_from)});
    if (schedule_.segments_from > 0) pays = host.prim(Op::kAnd, ScalarType::kBool, {pays, many});
    bool supported = true;
    host.ifThenElse(
        pays, [&] { supported = emit(schedule_.segments); },
        [&] { supported = emit(1) && supported; });
    return supported;
  }

 private:
  // With several segments of a run together: they have one chunk each.
  bool emit(int64_t together) {
    const char* suffix = together == 1 ? "" : "_together";
    KernelScope scope(nest_.program, nest_.host, nest_.call, nest_.call.function.name + suffix);
    Builder& code = scope.code();
    const std::vector<Lane> lanes = lanesOf(scope, nest_, spread_, together);
    const Lane& lane = lanes[0];
    Operand all = nest_.host.mul(spread_.segments, spread_.width);
    std::vector<Environment> environments;
    std::vector<GroupSums> sums;
    for (const Lane& each : lanes) {
      environments.push_back(segmentOf(scope, nest_, each, all));
      sums.emplace_back(scope, environments.back(), screma_.reductions);
    }
    code.ifThenElse(lane.inside, [&] {
      Operand length = scope.scalar(spread_.length);
      Operand lo = code.mul(lane.chunk, length);
      Operand width = scope.scalar(spread_.width);
      Operand hi = code.min(code.add(lo, length), width);
      const bool is_strided =
          inAnyOrder(screma_.reductions) && screma_.joins != core::Joins::kChunks;
      const Share share = {lo, hi, is_strided, schedule_.unroll};
      forEachOf(code, lane, share, [&](const Operand& i) {
        if (together > 1) return addOfEach(scope, environments, sums, lanes, i, all);
        Environment inner = environments[0];
        add(scope, inner, sums[0], lane.indices, i, all);
      });
    });
    GroupSums::combineRuns(sums, lane.lid, lane.log_lanes);
    for (size_t q = 0; q < lanes.size(); q++) {
      withTotals(scope, sums[q], lanes[q], [&](const Operands& totals) {
        values_.store(scope, lanes[q].item, lanes[q].indices, totals);
      });
    }
    scope.launch(kRunsWorkgroup, workgroupsOf(nest_.host, spread_, together));
    return !scope.unsupported();
  }

  // One element of several segments, which all read it from the same place. All values before the
  // first sum: divisions of all segments then share a test (raise/exact_division.cpp).
  void addOfEach(KernelScope& scope, const std::vector<Environment>& environments,
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
      const LoweringTarget target = elementPlace(scope, lanes[q].indices, i, cells);
      values.push_back(
          lowerBody(scope.code(), scope.core(), screma_.map.body, inner, target).scalars);
    }
    for (size_t q = 0; q < lanes.size(); q++) {
      sums[q].add([&](size_t k) { return values[q][k]; });
    }
  }

  // sum := op(sum, map(inputs[i])); results passed through are stored.
  void add(KernelScope& scope, Environment& environment, GroupSums& sums, const Operands& segment,
           const Operand& i, const Operand& cells) {
    Builder& code = scope.code();
    bindInputs(scope, environment, i);
    LoweringTarget target = elementPlace(scope, segment, i, cells);
    const core::Body& body = screma_.map.body;
    const std::vector<ArrayRef>& results = nest_.call.results;
    Operands indices = segment;
    indices.push_back(i);
    Destinations destinations(body.results.size());
    for (size_t k = arity_; k < body.results.size(); k++) {
      if (scope.core().type(body.results[k]).isScalar()) continue;
      destinations[k] = prefixView(code, scope.array(results[k]), indices);
    }
    Results values = lowerBody(code, scope.core(), body, environment, target, destinations);
    sums.add([&](size_t k) { return values.scalars[k]; });
    for (size_t k = arity_; k < body.results.size(); k++) {
      if (!scope.core().type(body.results[k]).isScalar()) continue;
      storeElement(code, scope.array(results[k]), indices, values.scalars[k]);
    }
  }

  void bindInputs(KernelScope& scope, Environment& environment, const Operand& i) {
    for (size_t k = 0; k < screma_.inputs.size(); k++) {
      ArrayRef input = environment.arrays.at(screma_.inputs[k]);
      bindElement(scope.code(), scope.core(), environment, screma_.map.params[k], input, {i});
    }
  }

  // An element's number among all those of the nest is that of its scratch memory.
  LoweringTarget elementPlace(KernelScope& scope, const Operands& segment, const Operand& i,
                              const Operand& cells) {
    return scope.place(cells, [this, &scope, segment, i] {
      Builder& code = scope.code();
      Operand number = i64(0);
      for (size_t k = 0; k < segment.size(); k++) {
        const Operand extent = scope.scalar(nest_.outer.extents()[k]);
        number = code.add(code.mul(number, extent), segment[k]);
      }
      Operand width = scope.scalar(nest_.width());
      return code.add(code.mul(number, width), i);
    });
  }

  const ReduceNest& nest_;
  const core::Screma& screma_;
  const ReduceSchedule& schedule_;
  const Spread& spread_;
  ChunkValues& values_;
  size_t arity_;
};

}  // namespace

TemplateResult emitRuns(const ReduceNest& nest, const ReduceSchedule& schedule) {
  if (nest.screma.partial_values) return {{}, false};  // chunks are those of workgroups
  const Spread spread = spreadOf(nest, schedule);
  const SegmentChunks chunks = {spread.segments, spread.chunks, spread.length};
  return reduceInStages(nest, chunks, [&](ChunkValues& values) {
    return RunReduce(nest, schedule, spread, values).run();
  });
}

}  // namespace halo::gpu
