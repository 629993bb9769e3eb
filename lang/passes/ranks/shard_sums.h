// Nodes whose results are reduced over the rows of all ranks, in any order or in that of one rank.
#pragma once

#include <utility>
#include <vector>

#include "lang/passes/ranks/shard_rows.h"

namespace halo::passes {

class RankSums : RowWriter {
 public:
  using RowWriter::RowWriter;

  static size_t accumulators(const std::vector<core::Reduction>& reductions);

  // ---- any order: own values, then those of the ranks (shard_combine.cpp)
  void nodeOfRows(Builder& b, const core::Stm& stm, const std::vector<core::Reduction>& reductions,
                  core::Expr expr);
  // Of each rank the values, behind the number of ranks.
  std::vector<ValueId> ofRanks(Builder& b, core::Move move, const std::vector<ValueId>& values);
  void combine(Builder& b, const std::vector<core::Reduction>& reductions,
               const std::vector<ValueId>& partial, const core::Stm& stm);
  // Arrays over a space of this rank, reduced: rows by themselves, then the rows' values.
  core::Screma reduced(const Operand& width, const std::vector<ValueId>& arrays,
                       const std::vector<core::Reduction>& reductions, size_t rank);

  // ---- the order of one rank
  void partialSums(Builder& b, const core::Stm& stm, core::Screma own, bool are_elements);
  void chunkSums(Builder& b, const core::Stm& stm, core::Screma own);
  void sumsOfSummands(Builder& b, const core::Stm& stm, core::Screma own);
  void sumOfAll(Builder& b, const core::Stm& stm, const std::vector<core::Reduction>& reductions,
                const std::vector<ValueId>& summands);
  // Partial values of all ranks, one behind the other, behind their number.
  std::vector<ValueId> joinedValues(Builder& b, const std::vector<ValueId>& partial);
  // values[first ..], so many of them, combined with the initial ones. A chunk's value
  // stands in front of it, as in the engine.
  core::Loop sumOf(const std::vector<core::Reduction>& reductions,
                   const std::vector<ValueId>& values, const core::Operands& initial,
                   std::pair<Operand, Operand> range, bool are_chunks);

  // ---- cells of a stencil, in tiles (shard_tiles.cpp)
  core::PartialTiles tilesOf(Builder& b, const core::Stencil& own, const Strip& strip);
  void joinTiles(Builder& b, const core::Stm& stm, const core::Stencil& stencil,
                 const std::vector<ValueId>& partial);

 private:
  std::vector<ValueId> partialNode(Builder& b, const core::Stm& stm, core::Screma own);
  void joinChunks(Builder& b, const core::Stm& stm, const std::vector<core::Reduction>& reductions,
                  const std::vector<ValueId>& all);
  Operand chunksOf(Builder& b, const Operand& elements);
  Operand partialValuesOf(Builder& b, const Operand& elements);
};

}  // namespace halo::passes
