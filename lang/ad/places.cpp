// Places become additions: where the indices are different axes of the cells, by a sum over the
// other axes, else by a histogram.
//
//   add a[k, j] = v[i, j, k]  for (i, j, k)
// becomes
//   a += map k map j (reduce + over i)
#include <algorithm>

#include "lang/ad/places.h"
#include "lang/ad/reverse.h"

namespace halo::ad {

namespace {

// The position on one axis, for each cell of the space.
ValueId positions(Emitter& e, const Operands& space, size_t axis) {
  Type type{ScalarType::kI64, {space[axis]}};
  Operand array = e.iota(space[axis]);
  const Operands inner(space.begin() + static_cast<ptrdiff_t>(axis) + 1, space.end());
  if (!inner.empty()) {  // along its own axis: rows of one number each
    array = e.map(space[axis], {array.value}, [&](Emitter& at, const Operands& i) -> Operands {
      return {at.bind("i", {ScalarType::kI64, inner}, core::Replicate{inner, i[0]})};
    })[0];
  }
  const Operands outer(space.begin(), space.begin() + static_cast<ptrdiff_t>(axis));
  if (outer.empty()) return array.value;
  return e.bind("i", {ScalarType::kI64, space}, core::Replicate{outer, array});
}

// The dimensions of `space` in front, those of the other axes first, then the axes in order.
ValueId axesLast(Emitter& e, const Place& place) {
  const Type whole = e.type(place.value);
  std::vector<int> order;
  for (size_t d = 0; d < place.space.size(); ++d) {
    const int axis = static_cast<int>(d);
    if (std::count(place.axes.begin(), place.axes.end(), axis) == 0) order.push_back(axis);
  }
  order.insert(order.end(), place.axes.begin(), place.axes.end());
  for (size_t d = place.space.size(); d < whole.shape.size(); ++d) {
    order.push_back(static_cast<int>(d));
  }
  if (std::is_sorted(order.begin(), order.end())) return place.value.value;
  Type type{whole.scalar, {}};
  for (const int axis : order) type.shape.push_back(whole.shape[static_cast<size_t>(axis)]);
  return e.bind("t", std::move(type), core::Rearrange{place.value.value, order});
}

}  // namespace

Operand spread(Emitter& e, const Operand& index, const Operands& space) {
  if (space.empty() || !e.type(index).isScalar()) return index;
  return e.bind("i", {ScalarType::kI64, space}, core::Replicate{space, index});
}

bool Reverse::isPositions(ValueId array) const {
  const auto owner = owner_.find(array);
  if (owner == owner_.end()) return false;
  const auto isIt = [&](const Stm& stm) {
    const auto* iota = std::get_if<core::Iota>(&stm.expr);
    return iota != nullptr && stm.results[0] == array && iota->start == Operand::ofI64(0) &&
           iota->step == Operand::ofI64(1);
  };
  const std::vector<Stm>& stms = owner->second->forward;
  return std::any_of(stms.begin(), stms.end(), isIt);
}

void Reverse::settle(Scope& s, ValueId array) {
  for (const Place& place : s.places) {
    if (place.array == array && !settleByAxes(s, place)) settle(s, place);
  }
  std::erase_if(s.places, [&](const Place& place) { return place.array == array; });
}

bool Reverse::settleByAxes(Scope& s, const Place& place) {
  const Type whole = program_.type(place.array);
  std::vector<int> seen;
  for (size_t i = 0; i < place.indices.size(); ++i) {
    const int axis = place.axis(i);
    if (axis == Place::kNoAxis || std::count(seen.begin(), seen.end(), axis) > 0) return false;
    if (place.space[static_cast<size_t>(axis)] != whole.shape[i]) return false;
    seen.push_back(axis);
  }
  Emitter& e = s.back;
  ValueId parts = axesLast(e, place);
  const size_t others = place.space.size() - seen.size();
  if (others > 0) {
    Operands outer = e.type(parts).shape;
    outer.resize(others);
    Operands shape = whole.shape;
    shape.insert(shape.begin(), e.product(outer));
    parts = e.total(e.reshaped(parts, std::move(shape))).value;
  }
  const auto known = s.cotangents.find(place.array);
  const Operand part = e.reshaped(parts, whole.shape);
  s.cotangents[place.array] = known != s.cotangents.end() ? e.sum(known->second, part) : part;
  return true;
}

void Reverse::settle(Scope& s, const Place& place) {
  Emitter& e = s.back;
  Operands space = place.space;
  Operand value = place.value;
  if (space.empty()) {
    space = {Operand::ofI64(1)};
    value = e.bind("t", arrayOf(space, e.type(value)), core::Replicate{space, value});
  }
  const Operand total = e.product(space);
  std::vector<ValueId> indices;
  for (size_t i = 0; i < place.indices.size(); ++i) {
    const int axis = place.axis(i);
    const Operand index = axis != Place::kNoAxis
                              ? Operand(positions(e, space, static_cast<size_t>(axis)))
                              : spread(e, place.indices[i], space);
    indices.push_back(e.reshaped(index.value, {total}));
  }
  const ValueId values =
      e.reshaped(value.value, arrayOf({total}, rowOf(e.type(value), space.size())).shape);
  const auto known = s.cotangents.find(place.array);
  const Operand base =
      known != s.cotangents.end() ? known->second : e.zero(program_.type(place.array));
  s.cotangents[place.array] = e.addedAt(base.value, total, indices, values);
}

}  // namespace halo::ad
