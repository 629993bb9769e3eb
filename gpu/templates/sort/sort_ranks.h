// The ranks of a tile's keys: their places in the tile, in the order of one digit, and where each
// digit begins in the result.
//
// Ranks by lanes: a subgroup has consecutive keys, one a lane at a time. They are counted first, so
// that a tile posts its counts before the long part, and later tiles do not wait for that. Then
// every lane sets its bit in a word of its digit, which tells which lanes have the same. The last
// of them takes places for all of them from the subgroup's counter, and clears the word. Shuffles
// keep the lanes together meanwhile. Ranks by counters: an invocation has consecutive keys and
// counters of its own.
#pragma once

#include "gpu/templates/sort/sort_elements.h"
#include "gpu/templates/sort/sort_look_back.h"

namespace halo::gpu {

class SortRanks {
 public:
  // `elements` may be opened later.
  SortRanks(KernelScope& scope, const SortSchedule& shape, const SortPass& pass,
            const SortElements& elements);
  void clearCounts();

  // The places of keys with these digits (u32); the tile's number.
  imp::Operands placesOf(const imp::Operands& digits, const imp::Operand& tile);
  // Of kOnesweep, once: finishes the digits' bases from the counts of earlier tiles.
  void lookBack();
  // Words for each element of the tile, free between ranks.
  imp::BufferId stage() const { return stage_; }
  // How much further the keys of a digit (u32) lie in the result than in the tile.
  imp::Operand baseOf(const imp::Operand& digit);

 private:
  using Placement = SortSchedule::Placement;

  imp::Operands byLanes(const imp::Operands& digits);
  void countDigits(const imp::Operands& digits);
  imp::Operand placeOf(const imp::Operand& digit, const imp::Operand& lane, const imp::Operand& bit,
                       const imp::Operand& up_to);
  void startBins();
  void sumTotals();
  imp::Operand binsBefore(const std::string& name, const imp::Operand& value);
  imp::Operands byCounters(const imp::Operands& digits);
  void sumCounters();

  imp::Operand isBin();
  imp::Operand counterAt(const imp::Operand& subgroup, const imp::Operand& bin);
  imp::Operand totalOf(const imp::Operand& bin);
  void storeBase(const imp::Operand& bin, const imp::Operand& in_all, const imp::Operand& in_tile);

  KernelScope& scope_;
  imp::Builder& code_;
  const SortSchedule& shape_;
  const SortPass& pass_;
  const SortElements& elements_;
  SortLookBack looks_;
  imp::Operand lid_, tile_;
  imp::BufferId bases_, stage_, counts_;
  // Of invocation b: the digit, the number of keys of the tile with it, and its beginning among the
  // digits of all keys, less that in the tile.
  imp::Operand bin_, own_, begin_;
  imp::Operand in_all_;  // keys with smaller digits
};

}  // namespace halo::gpu
