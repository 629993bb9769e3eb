// Scans and histograms over the rows of all ranks.
#pragma once

#include <utility>
#include <vector>

#include "lang/passes/ranks/shard_sums.h"

namespace halo::passes {

class RankScans : RowWriter {
 public:
  RankScans(OwnRows& own, RankSums& sums) : RowWriter(own), sums_(sums) {}

  // Operators of any order: the own rows, then the carry of the ranks in front.
  void scanOfRows(Builder& b, const core::Stm& stm, core::Screma own);
  // Operators with an order: chunks, as one rank has them (shard_chunk_scans.cpp).
  void scanOfChunks(Builder& b, const core::Stm& stm, core::Screma own);
  void tablesOfRows(Builder& b, const core::Stm& stm, core::Hist own);

 private:
  std::vector<ValueId> carryOf(Builder& b, const core::Scan& scan,
                               const std::vector<ValueId>& scanned, const Operand& rows);
  std::vector<ValueId> chunkTotals(Builder& b, const std::vector<ValueId>& local,
                                   const Operand& rows, const Operand& chunks);
  std::vector<ValueId> beforeChunks(Builder& b, const core::Scan& scan,
                                    const std::vector<ValueId>& all, const Operand& first,
                                    const Operand& chunks);
  core::Screma withBefore(const core::Scan& scan, const std::vector<ValueId>& local,
                          const std::vector<ValueId>& before, const Operand& first,
                          std::pair<ValueId, Operand> places);
  void addTables(Builder& b, const core::HistOp& op, const std::vector<ValueId>& tables,
                 const std::vector<ValueId>& results);

  RankSums& sums_;
};

}  // namespace halo::passes
