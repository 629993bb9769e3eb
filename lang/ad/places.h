// An index of a place (scope.h) for each cell of the space.
#pragma once

#include "lang/ad/scope.h"

namespace halo::ad {

// `x + c` or `x - c` of a statement.
std::optional<std::pair<Operand, int64_t>> shifted(const Stm& stm);

// Index `i` with its shift as an array, or a number if the space is empty. It is no axis.
Operand spread(Emitter& emitter, const Place& place, size_t i);

// Index `i` as an array over the cells, also of an axis.
Operand flatIndex(Emitter& emitter, const Place& place, size_t i);

// The same index as an operand alone: a number for all cells, or an array over them.
void makePlain(Emitter& emitter, Place& place, size_t i);

// Where the indices of as many cells as the array has places go around, the values go around
// instead: each index is an axis then. Other moduli become plain indices.
Place turned(Emitter& emitter, Place place, const Type& whole);

// Whether two indices of cells of one space are one number.
bool isSameIndex(const Place& a, size_t i, const Place& b, size_t j);
// An index that has an array over the cells, by the slot that gives it.
struct SpreadIndex {
  const Place* place;
  size_t index, slot;
};

// Whether both add to the same elements, cell by cell.
bool isSamePlace(const Place& a, const Place& b);

// The places of one array, those at literal ends of short rows as one place of rows, in front.
std::vector<Place> withRows(Emitter& emitter, std::vector<Place> places, const Type& whole);

// Places at literal ends of short rows, of which cells choose one: one histogram of all, and places
// at axes of its results.
std::vector<Place> withBins(Emitter& emitter, std::vector<Place> places, const Type& whole);

// Where no index differs along an axis of the space, its cells are summed up first.
Place summed(Emitter& emitter, Place place);

// An array of this type with the value at the place, else 0. The axes of the place are those of the
// array's dimensions that no number fixes, in their order.
Operand placed(Emitter& emitter, const Place& place, const Type& whole);

}  // namespace halo::ad
