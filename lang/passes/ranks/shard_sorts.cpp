// Sorts of the rows of all ranks, by samples (Shi and Schaeffer, JPDC 1992):
//
//   ks, vs                     = own keys, and the arrays sorted along
//   sample: [q]u64             = some keys of each rank, sorted by all ranks
//   to: [rows]i64              = the rank of each key: how many of the limits are not above it
//   (c, _, ks', vs')           = call move.route (ranks, 1, to, ks, vs)
//   ks'', vs''                 = call radix_sort_u64 (c, ks', vs')
//   (_, _, ks_own, vs_own)     = call move.route (n, unit, places of these keys, ks'', vs'')
//
// Equal keys go to one rank and come in their order, and the sort is stable: so the result is that
// of one rank. Limits are keys that divide the sample into equal parts.
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
using prim::Op;
using prim::ScalarType;

constexpr int64_t kSamples = 256;  // of a rank: parts of 16 ranks differ by some per cent
const Type kIndex{ScalarType::kI64, {}};

core::Reduction addition(core::Program& program) {
  const ValueId a = program.add("a", kIndex), c = program.add("b", kIndex);
  core::Builder b(program);
  Operands sum{b.add(Operand(a), Operand(c))};
  return {{{a, c}, b.take(std::move(sum))}, {kZero}, true};
}

// How many of the limits are not above the key: the place is in low .. high.
Operand placeOf(core::Builder& b, const Operand& key, ValueId sample, const Operand& size,
                const Operand& ranks) {
  core::Program& program = b.program();
  const Operand last = b.sub(ranks, kOne);
  const Operand bits = b.convert(prim::ConvertKind::kValue, ScalarType::kI64,
                                 b.prim(Op::kClz, ScalarType::kI64, {last}));
  core::Loop loop;
  const ValueId low = program.add("low", kIndex), high = program.add("high", kIndex);
  loop.carried = {{low, kZero, false}, {high, last, false}};
  loop.form = core::ForLoop{program.add("step", kIndex), b.sub(Operand::ofI64(64), bits)};
  core::Builder inner(program);
  const Operand middle = binary(inner, Op::kQuot, inner.add(low, high), Operand::ofI64(2));
  const Operand behind = inner.add(middle, kOne);
  const Operand at =
      binary(inner, Op::kMin, binary(inner, Op::kQuot, inner.mul(behind, size), ranks),
             inner.sub(size, kOne));
  const ScalarType type = program.type(sample).scalar;
  const Operand limit = inner.bind("limit", {type, {}}, core::Index{sample, {at}});
  const Operand is_behind =
      inner.prim(Op::kAnd, ScalarType::kBool,
                 {inner.prim(Op::kLe, type, {limit, key}),
                  inner.prim(Op::kLt, ScalarType::kI64, {Operand(low), Operand(high)})});
  const Operand first =
      inner.bind("low", Type(kIndex), core::Select{is_behind, behind, Operand(low)});
  const Operand end =
      inner.bind("high", Type(kIndex), core::Select{is_behind, Operand(high), middle});
  loop.body = inner.take({first, end});
  return b.bindAll("rank", {kIndex, kIndex}, std::move(loop))[0];
}

}  // namespace

void RankRoutes::sort(Builder& b, const Stm& stm, const Sort& sort) {
  const Extent extent = own_.extentOf(sort.size);
  std::vector<ValueId> arrays{own_.rowsOf(sort.keys)};
  for (ValueId array : sort.beside) arrays.push_back(own_.rowsOf(array));
  const std::vector<ValueId> some = samples(b, extent.rows, arrays);
  const ValueId all = some[0];
  const std::vector<ValueId> sample = sorted(b, stm, all, {some.begin() + 1, some.end()});
  const ValueId here = b.bind("here", Type(kIndex), core::Literal{prim::Scalar::ofI64(1)});
  const ValueId ranks = sums_.ofRanks(b, core::Move::kEach, {here})[0];
  const ValueId to = ranksOf(b, arrays[0], extent.rows, sample[0], ranks);
  const Routed came = route(b, ranks, kOne, to, arrays);
  const std::vector<ValueId> parts = sorted(b, stm, came.count, came.arrays);

  const std::vector<ValueId> front = sums_.ofRanks(b, core::Move::kBefore, {came.count});
  const ValueId first =
      b.bind("first", Type(kIndex), sums_.reduced(front[0], {front[1]}, {addition(program_)}, 1));
  const Routed own =
      route(b, extent.n, extent.unit, placesFrom(b, Operand(first), came.count), parts);
  for (size_t i = 0; i < stm.results.size(); ++i) bindOwn(b, stm.results[i], own.arrays[i]);
}

// The sort of other arrays than those of the statement.
std::vector<ValueId> RankRoutes::sorted(Builder& b, const Stm& stm, const Operand& count,
                                        const std::vector<ValueId>& arrays) {
  core::Call call = std::get<core::Call>(stm.expr);
  std::vector<Type> types;
  size_t next = 0;
  for (Operand& arg : call.args) {
    if (program_.type(arg).isScalar()) {
      arg = count;
    } else {
      arg = Operand(arrays[next++]);
    }
  }
  for (ValueId array : arrays) types.push_back(own_.rowsType(array, count));
  return b.bindAll("sorted", std::move(types), std::move(call), false, stm.span);
}

// Rows at regular places of each rank, behind their number.
std::vector<ValueId> RankRoutes::samples(Builder& b, const Operand& rows,
                                         const std::vector<ValueId>& arrays) {
  const Operand count = binary(b, Op::kMin, rows, Operand::ofI64(kSamples));
  Screma node{count, {placesFrom(b, kZero, count)}, {}, {}, {}, {}};
  Builder inner(program_);
  const ValueId i = program_.add("i", kIndex);
  const Operand at = binary(inner, Op::kQuot, inner.mul(Operand(i), rows), count);
  std::vector<Type> types;
  Operands elements;
  for (ValueId array : arrays) {
    types.push_back(own_.rowsType(array, count));
    elements.emplace_back(
        inner.bind("x", core::rowOf(program_.type(array)), core::Index{array, {at}}));
  }
  node.map = {{i}, inner.take(std::move(elements))};
  return sums_.joinedValues(b, b.bindAll("sample", std::move(types), std::move(node)));
}

ValueId RankRoutes::ranksOf(Builder& b, ValueId keys, const Operand& rows, ValueId sample,
                            const Operand& ranks) {
  Screma node{rows, {keys}, {}, {}, {}, {}};
  Builder inner(program_);
  const ValueId key = program_.add("key", core::rowOf(program_.type(keys)));
  const Operand place = placeOf(inner, Operand(key), sample, program_.type(sample).shape[0], ranks);
  node.map = {{key}, inner.take({place})};
  return b.bind("to", {ScalarType::kI64, {rows}}, std::move(node));
}

}  // namespace halo::passes
