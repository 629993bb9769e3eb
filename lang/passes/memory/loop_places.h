// Which element of an array an iteration of a loop reads or writes, as a polynomial in the loop's
// index.
#pragma once

#include "lang/passes/simplify/index_forms.h"

namespace halo::passes {

// An array of which iteration i knows the element at f(i): it writes it, or reads it.
struct PlacedArray {
  std::unordered_set<core::ValueId> names;  // the array, and what the iteration has made of it
  core::ValueId initial;                    // in front of the loop
  IndexForms::Form place;
  core::Operand element;
};

// Of a counted loop.
class LoopPlaces {
 public:
  LoopPlaces(const core::Program& program, IndexForms& forms, const core::Loop& loop);

  core::ValueId index() const { return index_; }
  bool isBound(core::ValueId value) const { return bound_.contains(value); }
  // The array carried at a position, if each iteration writes one element of it, and no two the
  // same one.
  std::optional<PlacedArray> written(size_t position);
  // The same for an array from outside and a read of it.
  std::optional<PlacedArray> read(const core::Stm& stm);
  // Whether the node reads one element of such an array.
  const core::Index* readOf(const PlacedArray& array, const core::Stm& stm) const;
  // f(i + iterations)
  std::optional<IndexForms::Form> moved(const IndexForms::Form& place, int iterations) const;

 private:
  bool isElement(core::ValueId array, const core::Operands& indices) const;
  bool moves(const IndexForms::Form& place) const;

  const core::Program& program_;
  IndexForms& forms_;
  const core::Loop& loop_;
  core::ValueId index_;
  std::unordered_set<core::ValueId> bound_;  // in the loop
};

}  // namespace halo::passes
