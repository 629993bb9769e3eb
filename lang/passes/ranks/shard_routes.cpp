// Scatters and views whose rows come from other ranks.
//
//   ys = scatter [n] (is, xs) map .. into (d 1)
// becomes
//   (is', xs') = screma [rows] (is_own, xs_own) map ..
//   (p, places, vs) = call move.route (m, unit, is', xs')
//   ys_own = scatter [p] (places, vs) map (i, v) { return i, v } into (d_own 1)
//
// Pairs come in the order of ranks, and then of their places: so the last pair for a place is that
// of one rank.
#include "lang/passes/ranks/shard_routes.h"

namespace halo::passes {
namespace {

using core::kOne;
using core::kZero;
using core::Operand;
using core::Operands;
using core::Screma;
using core::Stm;
using core::Type;
using core::ValueId;
using prim::ScalarType;

}  // namespace

void RankRoutes::routed(Builder& b, const Stm& stm) {
  if (const auto* node = std::get_if<core::Scatter>(&stm.expr)) {
    scatter(b, stm, *node);
  } else if (const auto* view = std::get_if<core::Slice>(&stm.expr)) {
    slice(b, stm, *view);
  } else if (const auto* joined = std::get_if<core::Concat>(&stm.expr)) {
    concat(b, stm, *joined);
  } else {
    const auto found = sortIn(program_, stm);
    HALO_CHECK(found.has_value(), "a cut statement without a form");
    sort(b, stm, *found);
  }
  for (ValueId result : stm.results)
    own_.tell("`{}_{}` is cut by rows, which come from all ranks", result);
}

RankRoutes::Routed RankRoutes::route(Builder& b, const Operand& n, const Operand& unit,
                                     ValueId places, const std::vector<ValueId>& arrays) {
  const ValueId count = program_.add("arrived", {ScalarType::kI64, {}});
  std::vector<ValueId> results{count, program_.add("places", {ScalarType::kI64, {Operand(count)}})};
  Operands args{n, unit, Operand(places)};
  for (ValueId array : arrays) {
    args.emplace_back(array);
    results.push_back(program_.add("routed", own_.rowsType(array, Operand(count))));
  }
  b.append({results, core::Call{core::name(core::Move::kRoute), std::move(args)}, false, {}});
  return {count, results[1], {results.begin() + 2, results.end()}};
}

ValueId RankRoutes::placesFrom(Builder& b, const Operand& start, const Operand& count) {
  return b.bind("to", {ScalarType::kI64, {count}},
                core::Iota{ScalarType::kI64, count, start, kOne});
}

void RankRoutes::bindOwn(Builder& b, ValueId result, ValueId arrived) {
  const Extent extent = own_.extentOf(program_.type(result).shape[0]);
  own_.setRows(result, own_.slicedRows(b, arrived, kZero, extent.rows));
}

// Nothing mentions the old rows afterwards; a view or a part's argument is not the scatter's own.
ValueId RankRoutes::ownDestination(Builder& b, ValueId array) {
  const ValueId rows = own_.rowsOf(array);
  core::Expr expr = core::Copy{rows};
  if (const core::Expr* made = own_.madeOf(array)) expr = *made;
  return b.bind("into", Type(program_.type(rows)), std::move(expr));
}

void RankRoutes::scatter(Builder& b, const Stm& stm, const core::Scatter& node) {
  const Operand rows = own_.extentOf(node.width).rows;
  Screma pairs{rows, {}, node.map, {}, {}, node.flattening};
  for (ValueId input : node.inputs) pairs.inputs.push_back(own_.rowsOf(input));
  std::vector<Type> types;
  for (const Operand& o : node.map.body.results) {
    types.push_back(program_.type(o));
    types.back().shape.insert(types.back().shape.begin(), rows);
  }
  const std::vector<ValueId> all =
      b.bindAll("pairs", std::move(types), std::move(pairs), stm.checked, stm.span);
  auto next = all.begin();
  for (size_t d = 0; d < node.destinations.size(); ++d) {
    const core::ScatterDest& dest = node.destinations[d];
    const Operand n = program_.type(dest.array).shape[0];
    const std::vector<ValueId> sent(next + 1, next + dest.index_rank + 1);
    const Routed came = route(b, n, own_.unit(n), *next, sent);
    next += dest.index_rank + 1;
    core::Scatter own{came.count, {came.places}, {}, {{ownDestination(b, dest.array)}}};
    own.destinations[0].index_rank = dest.index_rank;
    own.inputs.insert(own.inputs.end(), came.arrays.begin(), came.arrays.end());
    for (ValueId input : own.inputs) {
      const ValueId param = program_.add("x", core::rowOf(program_.type(input)));
      own.map.params.push_back(param);
      own.map.body.results.emplace_back(param);
    }
    b.append({{own_.newRows(stm.results[d])}, std::move(own), false, stm.span});
  }
}

// Own rows of the array, at the places that they have in the part of it.
void RankRoutes::slice(Builder& b, const Stm& stm, const core::Slice& node) {
  const Extent from = own_.extentOf(program_.type(node.array).shape[0]);
  const Operand m = program_.type(stm.results[0]).shape[0];
  core::Slice own = node;
  own.array = own_.rowsOf(node.array);
  own.dims[0] = {kZero, from.rows, kOne};
  const ValueId rows =
      b.bind("sent", own_.rowsType(stm.results[0], from.rows), std::move(own), false, stm.span);
  const Operand start = b.sub(from.first, node.dims[0].start);
  const Routed came = route(b, m, own_.unit(m), placesFrom(b, start, from.rows), {rows});
  bindOwn(b, stm.results[0], came.arrays[0]);
}

// Of each array the rows that this rank has of the result.
void RankRoutes::concat(Builder& b, const Stm& stm, const core::Concat& node) {
  const Extent into = own_.extentOf(node.size);
  core::Concat own{{}, into.rows};
  Operand before = kZero;
  for (ValueId array : node.arrays) {
    const Operand n = program_.type(array).shape[0];
    const Extent from = own_.extentOf(n);
    const ValueId places = placesFrom(b, b.add(before, from.first), from.rows);
    own.arrays.push_back(route(b, node.size, into.unit, places, {own_.rowsOf(array)}).arrays[0]);
    before = b.add(before, n);
  }
  b.append({{own_.newRows(stm.results[0])}, std::move(own), false, stm.span});
}

}  // namespace halo::passes
