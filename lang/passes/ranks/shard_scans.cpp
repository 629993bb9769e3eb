// Scans and histograms over the rows of all ranks, of operators whose order does not matter.
//
// A scan: that of the own rows, then the carry of the ranks in front to each element.
//   local: [rows]i32 = screma [rows] (r) scan i32.add 0
//   last = rows > 0 ? local[rows - 1] : 0
//   (p, lasts: [p]i32) = call move.before (last); carry = screma [p] (lasts) reduce i32.add 0
//   ys: [rows]i32 = screma [rows] (local) map (x: i32) { i32.add carry x }
//
// A histogram: a table of the own rows, then the tables of all ranks to the destination.
//   own: [k]i32 = hist [rows] (r) map .. op (replicate [k] 0) i32.add 0
//   (p, tables: [p][k]i32) = call move.each (own)
//   t: [k]i32 = loop (sum = dest) for r < p { screma [k] (sum, tables[r]) map i32.add }
#include "lang/passes/ranks/shard_scans.h"
#include "lang/core/rewrite.h"

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

// `map` of so many elements by an operator, with some operands from outside in front.
Screma mapBy(core::Program& program, const core::Lambda& op, const Operands& before,
             const std::vector<ValueId>& arrays, const Operand& width) {
  Screma node{width, arrays, {}, {}, {}, {}};
  core::Builder b(program);
  Operands args = before;
  for (ValueId array : arrays) {
    node.map.params.push_back(program.add("x", core::rowOf(program.type(array))));
    args.emplace_back(node.map.params.back());
  }
  auto [stms, results] = core::apply(program, op, args);
  for (Stm& stm : stms) b.append(std::move(stm));
  node.map.body = b.take(std::move(results));
  return node;
}

}  // namespace

void RankScans::scanOfRows(Builder& b, const Stm& stm, Screma own) {
  const std::vector<core::Reduction> reductions = own.reductions;
  const std::vector<core::Scan> scans = own.scans;
  const size_t first = sums_.accumulators(reductions);
  const Operand rows = own.width;
  Stm node{{}, core::Literal{}, stm.checked, stm.span};
  std::vector<ValueId> partial, local;
  for (size_t i = 0; i < first; ++i) {
    partial.push_back(program_.add("own", program_.type(stm.results[i])));
  }
  node.results = partial;
  size_t next = first;
  for (const core::Scan& scan : scans) {
    for (size_t k = 0; k < scan.neutral.size(); ++k, ++next) {
      local.push_back(program_.add("local", own_.rowsType(stm.results[next], rows)));
    }
  }
  node.results.insert(node.results.end(), local.begin(), local.end());
  for (; next < stm.results.size(); ++next) node.results.push_back(own_.newRows(stm.results[next]));
  node.expr = std::move(own);
  b.append(std::move(node));
  if (first > 0) sums_.combine(b, reductions, partial, stm);

  next = 0;
  for (const core::Scan& scan : scans) {
    const std::vector<ValueId> scanned(
        local.begin() + static_cast<std::ptrdiff_t>(next),
        local.begin() + static_cast<std::ptrdiff_t>(next + scan.neutral.size()));
    const std::vector<ValueId> carry = carryOf(b, scan, scanned, rows);
    std::vector<ValueId> results;
    for (size_t k = 0; k < scan.neutral.size(); ++k, ++next) {
      results.push_back(own_.newRows(stm.results[first + next]));
      own_.tell("`{}_{}` is scanned by rows, the sums of ranks are exchanged",
                stm.results[first + next]);
    }
    b.append({std::move(results),
              mapBy(program_, scan.op, Operands(carry.begin(), carry.end()), scanned, rows), false,
              stm.span});
  }
}

// The sum of the ranks in front of this one.
std::vector<ValueId> RankScans::carryOf(Builder& b, const core::Scan& scan,
                                        const std::vector<ValueId>& scanned, const Operand& rows) {
  std::vector<Type> types;
  for (const Operand& neutral : scan.neutral) types.push_back(program_.type(neutral));
  const Operand has_rows = b.prim(Op::kLt, ScalarType::kI64, {kZero, rows});
  core::Match last;
  last.scrutinee = has_rows;
  Builder inner(program_);
  const Operand at = inner.sub(rows, kOne);
  Operands lasts;
  for (size_t k = 0; k < scanned.size(); ++k) {
    lasts.emplace_back(inner.bind("last", Type(types[k]), core::Index{scanned[k], {at}}));
  }
  last.cases.push_back({prim::Scalar::ofBool(true), inner.take(std::move(lasts))});
  last.otherwise.results = scan.neutral;
  const std::vector<ValueId> own = b.bindAll("last", types, std::move(last));
  std::vector<ValueId> before = sums_.ofRanks(b, core::Move::kBefore, own);
  const ValueId count = before[0];
  before.erase(before.begin());
  const core::Reduction reduction{scan.op, scan.neutral, false};
  return b.bindAll("carry", std::move(types), sums_.reduced(count, before, {reduction}, 1));
}

void RankScans::tablesOfRows(Builder& b, const Stm& stm, core::Hist own) {
  const std::vector<core::HistOp> operations = own.operations;
  Stm node{{}, core::Literal{}, stm.checked, stm.span};
  for (core::HistOp& op : own.operations) {
    for (size_t k = 0; k < op.destinations.size(); ++k) {
      const Type type = program_.type(op.destinations[k]);
      op.destinations[k] = b.bind("zeros", Type(type), core::Replicate{type.shape, op.neutral[k]});
      node.results.push_back(program_.add("own", type));
    }
  }
  const std::vector<ValueId> tables = node.results;
  node.expr = std::move(own);
  b.append(std::move(node));
  size_t next = 0;
  for (const core::HistOp& op : operations) {
    const auto begin = static_cast<std::ptrdiff_t>(next);
    next += op.destinations.size();
    const auto end = static_cast<std::ptrdiff_t>(next);
    const std::vector<ValueId> results(stm.results.begin() + begin, stm.results.begin() + end);
    for (ValueId result : results)
      own_.tell("tables for `{}_{}` are combined over the ranks", result);
    addTables(b, op, {tables.begin() + begin, tables.begin() + end}, results);
  }
}

void RankScans::addTables(Builder& b, const core::HistOp& op, const std::vector<ValueId>& tables,
                          const std::vector<ValueId>& results) {
  std::vector<ValueId> all = sums_.ofRanks(b, core::Move::kEach, tables);
  core::Loop loop;
  const ValueId rank = program_.add("rank", {ScalarType::kI64, {}});
  loop.form = core::ForLoop{rank, Operand(all[0])};
  Builder inner(program_);
  std::vector<ValueId> arrays, rows;
  std::vector<Type> types;
  for (size_t k = 0; k < op.destinations.size(); ++k) {
    types.push_back(program_.type(op.destinations[k]));
    arrays.push_back(program_.add("sum", types[k]));
    loop.carried.push_back({arrays[k], op.destinations[k], false});
    rows.push_back(inner.bind("table", Type(types[k]), core::Index{all[k + 1], {Operand(rank)}}));
  }
  arrays.insert(arrays.end(), rows.begin(), rows.end());
  const Operand bins = types[0].shape[0];
  const std::vector<ValueId> sums =
      inner.bindAll("sum", std::move(types), mapBy(program_, op.op, {}, arrays, bins));
  loop.body = inner.take(Operands(sums.begin(), sums.end()));
  b.append({results, std::move(loop), false, {}});
}

}  // namespace halo::passes
