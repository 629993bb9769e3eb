// Sums whose order the sizes decide, over the rows of all ranks (core/lane_sums.h).
//
//   own: [v]f32 = screma [rows] (r) reduce f32.add 0f32 partial [v]
//   (p, all: [p]f32) = call move.join (own)
//   a = loop (acc = 0f32) for i < chunks of n { x = all[i]; acc = f32.add x acc }
//   s = loop (acc = a) for i < p - chunks { x = all[chunks + i]; acc = f32.add acc x }
//
// Blocks of rows are whole chunks, but for the last one: the values are those of one rank. Elements
// with loops are values themselves (v = rows), and there are no chunks. Chunks of an engine that
// has those of core/chunk_sums.h are joined by the engine.
#include "lang/passes/ranks/shard_sums.h"
#include "lang/core/chunk_sums.h"
#include "lang/core/lane_sums.h"
#include "lang/core/rewrite.h"

namespace halo::passes {
namespace {

using core::kOne;
using core::kZero;
using core::Operand;
using core::Operands;
using core::Reduction;
using core::Screma;
using core::Stm;
using core::Type;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

const Type kCountType{ScalarType::kI64, {}};

}  // namespace

Operand RankSums::chunksOf(Builder& b, const Operand& elements) {
  auto quot = [&](const Operand& x, int64_t y) {
    return b.prim(Op::kQuot, ScalarType::kI64, {x, Operand::ofI64(y)});
  };
  const int64_t blocks_of_chunk = core::kSumChunk / core::kSumLanes;
  const Operand rounded =
      b.add(quot(elements, core::kSumLanes), Operand::ofI64(blocks_of_chunk - 1));
  return quot(rounded, blocks_of_chunk);
}

Operand RankSums::partialValuesOf(Builder& b, const Operand& elements) {
  const Operand left =
      b.prim(Op::kRem, ScalarType::kI64, {elements, Operand::ofI64(core::kSumLanes)});
  return b.add(chunksOf(b, elements), left);
}

// The node over the own rows, and the partial values of all ranks behind their number.
std::vector<ValueId> RankSums::partialNode(Builder& b, const Stm& stm, Screma own) {
  const size_t count = accumulators(own.reductions);
  Stm node{{}, core::Literal{}, stm.checked, stm.span};
  for (size_t i = 0; i < count; ++i) {
    const ScalarType type = program_.type(stm.results[i]).scalar;
    node.results.push_back(program_.add("own", {type, {*own.partial_values}}));
    own_.tell("partial values of `{}_{}` are gathered on every rank", stm.results[i]);
  }
  for (size_t i = count; i < stm.results.size(); ++i) {
    node.results.push_back(own_.newRows(stm.results[i]));
    own_.tell("`{}_{}` is cut by rows", stm.results[i]);
  }
  const std::vector<ValueId> partial(node.results.begin(),
                                     node.results.begin() + static_cast<std::ptrdiff_t>(count));
  node.expr = std::move(own);
  b.append(std::move(node));
  return joinedValues(b, partial);
}

std::vector<ValueId> RankSums::joinedValues(Builder& b, const std::vector<ValueId>& partial) {
  const ValueId values = program_.add("values", kCountType);
  std::vector<ValueId> all{values};
  for (ValueId one : partial) {
    all.push_back(program_.add("all", {program_.type(one).scalar, {Operand(values)}}));
  }
  b.append({all,
            core::Call{core::name(core::Move::kJoin), Operands(partial.begin(), partial.end())},
            false,
            {}});
  return all;
}

void RankSums::partialSums(Builder& b, const Stm& stm, Screma own, bool are_elements) {
  const std::vector<Reduction> reductions = own.reductions;
  const Operand n = std::get<Screma>(stm.expr).width;
  const size_t count = accumulators(reductions);
  own.partial_values = are_elements ? own.width : partialValuesOf(b, own.width);
  std::vector<ValueId> all = partialNode(b, stm, std::move(own));
  const ValueId values = all[0];
  all.erase(all.begin());
  Operands initial;
  for (const Reduction& reduction : reductions) {
    initial.insert(initial.end(), reduction.neutral.begin(), reduction.neutral.end());
  }
  Operand chunks = kZero;
  if (!are_elements) {
    chunks = chunksOf(b, n);
    std::vector<Type> types;
    for (size_t i = 0; i < count; ++i) types.push_back(program_.type(stm.results[i]));
    const std::vector<ValueId> of_chunks =
        b.bindAll("sum", std::move(types), sumOf(reductions, all, initial, {kZero, chunks}, true));
    initial.assign(of_chunks.begin(), of_chunks.end());
  }
  const Operand left = b.sub(Operand(values), chunks);
  core::Loop last = sumOf(reductions, all, initial, {chunks, left}, false);
  const auto end = stm.results.begin() + static_cast<std::ptrdiff_t>(count);
  b.append({{stm.results.begin(), end}, std::move(last), false, stm.span});
}

// L = elements of a chunk
//   own: [v]f32 = screma [rows] (r) reduce f32.add 0f32 partial [v] chunk [L]
//   (p, all: [p]f32) = call move.join (own)
//   s = match p { 1 -> all[0] else -> screma [p] (all) reduce f32.add 0f32 joins_chunks }
void RankSums::chunkSums(Builder& b, const Stm& stm, Screma own) {
  const std::vector<Reduction> reductions = own.reductions;
  const Operand chunk = own_.extentOf(std::get<Screma>(stm.expr).width).chunk;
  const Operand most = b.sub(chunk, kOne);
  own.chunk = chunk;
  own.partial_values = b.prim(Op::kQuot, ScalarType::kI64, {b.add(own.width, most), chunk});
  joinChunks(b, stm, reductions, partialNode(b, stm, std::move(own)));
}

void RankSums::joinChunks(Builder& b, const Stm& stm, const std::vector<Reduction>& reductions,
                          const std::vector<ValueId>& all) {
  const std::vector<ValueId> arrays(all.begin() + 1, all.end());
  std::vector<Type> types;
  Builder only(program_), several(program_);
  Operands values;
  for (ValueId array : arrays) {
    types.push_back({program_.type(array).scalar, {}});
    values.emplace_back(only.bind("value", Type(types.back()), core::Index{array, {kZero}}));
  }
  Screma joining = reduced(Operand(all[0]), arrays, reductions, 1);
  joining.joins = core::Joins::kChunks;
  const std::vector<ValueId> joined = several.bindAll("sum", std::move(types), std::move(joining));
  core::Match match{b.prim(Op::kEq, ScalarType::kI64, {Operand(all[0]), kOne}), {}, {}};
  match.cases.push_back({prim::Scalar::ofBool(true), only.take(std::move(values))});
  match.otherwise = several.take(Operands(joined.begin(), joined.end()));
  const auto end = stm.results.begin() + static_cast<std::ptrdiff_t>(arrays.size());
  b.append({{stm.results.begin(), end}, std::move(match), false, stm.span});
}

core::Loop RankSums::sumOf(const std::vector<Reduction>& reductions,
                           const std::vector<ValueId>& values, const Operands& initial,
                           std::pair<Operand, Operand> range, bool are_chunks) {
  core::Loop loop;
  const ValueId index = program_.add("i", kCountType);
  loop.form = core::ForLoop{index, range.second};
  Builder inner(program_);
  const Operand at = inner.add(range.first, Operand(index));
  Operands results;
  size_t next = 0;
  for (const Reduction& reduction : reductions) {
    Operands sums, elements;
    for (size_t k = 0; k < reduction.neutral.size(); ++k, ++next) {
      const Type type{program_.type(values[next]).scalar, {}};
      const ValueId param = program_.add("acc", type);
      loop.carried.push_back({param, initial[next], false});
      sums.emplace_back(param);
      elements.emplace_back(inner.bind("x", Type(type), core::Index{values[next], {at}}));
    }
    Operands args = are_chunks ? elements : sums;
    const Operands& second = are_chunks ? sums : elements;
    args.insert(args.end(), second.begin(), second.end());
    auto [stms, made] = core::apply(program_, reduction.op, args);
    for (Stm& one : stms) inner.append(std::move(one));
    results.insert(results.end(), made.begin(), made.end());
  }
  loop.body = inner.take(std::move(results));
  return loop;
}

// (summands, mapped) = screma [rows] .. map; all = call move.whole (summands)
// sums = screma [n] (all) reduce ..
void RankSums::sumsOfSummands(Builder& b, const Stm& stm, Screma own) {
  const std::vector<Reduction> reductions = std::move(own.reductions);
  own.reductions.clear();
  const size_t count = accumulators(reductions);
  std::vector<ValueId> summands;
  Stm node{{}, core::Literal{}, stm.checked, stm.span};
  Operands kept;
  for (size_t i = 0; i < stm.results.size(); ++i) {
    const Operand value = own.map.body.results[i];
    const auto param = std::find(own.map.params.begin(), own.map.params.end(), value);
    if (i < count && param != own.map.params.end()) {
      summands.push_back(own.inputs[static_cast<size_t>(param - own.map.params.begin())]);
      continue;
    }
    kept.push_back(value);
    if (i < count) {
      summands.push_back(program_.add("summand", {program_.type(value).scalar, {own.width}}));
      node.results.push_back(summands.back());
    } else {
      node.results.push_back(own_.newRows(stm.results[i]));
      own_.tell("`{}_{}` is cut by rows", stm.results[i]);
    }
  }
  own.map.body.results = std::move(kept);
  node.expr = std::move(own);
  if (!node.results.empty()) b.append(std::move(node));
  sumOfAll(b, stm, reductions, summands);
}

// Every rank reduces the summands of all.
void RankSums::sumOfAll(Builder& b, const Stm& stm, const std::vector<Reduction>& reductions,
                        const std::vector<ValueId>& summands) {
  const Operand n = std::get<Screma>(stm.expr).width;
  std::vector<ValueId> all;
  for (size_t i = 0; i < summands.size(); ++i) {
    const Type type{program_.type(summands[i]).scalar, {n}};
    const Operands args{n, own_.unit(n), summands[i]};
    all.push_back(own_.move(b, core::Move::kWhole, "summands", {type}, args)[0]);
    own_.tell("summands of `{}_{}` are gathered on every rank", stm.results[i]);
  }
  std::vector<ValueId> sums(stm.results.begin(),
                            stm.results.begin() + static_cast<std::ptrdiff_t>(summands.size()));
  b.append({std::move(sums), reduced(n, all, reductions, 1), false, stm.span});
}

}  // namespace halo::passes
