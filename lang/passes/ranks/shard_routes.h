// Statements whose rows may come from any rank: scatters, parts of arrays, arrays one behind the
// other, sorts. `move.route` sends each row to the rank that has its place.
#pragma once

#include <vector>

#include "lang/passes/calls/sorts.h"
#include "lang/passes/ranks/shard_sums.h"

namespace halo::passes {

class RankRoutes : RowWriter {
 public:
  RankRoutes(OwnRows& own, RankSums& sums) : RowWriter(own), sums_(sums) {}

  void routed(Builder& b, const core::Stm& stm);

 private:
  // The rows that have come: how many, their places among the own ones, and the rows of each array.
  struct Routed {
    ValueId count, places;
    std::vector<ValueId> arrays;
  };
  Routed route(Builder& b, const Operand& n, const Operand& unit, ValueId places,
               const std::vector<ValueId>& arrays);
  ValueId placesFrom(Builder& b, const Operand& start, const Operand& count);
  // Rows that stand as they came: the own ones of a result.
  void bindOwn(Builder& b, ValueId result, ValueId arrived);

  void scatter(Builder& b, const core::Stm& stm, const core::Scatter& node);
  ValueId ownDestination(Builder& b, ValueId array);
  void slice(Builder& b, const core::Stm& stm, const core::Slice& node);
  void concat(Builder& b, const core::Stm& stm, const core::Concat& node);

  // ---- sorts (shard_sorts.cpp)
  void sort(Builder& b, const core::Stm& stm, const Sort& sort);
  std::vector<ValueId> sorted(Builder& b, const core::Stm& stm, const Operand& count,
                              const std::vector<ValueId>& arrays);
  std::vector<ValueId> samples(Builder& b, const Operand& rows, const std::vector<ValueId>& arrays);
  ValueId ranksOf(Builder& b, ValueId keys, const Operand& rows, ValueId sample,
                  const Operand& ranks);

  RankSums& sums_;
};

}  // namespace halo::passes
