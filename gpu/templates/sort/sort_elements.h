// The elements of a tile that an invocation reads, their keys and digits.
#pragma once

#include "gpu/templates/sort/sort_pass.h"

namespace halo::gpu {

class SortElements {
 public:
  SortElements(KernelScope& scope, const SortSchedule& shape, const SortPass& pass)
      : scope_(scope), code_(scope.code()), shape_(shape), pass_(pass), lid_(scope.localId()) {}

  // Finds the tile's elements that are this invocation's.
  void open(const imp::Operand& tile);

  // One array: words of each element, which are variables. Behind the last element there is
  // something, or the greatest words.
  using Words = std::vector<imp::Operands>;
  Words load(size_t which);
  // The words of the keys of elements, of which there are those of each array of keys.
  Words keysOf(const std::vector<Words>& arrays);
  // u32. Behind the last element there are greatest digits.
  imp::Operands digitsOf(const std::vector<Words>& arrays, const imp::Operand& shift);

  size_t count() const { return static_cast<size_t>(shape_.keys); }
  const imp::Operand& invocation() const { return lid_; }
  const imp::Operand& lane() const { return lane_; }
  const imp::Operand& subgroup() const { return subgroup_; }
  // Element k within the tile as it is read, and as it is written: beside those of others.
  imp::Operand inTile(size_t k);
  imp::Operand slot(size_t k);
  imp::Operand index(size_t k);  // of the array, as it is read
  // Whether a place within the tile has an element; whether all have.
  imp::Operand exists(const imp::Operand& at);
  const imp::Operand& isWhole() const { return is_whole_; }

 private:
  using Variables = std::vector<std::vector<imp::VarId>>;  // by element, the words

  void loadWords(size_t which, const imp::Operands& at, const Variables& words);
  void loadRest(size_t which, const Variables& words);
  imp::Operands withRestLast(const imp::Operands& digits);

  KernelScope& scope_;
  imp::Builder& code_;
  const SortSchedule& shape_;
  const SortPass& pass_;
  imp::Operand lid_, lane_, subgroup_;
  imp::Operand start_, left_;  // of the tile: its first element, how many it has
  imp::Operand is_whole_;      // as many as a tile can have
  imp::Operand first_;         // this invocation's first element in the tile, the next one
  int64_t step_ = 1;           // is so far behind it
};

}  // namespace halo::gpu
