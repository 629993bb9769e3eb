// Loops whose arrays have room for rows of neighbours around the own ones. Rows are exchanged in
// place; without the room each step would make a longer array of three. `paddedIn`
// (plan/shard_plan.h) finds them.
//
//   t: [ext][m]f32 = loop (v: [ext][m]f32 = own rows in room) while .. do {
//     w: [ext][m]f32 = call move.renew (1, above, below, before, behind, v)
//     (s: [k]f32, x: [ext][m]f32) = stencil [ext][m] (window w clamp {..}) ..
//     return x }                          the room of x holds anything, until the next exchange
#pragma once

#include <vector>

#include "lang/passes/ranks/shard_stencils.h"

namespace halo::passes {

class PaddedLoops : RowWriter {
 public:
  struct Outer {
    const ShardPlan::Padded* padding;
    Strip strip;
  };

  PaddedLoops(OwnRows& own, RankSums& sums, OwnStencils& stencils)
      : RowWriter(own), sums_(sums), stencils_(stencils) {}

  // In front of a loop, padded or not: where the neighbours' rows are, and room for arrays that no
  // step changes. `leave` takes the loop around it.
  Outer enter(Builder& b, const core::Loop& loop);
  void leave(const Outer& outer);

  bool isOpen() const { return padding_ != nullptr; }  // the loop at hand is one
  bool isPadded(ValueId value) const {
    return padding_ != nullptr && padding_->values.contains(value);
  }
  // A statement of the loop whose results have room.
  bool isPadded(const core::Stm& stm) const {
    return padding_ != nullptr && own_.isCut(stm) && padding_->statements.contains(stm.results[0]);
  }
  const Operand& ext() const { return strip_.ext; }
  // The array's rows with room around them; `is_fresh`: the neighbours' rows are there.
  ValueId withRoom(Builder& b, ValueId array, bool is_fresh);
  // The own rows are a view of the padded ones.
  void setPadded(Builder& b, ValueId array, ValueId padded, bool is_fresh);
  void paddedNode(Builder& b, const core::Stm& stm);
  // `b`: in front of such a loop, whose body is written. Where a step ends with sums, its arrays
  // are renewed in front of these, not where the next step reads them (shard_early_rows.cpp).
  static void renewEarly(Builder& b, core::Loop& loop);

  // A node that sums rows of views, in an order that depends on how the rows lie.
  bool sumsViews(const core::Stm& stm, const core::Screma& node) const;
  void sumsInRoom(Builder& b, const core::Stm& stm, core::Screma own);

 private:
  bool sumsRowsOf(const core::Stm& stm) const;
  bool sumsPadded(const core::Stm& stm) const;
  static std::vector<ValueId> readBy(const core::Stm& stm);
  static bool readsNeighbours(const core::Stencil& stencil, ValueId array);
  void renew(Builder& b, const std::vector<ValueId>& arrays);

  RankSums& sums_;
  OwnStencils& stencils_;
  const ShardPlan::Padded* padding_ = nullptr;  // of the loop at hand
  Strip strip_;
};

}  // namespace halo::passes
