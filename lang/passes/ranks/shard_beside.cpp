// Cycles whose rows of neighbours are on their way while the steps run.
//
//   own rows     |e|        m        |e|     k steps without any ghost: m is right, k rows at each
//                                            edge e are not
//   edges      |g|e|e|                       k steps of k ghosts and 2k own rows: e is right
//                                |e|e|g|     and pasted over the first
//
// The ghosts are needed for the edges alone, which come last. That costs 3k rows a neighbour, in
// place of k of a strip with its ghosts in one.
#include "lang/core/rewrite.h"
#include "lang/passes/ranks/shard_cycles.h"

namespace halo::passes {
namespace {

using core::kOne;
using core::kZero;
using core::Loop;
using core::Operand;
using core::Operands;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

// The model of a cycle of k steps, by the dimensions of the space (docs/ranks.md). A cycle costs
// `kStop` in addition to its steps. Rows done twice cost 3k * `row` a step and neighbour. With one
// or two neighbours, the best k is sqrt(kStop / (4.5 row)). Of a row of m cells, row = m * kCell.
constexpr double kStop = 70e-6;                               // seconds
constexpr double kCell[] = {0, 0.43e-12, 0.43e-12, 2.6e-12};  // a step, on an H100
constexpr int64_t kLaunchSteps[] = {1, 1, 8, 4};              // that a launch does at once

}  // namespace

// Alike on all ranks, as sizes are.
Operand StencilCycles::stepsBeside(Builder& b, const Loop& loop, const Operand& n, int64_t reach) {
  const core::Type type = program_.type(loop.carried[0].param);
  const size_t rank = type.shape.size();
  Operand cells = Operand::ofI64(static_cast<int64_t>(loop.carried.size()) * reach);
  for (size_t axis = 1; axis < rank; ++axis) cells = b.mul(cells, type.shape[axis]);
  cells = b.prim(Op::kMax, ScalarType::kI64, {cells, kOne});
  const Operand square = b.prim(Op::kDiv, ScalarType::kF64,
                                {prim::Scalar::ofF64(kStop / (4.5 * kCell[rank])),
                                 b.convert(prim::ConvertKind::kValue, ScalarType::kF64, cells)});
  const Operand best = b.convert(prim::ConvertKind::kValue, ScalarType::kI64,
                                 b.prim(Op::kSqrt, ScalarType::kF64, {square}));
  const auto i64 = [&](Op op, const Operand& x, const Operand& y) {
    return b.prim(op, ScalarType::kI64, {x, y});
  };
  // Whole launches, if it is as many.
  const Operand launch = Operand::ofI64(kLaunchSteps[rank]);
  const Operand whole = b.mul(i64(Op::kQuot, best, launch), launch);
  const Operand wanted = i64(Op::kMax, whole, i64(Op::kMin, best, launch));
  const Operand half = i64(Op::kQuot, own_.extentOf(n).smallest, Operand::ofI64(2 * reach));
  const Operand most = i64(Op::kMin, half, Operand::ofI64(kMaxSteps));
  return i64(Op::kMax, i64(Op::kMin, wanted, most), kOne);
}

// One edge of each array: k rows of a neighbour, and twice as many of these.
struct StencilCycles::Edge {
  Operand rows;  // k, or 0 if there is no neighbour
  bool is_above;
  Operand own_first;  // of the own rows
  Operand twice, ext;
};

std::vector<ValueId> StencilCycles::edgeRows(Builder& b, const Edge& edge,
                                             const std::vector<ValueId>& arrays,
                                             const std::vector<ValueId>& ghosts) {
  std::vector<ValueId> all;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const ValueId own = own_.slicedRows(b, arrays[i], edge.own_first, edge.twice);
    const ValueId theirs = ghosts[2 * i + (edge.is_above ? 0 : 1)];
    all.push_back(edge.is_above ? stencils_.joined(b, {theirs, own}, edge.ext)
                                : stencils_.joined(b, {own, theirs}, edge.ext));
  }
  return all;
}

void StencilCycles::beside(Builder& b, const Cycles& cycles, Loop* outer) {
  const Operand rows = own_.extentOf(cycles.n).rows;
  const auto edgeOf = [&](bool is_above, const Operand& k) {
    const Operand twice = b.add(k, k);
    return Edge{k, is_above, is_above ? kZero : b.sub(rows, twice), twice, b.add(twice, k)};
  };
  const Edge edges[] = {edgeOf(true, cycles.strip.above), edgeOf(false, cycles.strip.below)};
  const Operand last = b.sub(rows, cycles.strip.below);
  // Rows that no step changes: own ones, and those of the edges, once.
  std::vector<ValueId> own;
  for (ValueId array : cycles.invariants) own.push_back(own_.rowsOf(array));
  std::vector<ValueId> theirs = stencils_.ghosts(b, cycles.strip, own);
  const Operand first = own_.extentOf(cycles.n).first;
  Rows middle{{}, rows, first, {}};
  Rows at_edge[] = {{{}, edges[0].ext, {}, cycles.around}, {{}, edges[1].ext, {}, cycles.around}};
  if (cycles.wants_rows) {
    at_edge[0].first = b.sub(first, edges[0].rows);
    at_edge[1].first = b.add(first, edges[1].own_first);
  }
  for (size_t i = 0; i < own.size(); ++i) middle.of[cycles.invariants[i]] = own[i];
  for (size_t e = 0; e < 2 && !own.empty(); ++e) {
    const std::vector<ValueId> wide = edgeRows(b, edges[e], own, theirs);
    for (size_t i = 0; i < wide.size(); ++i) at_edge[e].of[cycles.invariants[i]] = wide[i];
  }

  const std::vector<ValueId> params = carryRows(cycles.loop, outer);
  Builder inner(program_);
  theirs = stencils_.ghosts(inner, cycles.strip, params);
  const auto steps = stepsOf(inner, cycles, *outer);
  for (size_t i = 0; i < params.size(); ++i) {
    middle.of[cycles.loop.carried[i].param] = params[i];
  }
  std::vector<ValueId> after = stepsOfRows(inner, cycles.loop, middle, steps);
  std::vector<ValueId> pasted[2];
  for (size_t e = 0; e < 2; ++e) {
    const std::vector<ValueId> wide = edgeRows(inner, edges[e], params, theirs);
    for (size_t i = 0; i < wide.size(); ++i) {
      at_edge[e].of[cycles.loop.carried[i].param] = wide[i];
    }
    for (ValueId field : stepsOfRows(inner, cycles.loop, at_edge[e], steps)) {
      pasted[e].push_back(own_.slicedRows(inner, field, edges[e].rows, edges[e].rows));
    }
  }
  Operands results;
  for (size_t i = 0; i < after.size(); ++i) {
    for (size_t e = 0; e < 2; ++e) {
      const Operand first = e == 0 ? kZero : last;
      after[i] = own_.move(inner, core::Move::kPaste, "pasted", {program_.type(after[i])},
                           {first, after[i], pasted[e][i]})[0];
    }
    results.emplace_back(after[i]);
  }
  outer->body = inner.take(std::move(results));
}

}  // namespace halo::passes
