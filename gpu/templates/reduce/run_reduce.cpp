// One kernel. Where a run has a tile of segments, or of a lane's elements, their code is jammed.
#include "gpu/templates/reduce/run_reduce.h"

#include "gpu/templates/reduce/jammed_element.h"
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
    const bool is_tile = !schedule_.tile.levels.empty();
    const char* suffix = is_tile ? "_together" : spread_.are_strided ? "_strided" : "";
    KernelScope scope(nest_.program, nest_.host, nest_.call, nest_.call.function.name + suffix);
    Builder& code = scope.code();
    const std::vector<Lane> lanes = lanesOf(scope, nest_, spread_, scope.groupId());
    const Lane& lane = lanes[0];
    Operand all = nest_.host.mul(spread_.segments, spread_.width);
    std::vector<Environment> environments;
    std::vector<GroupSums> sums;
    for (const Lane& each : lanes) {
      environments.push_back(segmentOf(scope, nest_, each, all));
      sums.emplace_back(scope, environments.back(), screma_.reductions);
    }
    code.ifThenElse(lane.has_run, [&] {
      const Share share = shareOf(scope, lane);
      if (is_tile) return addTile(scope, share, environments, sums, lanes, all);
      forEachOf(code, lane, share, [&](const Operand& i) {
        Environment inner = environments[0];
        add(scope, inner, sums[0], lane.indices, i, all);
      });
    });
    GroupSums::combineRuns(sums, lane.lid, lane.log_lanes);
    for (size_t q = 0; q < lanes.size(); ++q) {
      withTotals(scope, sums[q], lanes[q], [&](const Operands& totals) {
        values_.store(scope, lanes[q].item, lanes[q].indices, totals);
      });
    }
    values_.finish(scope);
    scope.launch(kRunsWorkgroup, workgroupsOf(nest_.host, spread_));
    return !scope.unsupported();
  }

 private:
  Share shareOf(KernelScope& scope, const Lane& lane) const {
    Builder& code = scope.code();
    Operand length = scope.scalar(spread_.length);
    Operand lo = code.mul(lane.chunk, length);
    Operand width = scope.scalar(spread_.width);
    Operand hi = code.min(code.add(lo, length), width);
    const bool is_strided = inAnyOrder(screma_.reductions) && screma_.joins != core::Joins::kChunks;
    return {lo, hi, is_strided, schedule_.unroll};
  }

  // The lane's elements of all segments of a tile. All values before the first sum: divisions of
  // all cells then share a test (raise/exact_division.cpp).
  void addTile(KernelScope& scope, const Share& share, const std::vector<Environment>& environments,
               std::vector<GroupSums>& sums, const std::vector<Lane>& lanes, const Operand& cells) {
    HALO_CHECK(screma_.map.body.results.size() == arity_, "a tile passes values through");
    const auto addOf = [&](const JammedElement& jammed) {
      const Environment joined = jammed.joined(environments);
      return [&, joined](const Operands& elements) {
        const LoweringTarget target = elementPlace(scope, lanes[0].indices, elements[0], cells);
        const Operands values = jammed.lower(scope, joined, target, elements);
        for (size_t cell = 0; cell * arity_ < values.size(); ++cell) {
          GroupSums& sum = sums[cell / elements.size()];
          sum.add([&](size_t k) { return values[cell * arity_ + k]; });
        }
      };
    };
    const JammedElement single(nest_, schedule_, 1);
    const auto add_one = addOf(single);
    const Element element = [&](const Operand& i) { add_one({i}); };
    const int64_t together = schedule_.cells(nest_.levels.size() - 1);
    if (together == 1) return forEachOf(scope.code(), lanes[0], share, element);
    const JammedElement block(nest_, schedule_, together);
    forBlocksOf(scope.code(), lanes[0], share, together, addOf(block), element);
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
    for (size_t k = arity_; k < body.results.size(); ++k) {
      if (scope.core().type(body.results[k]).isScalar()) continue;
      destinations[k] = prefixView(code, scope.array(results[k]), indices);
    }
    Results values = lowerBody(code, scope.core(), body, environment, target, destinations);
    sums.add([&](size_t k) { return values.scalars[k]; });
    for (size_t k = arity_; k < body.results.size(); ++k) {
      if (!scope.core().type(body.results[k]).isScalar()) continue;
      storeElement(code, scope.array(results[k]), indices, values.scalars[k]);
    }
  }

  void bindInputs(KernelScope& scope, Environment& environment, const Operand& i) {
    for (size_t k = 0; k < screma_.inputs.size(); ++k) {
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
      for (size_t k = 0; k < segment.size(); ++k) {
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
  const auto first = [&](ChunkValues& values) {
    return RunReduce(nest, schedule, spread, values).run();
  };
  if (schedule.finish == Finish::kLastWorkgroup) return reduceInOneLaunch(nest, chunks, first);
  // Elements that are much code want the registers that code behind the reduction takes.
  const auto single =
      nest.hasCodeBehind() ? ChunkValues::Single::kPartial : ChunkValues::Single::kResults;
  return reduceInStages(nest, chunks, first, single);
}

}  // namespace halo::gpu
