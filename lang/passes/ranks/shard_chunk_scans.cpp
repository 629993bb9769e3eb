// Scans whose order the sizes decide (core/lane_sums.h), over the rows of all ranks.
//
//   local: [rows]f32 = screma [rows] (r) scan f32.add 0f32 chunk [8192]      each chunk alone
//   totals: [v]f32 = the last element of each chunk; (p, all: [p]f32) = call move.join (totals)
//   before: [v]f32 = the combined chunks in front of each own one, from left to right
//   ys: [rows]f32 = screma [rows] (places, local) map: op(before[place / 8192], local)
//
// Blocks of rows are whole chunks. The first chunk of all has nothing before it.
#include "lang/core/lane_sums.h"
#include "lang/core/rewrite.h"
#include "lang/passes/ranks/shard_scans.h"

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

const Type kIndex{ScalarType::kI64, {}};
const Operand kChunk = Operand::ofI64(core::kScanChunk);

ValueId places(core::Builder& b, const Operand& count) {
  return b.bind("places", {ScalarType::kI64, {count}},
                core::Iota{ScalarType::kI64, count, kZero, kOne});
}

}  // namespace

void RankScans::scanOfChunks(Builder& b, const Stm& stm, Screma own) {
  const std::vector<core::Scan> scans = own.scans;
  const Operand rows = own.width;
  const Operand most = Operand::ofI64(core::kScanChunk - 1);
  const Operand chunks = binary(b, Op::kQuot, b.add(rows, most), kChunk);
  const Extent extent = own_.extentOf(std::get<Screma>(stm.expr).width);
  const Operand first = binary(b, Op::kQuot, extent.first, kChunk);
  Stm node{{}, core::Literal{}, stm.checked, stm.span};
  std::vector<ValueId> local;
  for (const core::Scan& scan : scans) {
    for (size_t k = 0; k < scan.neutral.size(); ++k) {
      local.push_back(program_.add("local", own_.rowsType(stm.results[local.size()], rows)));
    }
  }
  node.results = local;
  for (size_t i = local.size(); i < stm.results.size(); ++i) {
    node.results.push_back(own_.newRows(stm.results[i]));
    own_.tell("`{}_{}` is cut by rows", stm.results[i]);
  }
  own.chunk = kChunk;
  node.expr = std::move(own);
  b.append(std::move(node));

  std::vector<ValueId> all = sums_.joinedValues(b, chunkTotals(b, local, rows, chunks));
  all.erase(all.begin());
  const ValueId where = places(b, rows);
  auto next = local.begin();
  auto total = all.begin();
  size_t result = 0;
  for (const core::Scan& scan : scans) {
    const auto count = static_cast<std::ptrdiff_t>(scan.neutral.size());
    const std::vector<ValueId> before =
        beforeChunks(b, scan, {total, total + count}, first, chunks);
    std::vector<ValueId> results;
    for (std::ptrdiff_t k = 0; k < count; ++k, ++result) {
      results.push_back(own_.newRows(stm.results[result]));
      own_.tell("`{}_{}` is scanned by rows, the last values of chunks are gathered on every rank",
                stm.results[result]);
    }
    Screma sums = withBefore(scan, {next, next + count}, before, first, {where, rows});
    b.append({std::move(results), std::move(sums), false, stm.span});
    next += count, total += count;
  }
}

std::vector<ValueId> RankScans::chunkTotals(Builder& b, const std::vector<ValueId>& local,
                                            const Operand& rows, const Operand& chunks) {
  Screma node{chunks, {places(b, chunks)}, {}, {}, {}, {}};
  Builder inner(program_);
  const ValueId chunk = program_.add("chunk", kIndex);
  const Operand behind = inner.mul(inner.add(Operand(chunk), kOne), kChunk);
  const Operand last = inner.sub(binary(inner, Op::kMin, behind, rows), kOne);
  Operands values;
  std::vector<Type> types;
  for (ValueId array : local) {
    types.push_back({program_.type(array).scalar, {chunks}});
    values.emplace_back(
        inner.bind("last", {program_.type(array).scalar, {}}, core::Index{array, {last}}));
  }
  node.map = {{chunk}, inner.take(std::move(values))};
  return b.bindAll("totals", std::move(types), std::move(node));
}

// For each own chunk the values of all chunks in front of it, combined.
std::vector<ValueId> RankScans::beforeChunks(Builder& b, const core::Scan& scan,
                                             const std::vector<ValueId>& all, const Operand& first,
                                             const Operand& chunks) {
  std::vector<Type> types;
  for (const Operand& neutral : scan.neutral) types.push_back(program_.type(neutral));
  const core::Reduction reduction{scan.op, scan.neutral, false};
  const std::vector<ValueId> front =
      b.bindAll("front", types, sums_.sumOf({reduction}, all, scan.neutral, {kZero, first}, false));
  core::Loop loop;
  const ValueId chunk = program_.add("chunk", kIndex);
  loop.form = core::ForLoop{chunk, chunks};
  Builder inner(program_);
  const Operand at = inner.add(first, Operand(chunk));
  Operands sums, totals, arrays;
  std::vector<Type> results;
  for (size_t k = 0; k < all.size(); ++k) {
    const Type array{types[k].scalar, {chunks}};
    const ValueId empty = b.bind("before", Type(array), core::Replicate{{chunks}, scan.neutral[k]});
    const ValueId param = program_.add("before", array);
    loop.carried.push_back({param, empty, true});
    results.push_back(array);
  }
  for (size_t k = 0; k < all.size(); ++k) {
    const ValueId sum = program_.add("sum", types[k]);
    loop.carried.push_back({sum, front[k], false});
    results.push_back(types[k]);
    sums.emplace_back(sum);
    totals.emplace_back(inner.bind("total", Type(types[k]), core::Index{all[k], {at}}));
    core::Update update{loop.carried[k].param, {Operand(chunk)}, {}, Operand(sum)};
    arrays.emplace_back(inner.bind("before", Type(results[k]), std::move(update)));
  }
  Operands args = sums;
  args.insert(args.end(), totals.begin(), totals.end());
  auto [stms, made] = core::apply(program_, scan.op, args);
  for (Stm& one : stms) inner.append(std::move(one));
  arrays.insert(arrays.end(), made.begin(), made.end());
  loop.body = inner.take(std::move(arrays));
  std::vector<ValueId> before = b.bindAll("before", std::move(results), std::move(loop));
  before.resize(all.size());
  return before;
}

Screma RankScans::withBefore(const core::Scan& scan, const std::vector<ValueId>& local,
                             const std::vector<ValueId>& before, const Operand& first,
                             std::pair<ValueId, Operand> places) {
  Screma node{places.second, {places.first}, {}, {}, {}, {}};
  Builder inner(program_);
  const ValueId place = program_.add("place", kIndex);
  node.map.params.push_back(place);
  const Operand chunk = binary(inner, Op::kQuot, Operand(place), kChunk);
  Operands args, own;
  for (size_t k = 0; k < local.size(); ++k) {
    const Type type{program_.type(local[k]).scalar, {}};
    args.emplace_back(inner.bind("before", Type(type), core::Index{before[k], {chunk}}));
    node.inputs.push_back(local[k]);
    node.map.params.push_back(program_.add("x", type));
    own.emplace_back(node.map.params.back());
  }
  args.insert(args.end(), own.begin(), own.end());
  auto [stms, sums] = core::apply(program_, scan.op, args);
  for (Stm& stm : stms) inner.append(std::move(stm));
  const Operand number = inner.add(first, chunk);
  const Operand is_first = inner.prim(Op::kEq, ScalarType::kI64, {number, kZero});
  Operands results;
  for (size_t k = 0; k < sums.size(); ++k) {
    results.emplace_back(
        inner.bind("y", Type(program_.type(own[k])), core::Select{is_first, own[k], sums[k]}));
  }
  node.map.body = inner.take(std::move(results));
  return node;
}

}  // namespace halo::passes
