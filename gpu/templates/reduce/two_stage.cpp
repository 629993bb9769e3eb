// The number of chunks is known on the host alone. So both launches are in the program, and the
// target buffer of the first is bound to results or to partial values.
#include "gpu/templates/reduce/two_stage.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

ChunkValues::ChunkValues(const ReduceNest& nest, const SegmentChunks& chunks, Single single)
    : nest_(nest), chunks_(chunks), are_results_(nest.screma.partial_values.has_value()) {
  if (are_results_) {
    several_ = Operand(prim::Scalar::ofBool(false));
    for (size_t k = 0; k < nest.arity(); ++k) results_.push_back(nest.call.results[k]);
    return;
  }
  Builder& host = nest.host;
  const Operand items = host.mul(chunks.segments, chunks.count);
  several_ = host.prim(Op::kGt, ScalarType::kI64, {chunks.count, i64(1)});
  const size_t arity = nest.arity();
  if (nest.hasEpilogue() || nest.hasCodeBehind()) {
    if (single == Single::kPartial) several_ = Operand(prim::Scalar::ofBool(true));
    for (size_t k = 0; k < arity; ++k) makePartials(k, items);
    if (nest.hasCodeBehind()) makeScalars();
    return;
  }
  for (size_t k = 0; k < arity && !nest.outer.empty(); ++k) {
    if (!nest.call.results[k].dense) several_ = Operand(prim::Scalar::ofBool(true));
  }
  for (size_t k = 0; k < arity; ++k) makeTarget(k, items);
}

ChunkValues::ChunkValues(const ReduceNest& nest, const SegmentChunks& chunks)
    : nest_(nest), chunks_(chunks), are_results_(false) {
  HALO_CHECK(nest.outer.empty(), "many segments in one launch");
  Builder& host = nest.host;
  several_ = host.prim(Op::kGt, ScalarType::kI64, {chunks.count, i64(1)});
  std::vector<ScalarType> types;
  for (size_t k = 0; k < nest.arity(); ++k) types.push_back(typeOf(k));
  makeScalars();
  last_.emplace(host, std::move(types), chunks.count);
}

// Buffers for the host to read, of a whole reduction's totals and of the code behind it.
void ChunkValues::makeScalars() {
  const auto add = [&](size_t position, ScalarType type) {
    const BufferId result = nest_.host.alloc("reduced", type, Space::kDevice, i64(1));
    scalars_.push_back({static_cast<int>(position), result});
    return result;
  };
  for (size_t k = 0; k < nest_.arity(); ++k) makeResult(k);
  const core::Operands& behind = nest_.call.behind.results;
  for (size_t k = 0; k < behind.size(); ++k) {
    const core::Type type = nest_.call.core.type(behind[k]);
    if (type.isScalar()) add(nest_.call.function.body.results.size() + k, type.scalar);
  }
}

ScalarType ChunkValues::typeOf(size_t k) const {
  return nest_.call.core.type(nest_.screma.map.body.results[k]).scalar;
}

// The kernel stores results itself, where there are no partial values.
void ChunkValues::makePartials(size_t k, const Operand& items) {
  Operand room = items;
  if (!several_.isConstant()) {
    room = nest_.host.let("items", ScalarType::kI64, Select{several_, items, i64(1)});
  }
  partials_.push_back(nest_.host.alloc("partials", typeOf(k), Space::kDevice, room));
  targets_.push_back(partials_.back());
  offsets_.push_back(i64(0));
}

// A dense result, or a buffer for the host to read.
void ChunkValues::makeTarget(size_t k, const Operand& items) {
  Builder& host = nest_.host;
  const ScalarType type = typeOf(k);
  BufferId partial = host.alloc("partials", type, Space::kDevice, items);
  partials_.push_back(partial);
  if (nest_.outer.empty()) {
    makeResult(k);
  } else {
    results_.push_back(nest_.call.results[k]);
  }
  BufferId target = host.buffer("target", type, Space::kDevice);
  const ArrayRef& whole = results_.back();
  auto bindTo = [&](BufferId buffer) { host.append(Rebind{target, buffer}); };
  host.ifThenElse(
      several_, [&] { bindTo(partial); }, [&] { bindTo(whole.buffer); });
  targets_.push_back(target);
  offsets_.push_back(whole.offset == i64(0) ? whole.offset
                                            : host.let("offset", ScalarType::kI64,
                                                       Select{several_, i64(0), whole.offset}));
}

void ChunkValues::makeResult(size_t k) {
  Builder& host = nest_.host;
  const BufferId result = host.alloc("reduced", typeOf(k), Space::kDevice, i64(1));
  scalars_.push_back({static_cast<int>(k), result});
  results_.push_back(denseArray(host, result, i64(0), typeOf(k), {}));
}

void ChunkValues::store(KernelScope& scope, const Operand& item, const Operands& segment,
                        const Operands& values) {
  Builder& code = scope.code();
  if (last_) {
    return code.ifThenElse(
        scope.scalar(several_), [&] { last_->post(scope, item, values); },
        [&] { storeTotals(scope, segment, values); });
  }
  const auto put = [&] {
    for (size_t k = 0; k < values.size(); ++k) storeOne(scope, k, item, values[k]);
  };
  if (!nest_.hasEpilogue() && !nest_.hasCodeBehind()) return put();
  const Operand several = several_.isConstant() ? several_ : scope.scalar(several_);
  branch(code, several, put, [&] { storeTotals(scope, segment, values); });
}

void ChunkValues::storeTotals(KernelScope& scope, const Operands& segment,
                              const Operands& totals) const {
  if (nest_.hasEpilogue()) return nest_.store(scope, segment, totals);
  for (size_t k = 0; k < totals.size(); ++k) {
    storeElement(scope.code(), scope.array(results_[k]), segment, totals[k]);
  }
  if (!nest_.hasCodeBehind()) return;
  const Results values = nest_.runBehind(scope, totals);
  for (size_t k = totals.size(); k < scalars_.size(); ++k) {
    scope.code().store(scope.buffer(scalars_[k].buffer), i64(0),
                       values.scalars[static_cast<size_t>(scalars_[k].position)]);
  }
  if (nest_.call.at_end) nest_.call.at_end(scope, values);
}

void ChunkValues::storeOne(KernelScope& scope, size_t k, const Operand& item,
                           const Operand& value) {
  Builder& code = scope.code();
  if (are_results_) return storeElement(code, scope.array(results_[k]), {item}, value);
  const BufferId target = scope.buffer(targets_[k]);
  code.store(target, code.add(scope.scalar(offsets_[k]), item), value);
}

Operand ChunkValues::load(KernelScope& scope, size_t k, const Operand& item) const {
  return scope.code().load(scope.buffer(partials_[k]), item);
}

void ChunkValues::finish(KernelScope& scope) {
  if (!last_) return;
  Builder& code = scope.code();
  code.ifThenElse(scope.scalar(several_), [&] {
    const Operand is_last = last_->isLast(scope);
    code.ifThenElse(is_last, [&] { combine(scope); });
  });
}

// As the first workgroup of a second launch would, so that the bits are the same.
void ChunkValues::combine(KernelScope& scope) {
  const Spread spread = spreadOfChunks(nest_.host, chunks_);
  LastGroup::open(scope);
  const Lane lane = lanesOf(scope, nest_, spread, i64(0))[0];
  GroupSums sums(scope, scope.environment(), nest_.screma.reductions);
  const auto add = [&](const Operands& posts) {
    std::vector<Operands> loaded;  // all before the first sum
    for (const Operand& which : posts) loaded.push_back(last_->load(scope, which));
    for (const Operands& values : loaded) sums.add([&](size_t k) { return values[k]; });
  };
  combineShares(scope, spread, lane, sums, [&](const Share& share) {
    forBlocksOf(scope.code(), lane, share, share.unroll, add, [&](const Operand& c) { add({c}); });
  });
}

void ChunkValues::combineShares(KernelScope& scope, const Spread& spread, const Lane& lane,
                                GroupSums& sums,
                                const std::function<void(const Share& share)>& add) const {
  scope.code().ifThenElse(lane.inside, [&] {
    add({i64(0), scope.scalar(spread.width), false, ReduceSchedule{}.unroll});
  });
  sums.combineRuns(lane.lid, lane.log_lanes);
  withTotals(scope, sums, lane,
             [&](const Operands& totals) { storeTotals(scope, lane.indices, totals); });
}

void ChunkValues::release() {
  if (last_) last_->free(nest_.host);
  for (BufferId partial : partials_) nest_.host.append(Free{partial});
}

namespace {

void combineChunks(const ReduceNest& nest, const ChunkValues& values, const SegmentChunks& chunks) {
  const Spread spread = spreadOfChunks(nest.host, chunks);
  KernelScope scope(nest.program, nest.host, nest.call, nest.call.function.name + "_finish");
  Builder& code = scope.code();
  const Lane lane = lanesOf(scope, nest, spread, scope.groupId())[0];
  Environment environment = segmentOf(scope, nest, lane, spread.segments);
  GroupSums sums(scope, environment, nest.screma.reductions);
  Operand segments = scope.scalar(spread.segments);
  values.combineShares(scope, spread, lane, sums, [&](const Share& share) {
    forEachOf(code, lane, share, [&](const Operand& c) {
      Operand at = code.add(code.mul(c, segments), lane.segment);
      sums.add([&](size_t k) { return values.load(scope, k, at); });
    });
  });
  scope.launch(kRunsWorkgroup, workgroupsOf(nest.host, spread));
}

}  // namespace

TemplateResult reduceInStages(const ReduceNest& nest, const SegmentChunks& chunks,
                              const std::function<bool(ChunkValues& values)>& first,
                              ChunkValues::Single single) {
  ChunkValues values(nest, chunks, single);
  TemplateResult result;
  result.supported = first(values);
  if (nest.screma.partial_values) return result;
  auto combine = [&] { combineChunks(nest, values, chunks); };
  branch(nest.host, values.areSeveral(), combine, [] {});
  values.release();
  result.scalars = values.scalars();
  return result;
}

TemplateResult reduceInOneLaunch(const ReduceNest& nest, const SegmentChunks& chunks,
                                 const std::function<bool(ChunkValues& values)>& first) {
  ChunkValues values(nest, chunks);
  TemplateResult result;
  result.supported = first(values);
  values.release();
  result.scalars = values.scalars();
  return result;
}

}  // namespace halo::gpu
