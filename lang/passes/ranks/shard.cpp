// The program that the plan asks for. A value keeps its number where it is whole; its rows are a
// new value. Loops whose steps run several at a time are in shard_cycles.cpp.
#include "lang/passes/ranks/shard.h"

#include <fmt/format.h>

#include <numeric>

#include "lang/core/chunk_sums.h"
#include "lang/core/lane_sums.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/fuse/split_maps.h"
#include "lang/passes/ranks/sharder.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Builder;
using core::kOne;
using core::kZero;
using core::Lambda;
using core::Loop;
using core::Operand;
using core::Operands;
using core::Reduction;
using core::Screma;
using core::Stencil;
using core::Stm;
using core::Type;
using core::ValueId;

}  // namespace

// ---- extents

void Sharder::noteExtents(const Body& body) {
  auto note = [&](const Operand& extent) {
    if (findExtent(extent) == nullptr) extents_.push_back({extent, {}, {}, {}, {}, {}});
  };
  for (const auto* values : {&plan_.cut, &plan_.cut_needed}) {
    for (ValueId value : *values) {
      if (!program_.type(value).isScalar()) note(program_.type(value).shape[0]);
    }
  }
  core::visitStms(body, [&](const Stm& stm) {
    if (!isCut(stm)) return;
    if (const auto* screma = std::get_if<Screma>(&stm.expr)) note(screma->width);
    if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) note(stencil->space[0]);
    if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) note(hist->width);
  });
  // Sets have no order of their own; the text must not depend on theirs.
  std::sort(extents_.begin(), extents_.end(), [](const Extent& a, const Extent& b) {
    if (a.n.isConstant() != b.n.isConstant()) return a.n.isConstant();
    return a.n.isConstant() ? a.n.constant.bits < b.n.constant.bits : a.n.value < b.n.value;
  });
}

Sharder::Extent* Sharder::findExtent(const Operand& n) {
  for (Extent& extent : extents_) {
    if (extent.n == n) return &extent;
  }
  return nullptr;
}

Sharder::Extent& Sharder::extentOf(const Operand& n) {
  Extent* extent = findExtent(n);
  HALO_CHECK(extent != nullptr && extent->rows.valid(), "an extent without its block");
  return *extent;
}

// Fewer elements than lanes are all partial values: any blocks do.
Operand Sharder::unitOf(Builder& b, const Operand& n, const Operand& chunk) const {
  const ShardPlan::Unit unit = plan_.unitOf(n);
  const Operand rows = Operand::ofI64(unit.rows(unit.multiple));
  if (unit.has_chunks) {
    const int64_t chunks = unit.rows(core::kChunkTile) / core::kChunkTile;
    return chunks == 1
               ? chunk
               : b.prim(prim::Op::kMul, prim::ScalarType::kI64, {chunk, Operand::ofI64(chunks)});
  }
  if (!unit.lines.empty()) return unitOfPlanes(b, unit);
  if (!unit.has_lanes) return rows;
  const Operand chunks = Operand::ofI64(unit.rows(std::lcm(unit.multiple, core::kSumChunk)));
  const Operand is_short =
      b.prim(prim::Op::kLt, prim::ScalarType::kI64, {n, Operand::ofI64(core::kSumLanes)});
  return b.bind("unit", {prim::ScalarType::kI64, {}}, core::Select{is_short, rows, chunks});
}

std::vector<ValueId> Sharder::move(Builder& b, core::Move move, const std::string& name,
                                   std::vector<Type> types, Operands args) {
  return b.bindAll(name, std::move(types), core::Call{core::name(move), std::move(args)});
}

void Sharder::emitBlock(Builder& b, const Operand& n) {
  Extent* extent = findExtent(n);
  if (extent == nullptr) return;
  const Type i64{prim::ScalarType::kI64, {}};
  const Operand chunk = plan_.unitOf(n).has_chunks ? chunkOf(b, n) : kOne;
  const Operand unit = unitOf(b, n, chunk);
  const ValueId first = program_.add("first", i64), rows = program_.add("rows", i64),
                smallest = program_.add("smallest", i64);
  b.append(
      {{first, rows, smallest}, core::Call{core::name(core::Move::kBlock), {n, unit}}, false, {}});
  extent->first = first, extent->rows = rows, extent->smallest = smallest, extent->unit = unit,
  extent->chunk = chunk;
}

// ---- values

Type Sharder::rowsType(ValueId value, const Operand& rows) const {
  Type type = program_.type(value);
  type.shape[0] = rows;
  return type;
}

ValueId Sharder::newRows(ValueId value) {
  const Extent& extent = extentOf(program_.type(value).shape[0]);
  const ValueId rows =
      program_.add(std::string(program_.values[value].name), rowsType(value, extent.rows));
  rows_[value] = rows;
  return rows;
}

ValueId Sharder::rowsOf(ValueId value) const {
  auto found = rows_.find(value);
  HALO_CHECK(found != rows_.end(), "an array without its rows");
  return found->second;
}

// Rows [start, start + rows) of an array that has others as well.
ValueId Sharder::slicedRows(Builder& b, ValueId array, const Operand& start, const Operand& rows) {
  core::Slice slice{array, {{start, rows, kOne}}};
  const Type& type = program_.type(array);
  for (size_t axis = 1; axis < type.shape.size(); axis++) {
    slice.dims.push_back({kZero, type.shape[axis], kOne});
  }
  return b.bind(std::string(program_.values[array].name), rowsType(array, rows), std::move(slice));
}

// Behind the binders of some values: the blocks of extents among them, whole arrays that are read
// whole, rows that are read as rows.
void Sharder::bound(Builder& b, const std::vector<ValueId>& values, bool are_arguments) {
  for (ValueId value : values) emitBlock(b, value);
  for (ValueId value : values) {
    if (program_.type(value).isScalar()) continue;
    if (plan_.cut.contains(value)) {
      if (plan_.whole_needed.contains(value)) gather(b, value);
    } else if (plan_.cut_needed.contains(value) && !rows_.contains(value)) {
      const Extent extent = extentOf(program_.type(value).shape[0]);
      const ValueId view =
          are_arguments
              ? move(b, core::Move::kRows, std::string(program_.values[value].name),
                     {rowsType(value, extent.rows)}, {extent.first, extent.rows, value})[0]
              : slicedRows(b, value, extent.first, extent.rows);
      if (are_arguments) viewed_arguments_.insert(value);
      b.append({{newRows(value)}, core::Copy{view}, false, {}});
    }
  }
}

void Sharder::gather(Builder& b, ValueId value) {
  const Operand n = program_.type(value).shape[0];
  b.append({{value},
            core::Call{core::name(core::Move::kWhole), {n, unit(n), rowsOf(value)}},
            false,
            {}});
  tell("`{}_{}` is gathered on every rank", value);
}

// ---- statements

bool Sharder::isCut(const Stm& stm) const {
  return !stm.results.empty() && plan_.statements.contains(stm.results[0]);
}

bool Sharder::hasCut(const Stm& stm) const {
  if (isCut(stm)) return true;
  const auto* loop = std::get_if<Loop>(&stm.expr);
  if (loop == nullptr) return false;
  for (const core::Carried& carried : loop->carried) {
    if (plan_.cut.contains(carried.param)) return true;
  }
  return std::any_of(loop->body.stms.begin(), loop->body.stms.end(),
                     [&](const Stm& nested) { return hasCut(nested); });
}

Body Sharder::function(const core::Function& f) {
  if (plan_.least_sizes.empty()) return cutBody(f);
  if (decisions_ != nullptr)
    decisions_->push_back("the entry is whole where its products are small");
  return largeOrWhole(f);
}

Body Sharder::cutBody(const core::Function& f) {
  Builder b(program_);
  noteExtents(f.body);
  for (const Extent& extent : std::vector<Extent>(extents_)) {
    if (extent.n.isConstant()) emitBlock(b, extent.n);
  }
  bound(b, f.params, true);
  statements(b, f.body);
  return b.take(f.body.results);
}

void Sharder::statements(Builder& b, const Body& body) {
  for (const Stm& stm : body.stms) statement(b, stm);
}

void Sharder::statement(Builder& b, const Stm& stm) {
  const auto* loop = std::get_if<Loop>(&stm.expr);
  if (loop != nullptr && hasCut(stm)) {
    if (plan_.cycles.contains(stm.results.at(0))) {
      cycles(b, stm, *loop);
    } else if (plan_.least_work.contains(stm.results[0])) {
      longOrWhole(b, stm, *loop);
    } else {
      hostLoop(b, stm, *loop);
    }
  } else if (padding_ != nullptr && isCut(stm) && padding_->statements.contains(stm.results[0])) {
    paddedNode(b, stm);
  } else if (core::isMove(stm, core::Move::kSave)) {
    save(b, stm, std::get<core::Call>(stm.expr));
  } else if (!isCut(stm)) {
    b.append(stm);
    made(b, stm);
  } else if (const auto* screma = std::get_if<Screma>(&stm.expr)) {
    Screma own = *screma;
    own.width = extentOf(own.width).rows;
    for (ValueId& input : own.inputs) input = rowsOf(input);
    auto sums = plan_.sums.find(stm.results[0]);
    if (sumsViews(stm, *screma)) {
      sumsInRoom(b, stm, *screma);
    } else if (sums != plan_.sums.end() && sums->second == ShardPlan::Sums::kScans) {
      scanOfChunks(b, stm, std::move(own));
    } else if (!own.scans.empty()) {
      scanOfRows(b, stm, std::move(own));
    } else if (sums == plan_.sums.end()) {
      nodeOfRows(b, stm, screma->reductions, std::move(own));
    } else if (sums->second == ShardPlan::Sums::kChunks) {
      chunkSums(b, stm, std::move(own));
    } else if (sums->second != ShardPlan::Sums::kSummands) {
      partialSums(b, stm, std::move(own), sums->second == ShardPlan::Sums::kElements);
    } else {
      sumsOfSummands(b, stm, std::move(own));
    }
  } else if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) {
    stencilOfRows(b, stm, *stencil);
  } else if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) {
    core::Hist own = *hist;
    own.width = extentOf(own.width).rows;
    for (ValueId& input : own.inputs) input = rowsOf(input);
    tablesOfRows(b, stm, std::move(own));
  } else {
    passOn(b, stm);
  }
  bound(b, stm.results);
}

// Nodes without inputs (iota, replicate), once more as rows.
void Sharder::made(Builder& b, const Stm& stm) {
  if (stm.results.empty() || !plan_.cut_needed.contains(stm.results[0])) return;
  const ValueId value = stm.results[0];
  if (const auto* replicate = std::get_if<core::Replicate>(&stm.expr)) {
    const Extent extent = extentOf(replicate->shape[0]);
    core::Replicate own = *replicate;
    own.shape[0] = extent.rows;
    replicated_[value] = own;
    b.append({{newRows(value)}, std::move(own), false, stm.span});
  } else if (const auto* iota = std::get_if<core::Iota>(&stm.expr)) {
    if (!prim::isInteger(iota->type)) return;
    const Extent extent = extentOf(iota->count);
    core::Iota own = *iota;
    const Operand first = b.convert(prim::ConvertKind::kValue, iota->type, extent.first);
    const Operand skipped = b.prim(prim::Op::kMul, iota->type, {first, iota->step});
    own.start = b.prim(prim::Op::kAdd, iota->type, {iota->start, skipped});
    own.count = extent.rows;
    b.append({{newRows(value)}, std::move(own), false, stm.span});
  }
}

void Sharder::passOn(Builder& b, const Stm& stm) {
  core::Expr expr = stm.expr;
  const ValueId value = stm.results[0];
  const Operand rows = extentOf(program_.type(value).shape[0]).rows;
  if (auto* copy = std::get_if<core::Copy>(&expr)) copy->array = rowsOf(copy->array);
  if (auto* view = std::get_if<core::Rearrange>(&expr)) view->array = rowsOf(view->array);
  if (auto* view = std::get_if<core::Reshape>(&expr)) {
    view->array = rowsOf(view->array);
    view->shape[0] = rows;
  }
  if (auto* view = std::get_if<core::Slice>(&expr)) {
    view->array = rowsOf(view->array);
    view->dims[0].length = rows;
  }
  b.append({{newRows(value)}, std::move(expr), stm.checked, stm.span});
}

// A checkpoint holds whole arrays, so that any number of ranks can continue it.
void Sharder::save(Builder& b, const Stm& stm, core::Call call) {
  for (Operand& arg : call.args) {
    if (!plan_.isCut(arg)) continue;
    const Type& type = program_.type(arg.value);
    const Operand n = type.shape[0];
    arg = b.bind("all", Type(type),
                 core::Call{core::name(core::Move::kWhole), {n, unit(n), rowsOf(arg.value)}});
  }
  b.append({stm.results, std::move(call), stm.checked, stm.span});
}

size_t Sharder::accumulators(const std::vector<Reduction>& reductions) {
  size_t count = 0;
  for (const Reduction& reduction : reductions) count += reduction.neutral.size();
  return count;
}

// A node over the own rows: reduced values are combined over the ranks.
void Sharder::nodeOfRows(Builder& b, const Stm& stm, const std::vector<Reduction>& reductions,
                         core::Expr expr) {
  Stm own{{}, std::move(expr), stm.checked, stm.span};
  const size_t count = accumulators(reductions);
  std::vector<ValueId> partial;
  for (size_t i = 0; i < count; i++) {
    partial.push_back(program_.add("own", program_.type(stm.results[i])));
    own.results.push_back(partial.back());
  }
  for (size_t i = count; i < stm.results.size(); i++) {
    own.results.push_back(newRows(stm.results[i]));
    tell("`{}_{}` is cut by rows", stm.results[i]);
  }
  b.append(std::move(own));
  if (count > 0) combine(b, reductions, partial, stm);
}

std::vector<ValueId> Sharder::ofRanks(Builder& b, core::Move move,
                                      const std::vector<ValueId>& values) {
  const ValueId count = program_.add("ranks", {prim::ScalarType::kI64, {}});
  std::vector<ValueId> all{count};
  for (ValueId value : values) {
    Type type = program_.type(value);
    type.shape.insert(type.shape.begin(), Operand(count));
    all.push_back(program_.add("each", std::move(type)));
  }
  b.append({all, core::Call{core::name(move), Operands(values.begin(), values.end())}, false, {}});
  return all;
}

// (p, all) = call move.each (partial); results = screma [p] (all) reduce ..
void Sharder::combine(Builder& b, const std::vector<Reduction>& reductions,
                      const std::vector<ValueId>& partial, const Stm& stm) {
  std::vector<ValueId> all = ofRanks(b, core::Move::kEach, partial);
  const ValueId count = all[0];
  all.erase(all.begin());
  Screma node = reduced(count, all, reductions, 1);
  std::vector<ValueId> results(stm.results.begin(),
                               stm.results.begin() + static_cast<std::ptrdiff_t>(partial.size()));
  for (ValueId result : results) tell("`{}_{}` is combined over the ranks", result);
  b.append({std::move(results), std::move(node), false, stm.span});
}

// Arrays over a space of this rank, reduced: rows by themselves, then the rows' values.
Screma Sharder::reduced(const Operand& width, const std::vector<ValueId>& arrays,
                        const std::vector<Reduction>& reductions, size_t rank) {
  Screma node{width, arrays, {}, {}, {}, {}};
  std::vector<ValueId> rows;
  for (ValueId array : arrays) {
    rows.push_back(program_.add("x", rowOf(program_.type(array))));
  }
  node.map.params = rows;
  if (rank == 1) {
    node.map.body.results.assign(rows.begin(), rows.end());
  } else {
    Builder b(program_);
    Screma inner = reduced(program_.type(rows[0]).shape[0], rows, reductions, rank - 1);
    std::vector<Type> types;
    for (const Reduction& reduction : reductions) {
      for (const Operand& neutral : reduction.neutral) types.push_back(program_.type(neutral));
    }
    std::vector<ValueId> values = b.bindAll("x", std::move(types), std::move(inner));
    node.map.body = b.take(Operands(values.begin(), values.end()));
  }
  for (const Reduction& reduction : reductions) {
    node.reductions.push_back(
        {core::freshCopy(program_, reduction.op), reduction.neutral, reduction.commutative});
  }
  return node;
}

// ---- loops

void Sharder::hostLoop(Builder& b, const Stm& stm, const Loop& loop) {
  const auto* outer = padding_;
  const Strip outer_strip = padded_strip_;
  beginPadded(b, loop);
  Loop own = loop;
  Stm result{{}, core::Literal{}, stm.checked, stm.span};
  std::vector<ValueId> params;
  Builder inner(program_);
  auto wide = [&](ValueId value) {
    return program_.add(std::string(program_.values[value].name),
                        rowsType(value, padded_strip_.ext));
  };
  for (size_t k = 0; k < own.carried.size(); k++) {
    core::Carried& carried = own.carried[k];
    const ValueId param = carried.param;
    params.push_back(param);
    if (isPadded(param)) {
      carried.initial = withRoom(b, carried.initial.value, false);
      carried.param = wide(param);
      result.results.push_back(wide(stm.results[k]));
    } else if (plan_.cut.contains(param)) {
      carried.initial = rowsOf(carried.initial.value);
      carried.param = newRows(param);
      result.results.push_back(newRows(stm.results[k]));
    } else {
      result.results.push_back(stm.results[k]);
    }
  }
  if (const auto* counted = std::get_if<core::ForLoop>(&loop.form))
    params.push_back(counted->index);
  const auto around = padded_;
  for (size_t k = 0; k < own.carried.size(); k++) {
    const ValueId param = loop.carried[k].param;
    if (isPadded(param)) setPadded(inner, param, own.carried[k].param, false);
  }
  bound(inner, params);
  statements(inner, loop.body);
  Operands results = loop.body.results;
  for (size_t k = 0; k < results.size(); k++) {
    if (isPadded(loop.carried[k].param)) {
      results[k] = withRoom(inner, results[k].value, false);
    } else if (plan_.cut.contains(loop.carried[k].param)) {
      results[k] = rowsOf(results[k].value);
    }
  }
  own.body = inner.take(std::move(results));
  const std::vector<ValueId> made = result.results;
  result.expr = std::move(own);
  b.append(std::move(result));
  padded_ = around;
  for (size_t k = 0; k < made.size(); k++) {
    if (isPadded(loop.carried[k].param)) setPadded(b, stm.results[k], made[k], false);
  }
  padding_ = outer;
  padded_strip_ = outer_strip;
}

core::Program shard(const core::Program& program, const ShardOptions& options,
                    std::vector<std::string>* decisions) {
  // As the engine does it with one rank, so that maps can be cut.
  const bool splits =
      options.sums == ShardOptions::Order::kLanes || options.sums == ShardOptions::Order::kSequence;
  core::Program result = splits ? splitMaps(program) : program;
  for (core::Function& function : result.functions) {
    if (!function.is_entry) continue;
    const core::Function before = function;
    const ShardPlan plan = planShards(result, before, options);
    if (decisions != nullptr) {
      decisions->insert(decisions->end(), plan.why_whole.begin(), plan.why_whole.end());
    }
    Sharder sharder(result, plan, options, decisions);
    core::Body body = sharder.function(before);
    function.body = std::move(body);
  }
  return result;
}

}  // namespace halo::passes
