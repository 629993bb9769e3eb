// The number of a run's lanes is a power of two that the host finds from the extents.
#include "gpu/templates/reduce/runs.h"

#include <bit>

#include "gpu/schedule/reduce/reduce.h"
#include "gpu/templates/reduce/tile_segments.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr size_t kMaxStraightCode = 48;  // statements of an element that may stand several times

bool isStraightCode(const Block& block) {
  for (const Stm& stm : block) {
    bool is_plain = std::holds_alternative<Let>(stm.node) ||
                    std::holds_alternative<Assign>(stm.node) ||
                    std::holds_alternative<Declare>(stm.node);
    if (!is_plain) return false;
  }
  return block.size() <= kMaxStraightCode;
}

// A lane for each long element, as long as the device has invocations for all segments.
Operand takesLong(Builder& host, const Spread& spread, const Operand& segments, int64_t invocations,
                  int log_lanes) {
  Operand wide = host.prim(Op::kGe, ScalarType::kI64, {spread.width, i64(int64_t{1} << log_lanes)});
  Operand fits = host.prim(Op::kLe, ScalarType::kI64, {segments, i64(invocations >> log_lanes)});
  return host.prim(Op::kAnd, ScalarType::kBool, {wide, fits});
}

// Twice as many lanes as soon as each of them has so many elements.
void chooseLanes(Builder& host, Spread& spread, const Operand& segments,
                 const ReduceSchedule& schedule) {
  const int most = std::countr_zero(static_cast<uint64_t>(schedule.lanes));
  for (int k = 1; k <= most; ++k) {
    Operand wide =
        host.prim(Op::kGe, ScalarType::kI64, {spread.width, i64(schedule.elements << k)});
    if (schedule.is_long) {
      const Operand takes_long = takesLong(host, spread, segments, schedule.invocations, k);
      wide = host.prim(Op::kOr, ScalarType::kBool, {wide, takes_long});
    }
    spread.log_lanes =
        host.let("log_lanes", ScalarType::kI64, Select{wide, i64(k), spread.log_lanes});
  }
}

// Of a workgroup; host.
Operand runsOf(Builder& host, const Spread& spread) {
  return host.prim(Op::kMachineShr, ScalarType::kI64, {i64(kGroup), spread.log_lanes});
}

// The chunk and the tile of the run.
void findTile(KernelScope& scope, const Spread& spread, Lane& lane) {
  Builder& code = scope.code();
  Operand tiles = scope.scalar(spread.tiles);
  lane.chunk = code.prim(Op::kMachineDiv, ScalarType::kI64, {lane.item, tiles});
  lane.segment = code.sub(lane.item, code.mul(lane.chunk, tiles));
  // Lanes without an item look at the last tile and store nothing.
  lane.segment = within(code, lane.segment, code.sub(tiles, i64(1)));
}

// Of four runs with two lanes each:
//
//   invocation   0 1 2 3 4 5 6 7
//   run          0 1 2 3 0 1 2 3
//   place        0 2 4 6 1 3 5 7
Operand stridedPlace(KernelScope& scope, const Lane& lane, const Operand& runs) {
  Builder& code = scope.code();
  const auto prim = [&](Op op, const Operand& a, const Operand& b) {
    return code.prim(op, ScalarType::kI64, {a, b});
  };
  const Operand lid = scope.localId();
  const Operand run = prim(Op::kAnd, lid, code.sub(runs, i64(1)));
  const Operand log_runs =
      code.sub(i64(std::countr_zero(static_cast<uint64_t>(kGroup))), lane.log_lanes);
  const Operand number = prim(Op::kMachineShr, lid, log_runs);
  const Operand place = code.add(prim(Op::kMachineShl, run, lane.log_lanes), number);
  return within(code, place, i64(kGroup));
}

}  // namespace

Spread spreadOf(const ReduceNest& nest, const ReduceSchedule& schedule) {
  Builder& host = nest.host;
  const Operand width = nest.width();
  std::vector<int64_t> tile;
  for (size_t level = 0; level < nest.outer.extents().size(); ++level) {
    tile.push_back(schedule.cells(level));
  }
  const Operand segments = nest.segments();
  Spread spread{segments, width, tile, segments, i64(0), i64(1), width};
  Operand whole = nest.wholeSegments();
  if (!isSingle(tile)) {
    spread.tiles = elementCount(host, tileExtents(nest, tile));
    whole = wholeTiles(nest, tile);
  }
  spread.are_strided = schedule.run_lanes == ReduceSchedule::RunLanes::kStrided;
  chooseLanes(host, spread, whole, schedule);
  Operand lanes = host.prim(Op::kMachineShl, ScalarType::kI64, {i64(1), spread.log_lanes});
  Operand busy = host.max(host.mul(whole, lanes), i64(1));
  Operand wanted = divideUp(host, i64(schedule.invocations), busy);
  Operand most = host.prim(Op::kMachineDiv, ScalarType::kI64,
                           {spread.width, host.mul(lanes, i64(schedule.chunk_elements))});
  if (schedule.few_chunks > 0) {
    const Operand few = host.min(divideUp(host, spread.width, lanes), i64(schedule.few_chunks));
    most = host.max(most, few);
  }
  spread.chunks = host.max(host.min(wanted, most), i64(1));
  spread.length = host.max(divideUp(host, spread.width, spread.chunks), i64(1));
  return spread;
}

Spread spreadOfChunks(Builder& host, const SegmentChunks& chunks) {
  Spread spread{chunks.segments, chunks.count, {}, chunks.segments, i64(0), i64(1), chunks.count};
  ReduceSchedule schedule;
  schedule.elements = kChunksPerLane;
  chooseLanes(host, spread, chunks.segments, schedule);
  return spread;
}

Operands workgroupsOf(Builder& host, const Spread& spread) {
  Operand items = host.mul(spread.tiles, spread.chunks);
  return {divideUp(host, items, runsOf(host, spread)), i64(1), i64(1)};
}

std::vector<Lane> lanesOf(KernelScope& scope, const ReduceNest& nest, const Spread& spread,
                          const Operand& workgroup) {
  Builder& code = scope.code();
  auto prim = [&](Op op, const Operand& a, const Operand& b) {
    return code.prim(op, ScalarType::kI64, {a, b});
  };
  Lane lane;
  lane.log_lanes = scope.scalar(spread.log_lanes);
  lane.lanes = prim(Op::kMachineShl, i64(1), lane.log_lanes);
  Operand runs = scope.scalar(runsOf(nest.host, spread));
  lane.lid = spread.are_strided ? stridedPlace(scope, lane, runs) : scope.localId();
  lane.number = prim(Op::kAnd, lane.lid, code.sub(lane.lanes, i64(1)));
  Operand run = within(code, prim(Op::kMachineShr, lane.lid, lane.log_lanes), i64(kGroup));
  Operand items = scope.scalar(nest.host.mul(spread.tiles, spread.chunks));
  lane.item = within(code, code.add(code.mul(workgroup, runs), run), items);
  lane.has_run = prim(Op::kLt, lane.item, items);
  findTile(scope, spread, lane);
  if (!isSingle(spread.tile)) return segmentsOfTile(scope, nest, spread, lane);
  lane.inside = lane.has_run;
  Operands extents;
  for (const Operand& extent : nest.outer.extents()) extents.push_back(scope.scalar(extent));
  lane.indices = indicesOf(code, lane.segment, extents);
  return {lane};
}

Environment segmentOf(KernelScope& scope, const ReduceNest& nest, const Lane& lane,
                      const Operand& cells) {
  Environment environment = scope.environment();
  LoweringTarget target = scope.place(cells, [item = lane.item] { return item; });
  nest.outer.bind(scope.code(), environment, target, lane.indices);
  return environment;
}

namespace {

// The elements of one lane.
struct OwnElements {
  Operand start, step, count;

  OwnElements(Builder& code, const Lane& lane, const Share& share) {
    const auto& [lo, hi, is_strided, unroll] = share;
    Operand per = divideUp(code, code.max(code.sub(hi, lo), i64(0)), lane.lanes);
    start = code.add(lo, is_strided ? lane.number : code.mul(lane.number, per));
    step = is_strided ? lane.lanes : i64(1);
    Operand left = code.max(code.sub(hi, start), i64(0));
    count = is_strided ? divideUp(code, left, lane.lanes) : code.min(left, per);
  }
  Operand at(Builder& code, const Operand& t) const { return code.add(start, code.mul(t, step)); }

  // The number of elements in whole blocks, which it emits.
  Operand blocks(Builder& code, int64_t elements, const ElementBlock& block) const {
    Operand rounds = code.prim(Op::kMachineDiv, ScalarType::kI64, {count, i64(elements)});
    code.forLoop("round", i64(0), rounds, [&](const Operand& round) {
      Operand t = code.mul(round, i64(elements));
      Operands all;
      for (int64_t k = 0; k < elements; ++k) all.push_back(at(code, code.add(t, i64(k))));
      block(all);
    });
    return code.mul(rounds, i64(elements));
  }
  void rest(Builder& code, const Operand& done, const Element& element) const {
    code.forLoop("t", done, count, [&](const Operand& t) { element(at(code, t)); });
  }
};

}  // namespace

void forEachOf(Builder& code, const Lane& lane, const Share& share, const Element& element) {
  const OwnElements own(code, lane, share);
  Block once = code.capture([&] { element(own.start); });
  Operand done = i64(0);
  if (isStraightCode(once)) {
    done = own.blocks(code, share.unroll, [&](const Operands& elements) {
      for (const Operand& each : elements) element(each);
    });
  }
  own.rest(code, done, element);
}

void forBlocksOf(Builder& code, const Lane& lane, const Share& share, int64_t elements,
                 const ElementBlock& block, const Element& element) {
  const OwnElements own(code, lane, share);
  own.rest(code, own.blocks(code, elements, block), element);
}

void withTotals(KernelScope& scope, GroupSums& sums, const Lane& lane,
                const std::function<void(const Operands& totals)>& use) {
  Builder& code = scope.code();
  Operand first = code.prim(Op::kEq, ScalarType::kI64, {lane.number, i64(0)});
  Operand stores = code.prim(Op::kAnd, ScalarType::kBool, {first, lane.inside});
  code.ifThenElse(stores, [&] { use(sums.totals(lane.lid)); });
}

}  // namespace halo::gpu
