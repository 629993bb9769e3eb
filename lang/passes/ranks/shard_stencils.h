// Stencils over the own rows, with rows of the neighbours around them.
#pragma once

#include <optional>
#include <vector>

#include "lang/passes/ranks/shard_sums.h"

namespace halo::passes {

class OwnStencils : RowWriter {
 public:
  OwnStencils(OwnRows& own, RankSums& sums) : RowWriter(own), sums_(sums) {}

  // Where up to k rows of each neighbour lie.
  Strip strip(Builder& b, const Operand& n, const Operand& k, bool wraps);
  // The neighbours' rows, above and below for each array.
  std::vector<ValueId> ghosts(Builder& b, const Strip& strip, const std::vector<ValueId>& arrays);
  // The rows of each array with those of the neighbours around them.
  std::vector<ValueId> extended(Builder& b, const Strip& strip, const std::vector<ValueId>& arrays);
  ValueId joined(Builder& b, std::vector<ValueId> arrays, const Operand& rows);

  // A node over rows of the whole array, from row `first` on: its cells know their rows there.
  // Rows beyond the ends of an array that wraps around are those of the other end, of `around`.
  void placeRows(core::Stencil& own, const Operand& first, const std::optional<Operand>& around);

  void stencilOfRows(Builder& b, const core::Stm& stm, const core::Stencil& stencil);
  // Over these rows: the node reads arrays of them.
  void stepOver(Builder& b, const core::Stm& stm, core::Stencil own, const Strip& strip);

 private:
  void stepOfStrip(Builder& b, const core::Stm& stm, const core::Stencil& stencil,
                   core::Stencil own, const Strip& strip);

  RankSums& sums_;
};

}  // namespace halo::passes
