// Values of a rank's own rows, combined over the ranks.
#include "lang/passes/ranks/shard_sums.h"

namespace halo::passes {
namespace {

using core::Builder;
using core::Operand;
using core::Operands;
using core::Reduction;
using core::Screma;
using core::Stm;
using core::Type;
using core::ValueId;

}  // namespace

size_t RankSums::accumulators(const std::vector<Reduction>& reductions) {
  size_t count = 0;
  for (const Reduction& reduction : reductions) count += reduction.neutral.size();
  return count;
}

// A node over the own rows: reduced values are combined over the ranks.
void RankSums::nodeOfRows(Builder& b, const Stm& stm, const std::vector<Reduction>& reductions,
                          core::Expr expr) {
  Stm own{{}, std::move(expr), stm.checked, stm.span};
  const size_t count = accumulators(reductions);
  std::vector<ValueId> partial;
  for (size_t i = 0; i < count; ++i) {
    partial.push_back(program_.add("own", program_.type(stm.results[i])));
    own.results.push_back(partial.back());
  }
  for (size_t i = count; i < stm.results.size(); ++i) {
    own.results.push_back(own_.newRows(stm.results[i]));
    own_.tell("`{}_{}` is cut by rows", stm.results[i]);
  }
  b.append(std::move(own));
  if (count > 0) combine(b, reductions, partial, stm);
}

std::vector<ValueId> RankSums::ofRanks(Builder& b, core::Move move,
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
void RankSums::combine(Builder& b, const std::vector<Reduction>& reductions,
                       const std::vector<ValueId>& partial, const Stm& stm) {
  std::vector<ValueId> all = ofRanks(b, core::Move::kEach, partial);
  const ValueId count = all[0];
  all.erase(all.begin());
  Screma node = reduced(count, all, reductions, 1);
  std::vector<ValueId> results(stm.results.begin(),
                               stm.results.begin() + static_cast<std::ptrdiff_t>(partial.size()));
  for (ValueId result : results) own_.tell("`{}_{}` is combined over the ranks", result);
  b.append({std::move(results), std::move(node), false, stm.span});
}

Screma RankSums::reduced(const Operand& width, const std::vector<ValueId>& arrays,
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

}  // namespace halo::passes
