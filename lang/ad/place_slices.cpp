// Places whose indices are axes of the cells and numbers that all cells share:
//
//   add a[i, k] = v[i]  for (i)                    k: one number
// becomes, if `a` has no cotangent yet,
//   a = map i map j { select (j == k) v[i] 0 }     which joins the map that adds the next part
// else
//   a[:, k] += v                                   an update in place; nothing where k is outside
#include <algorithm>
#include <functional>

#include "lang/ad/places.h"
#include "lang/ad/reverse/reverse.h"
#include "lang/ad/rules.h"

namespace halo::ad {

namespace {

Operand fixedIndex(Emitter& e, const Place& place, size_t i) {
  return e.add(place.indices[i], Operand::ofI64(place.shift(i)));
}

bool isFixed(const Place& place, size_t i) {
  return i < place.indices.size() && place.axis(i) == Place::kNoAxis;
}

// Axes in the order of the array's dimensions, each as long as its dimension.
bool isSlice(Emitter& e, const Place& place, const Type& whole) {
  int next = 0;
  for (size_t i = 0; i < place.indices.size(); ++i) {
    if (isFixed(place, i)) {
      if (!e.type(place.indices[i]).isScalar()) return false;
      continue;
    }
    const int axis = place.axis(i);
    if (axis != next++ || place.shift(i) != 0) return false;
    if (place.space[static_cast<size_t>(axis)] != whole.shape[i]) return false;
  }
  return static_cast<size_t>(next) == place.space.size();
}

class Placed {
 public:
  Placed(const Place& place, const Type& whole) : place_(place), whole_(whole) {}

  // The part where the fixed indices are, else 0: an array of the dimensions from `axis` on.
  Operand from(Emitter& e, size_t axis, const Operand& part, const Operand& is_there) const {
    const size_t rank = whole_.shape.size();
    if (axis == rank) return e.select(is_there, part, prim::zero(whole_.scalar));
    const Operand& extent = whole_.shape[axis];
    if (!isFixed(place_, axis)) {
      return e.map(extent, {part.value}, [&](Emitter& at, const Operands& row) -> Operands {
        return {from(at, axis + 1, row[0], is_there)};
      })[0];
    }
    const Operand index = fixedIndex(e, place_, axis);
    return e.map(extent, {e.iota(extent)}, [&](Emitter& at, const Operands& i) -> Operands {
      const Operand is_here = at.compare(Op::kEq, i[0], index);
      const bool is_first = is_there == Operand(prim::Scalar::ofBool(true));
      return {from(at, axis + 1, part, is_first ? is_here : at.both(is_there, is_here))};
    })[0];
  }

 private:
  const Place& place_;
  const Type& whole_;
};

// Of an index outside nothing is added: the slice of an array without elements has none either.
Operand addedToSlice(Emitter& e, const Place& place, const Operand& base) {
  const Type whole = e.type(base);
  std::vector<core::SliceDim> dims;
  Operands fixed, extents, shape;
  for (size_t i = 0; i < whole.shape.size(); ++i) {
    const Operand& extent = whole.shape[i];
    dims.push_back({kZero, extent, kOne});
    if (isFixed(place, i)) {
      fixed.push_back(fixedIndex(e, place, i));
      extents.push_back(extent);
      const Operand last = e.sub(extent, kOne);
      const Operand start = e.op(Op::kMin, ScalarType::kI64, fixed.back(), last);
      dims.back().start = e.op(Op::kMax, ScalarType::kI64, start, kZero);
      dims.back().length = e.op(Op::kMin, ScalarType::kI64, extent, kOne);
    }
    shape.push_back(dims.back().length);
  }
  const Operand inside = isInside(e, fixed, extents);
  const std::function<Operand(Emitter&, size_t, const Operand&, const Operand&)> sums =
      [&](Emitter& at, size_t axis, const Operand& old, const Operand& part) -> Operand {
    if (axis == whole.shape.size()) return at.select(inside, at.sum(old, part), old);
    if (!isFixed(place, axis)) {
      return at.map(shape[axis], {old.value, part.value},
                    [&](Emitter& in, const Operands& both) -> Operands {
                      return {sums(in, axis + 1, both[0], both[1])};
                    })[0];
    }
    return at.map(shape[axis], {old.value}, [&](Emitter& in, const Operands& row) -> Operands {
      return {sums(in, axis + 1, row[0], part)};
    })[0];
  };
  const ValueId own = e.copy(base.value);
  const Operand old = e.bind("t", {whole.scalar, shape}, core::Slice{base.value, dims});
  const core::Update update{own, {}, dims, sums(e, 0, old, place.value)};
  return e.bind("t", whole, update);
}

}  // namespace

Operand placed(Emitter& e, const Place& place, const Type& whole) {
  return Placed(place, whole).from(e, 0, place.value, prim::Scalar::ofBool(true));
}

bool Reverse::settleBySlice(Scope& s, const Place& from) {
  if (isInCells(s)) return false;  // a slice that may be empty leaves cells irregular
  const Type whole = program_.type(from.array);
  Emitter& e = s.back;
  const Place place = summed(e, from);
  if (!isSlice(e, place, whole)) return false;
  const auto known = s.cotangents.find(place.array);
  journal_.say(nameOf(place.array) + " is a slice that the cells of a map read");
  s.cotangents[place.array] =
      known != s.cotangents.end() ? addedToSlice(e, place, known->second) : placed(e, place, whole);
  return true;
}

}  // namespace halo::ad
