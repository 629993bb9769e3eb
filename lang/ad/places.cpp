// Places become additions: where the indices are different axes of the cells, by a sum over the
// other axes, else by a histogram.
//
//   add a[k, j] = v[i, j, k]  for (i, j, k)
// becomes
//   a += map k map j (reduce + over i)
//
// Positions plus a constant around the array's extent rotate the values. Positions plus a constant
// make it a stencil of the sums; other affine indices a gather (affine.h); numbers that all cells
// share a slice (place_slices.cpp). Cells whose indices do not differ along an axis are summed up
// before a histogram.
#include <algorithm>
#include <cstdlib>

#include "lang/ad/affine.h"
#include "lang/ad/places.h"
#include "lang/ad/reverse/reverse.h"
#include "lang/core/node_kinds.h"

namespace halo::ad {

namespace {

// The position on one axis plus a shift, for each cell of the space.
ValueId positions(Emitter& e, const Operands& space, size_t axis, int64_t shift) {
  const core::Iota iota{ScalarType::kI64, space[axis], Operand::ofI64(shift), Operand::ofI64(1)};
  Operand array = e.bind("i", {ScalarType::kI64, {space[axis]}}, iota);
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

// A modulus of cells that are not there may be 0.
Operand around(Emitter& e, const Place& place, size_t i, const Operand& index) {
  const auto found = place.moduli.find(i);
  if (found == place.moduli.end()) return index;
  Operand modulus = found->second;
  if (!modulus.isConstant()) modulus = e.select(e.compare(Op::kEq, modulus, kZero), kOne, modulus);
  return e.op(Op::kMod, ScalarType::kI64, index, modulus);
}

}  // namespace

void makePlain(Emitter& e, Place& place, size_t i) {
  const int axis = place.axis(i);
  Operand index = place.indices[i];
  if (axis != Place::kNoAxis) {
    index = positions(e, place.space, static_cast<size_t>(axis), place.shift(i));
    index = e.zip({index}, [&](Emitter& at, const Operands& position) -> Operand {
      return around(at, place, i, position[0]);
    });
  } else if (e.type(index).isScalar()) {
    index = around(e, place, i, e.add(index, Operand::ofI64(place.shift(i))));
  }
  place.setPlain(i, index);
}

Operand spread(Emitter& e, const Place& place, size_t i) {
  Operand index = place.indices[i];
  if (!e.type(index).isScalar()) return index;
  index = around(e, place, i, e.add(index, Operand::ofI64(place.shift(i))));
  if (place.space.empty()) return index;
  return e.bind("i", {ScalarType::kI64, place.space}, core::Replicate{place.space, index});
}

std::optional<std::pair<Operand, int64_t>> shifted(const Stm& stm) {
  const auto* node = std::get_if<core::PrimOp>(&stm.expr);
  if (node == nullptr || node->type != ScalarType::kI64) return std::nullopt;
  if (node->op != Op::kAdd && node->op != Op::kSub) return std::nullopt;
  const Operand &a = node->args[0], &b = node->args[1];
  if (!a.isConstant() && b.isConstant()) {
    const int64_t by = b.constant.asSigned();
    return std::pair(a, node->op == Op::kAdd ? by : -by);
  }
  if (a.isConstant() && !b.isConstant() && node->op == Op::kAdd) {
    return std::pair(b, a.constant.asSigned());
  }
  return std::nullopt;
}

namespace {

constexpr int64_t kMaxShift = 1 << 20;

// `x + n` or `x - n`, which is x around n.
std::optional<Operand> withoutTurn(const Stm& stm, const Operand& modulus) {
  const auto* node = std::get_if<core::PrimOp>(&stm.expr);
  if (node == nullptr || node->type != ScalarType::kI64) return std::nullopt;
  if (node->op != Op::kAdd && node->op != Op::kSub) return std::nullopt;
  if (node->args[1] == modulus) return node->args[0];
  if (node->op == Op::kAdd && node->args[0] == modulus) return node->args[1];
  return std::nullopt;
}

}  // namespace

void Reverse::takeShifts(const Scope& s, Place& place) const {
  for (size_t i = 0; i < place.indices.size(); ++i) {
    const Place whole = place;
    while (takeShift(s, place, i)) continue;
    // Other numbers of the cell are no axis around: the rest is there already.
    const bool is_computed = core::makerOf(s.forward, place.indices[i]).has_value();
    if (is_computed && place.moduli.size() > whole.moduli.size()) place = whole;
  }
}

bool Reverse::takeShift(const Scope& s, Place& place, size_t i) const {
  const Operand index = place.indices[i];
  if (place.axis(i) != Place::kNoAxis || index.isConstant() || !isOwn(s, index.value)) return false;
  const auto made = core::makerOf(s.forward, index);
  if (!made) return false;
  const Stm& stm = s.forward[*made];
  const auto around = place.moduli.find(i);
  if (around != place.moduli.end()) {
    if (const auto turned = withoutTurn(stm, around->second)) {
      place.indices[i] = *turned;
      return true;
    }
  }
  const auto known = shifted(stm);
  if (known && std::abs(known->second) <= kMaxShift) {
    place.indices[i] = known->first;
    place.setShift(i, place.shift(i) + known->second);
    return true;
  }
  const auto* node = std::get_if<core::PrimOp>(&stm.expr);
  const bool goes_around = node != nullptr && node->op == Op::kMod &&
                           node->type == ScalarType::kI64 && place.shift(i) == 0 &&
                           !place.moduli.contains(i) && node->args[1] != kZero &&
                           isKnownOutside(s, {node->args[1]});
  if (!goes_around) return false;
  place.moduli.emplace(i, node->args[1]);
  place.indices[i] = node->args[0];
  return true;
}

namespace {

constexpr int kMaxWindowed = 3;  // dimensions of a stencil

bool isShifted(const Place& place) {
  return std::any_of(place.shifts.begin(), place.shifts.end(), [](int64_t c) { return c != 0; });
}

// Each cell gets the element `shift` cells before it, 0 beyond the edge.
Operand moved(Emitter& e, ValueId parts, const Place& place) {
  if (!isShifted(place)) return parts;
  const Type type = e.type(parts);
  const core::Boundary none{core::BoundaryKind::kConstant, prim::zero(type.scalar)};
  core::Window window{parts, std::vector<core::Boundary>(type.shape.size(), none), {{}}, {}};
  for (size_t i = 0; i < type.shape.size(); ++i) window.offsets[0].push_back(-place.shift(i));
  core::Stencil node;
  node.space = type.shape;
  node.windows.push_back(std::move(window));
  node.map = e.identity({{type.scalar, {}}});
  return e.bind("moved", type, std::move(node));
}

}  // namespace

bool Reverse::isPositions(ValueId array) const {
  const auto owner = owner_.find(array);
  if (owner == owner_.end()) return false;
  const auto isIt = [&](const Stm& stm) {
    return core::isPlainIota(stm.expr) && stm.results[0] == array;
  };
  const std::vector<Stm>& stms = owner->second->forward;
  return std::any_of(stms.begin(), stms.end(), isIt);
}

bool isSameIndex(const Place& a, size_t i, const Place& b, size_t j) {
  const auto one = a.moduli.find(i), other = b.moduli.find(j);
  const bool is_around = one != a.moduli.end();
  if (is_around != (other != b.moduli.end())) return false;
  if (is_around && one->second != other->second) return false;
  if (a.axis(i) != b.axis(j) || a.shift(i) != b.shift(j) || a.space != b.space) return false;
  return a.axis(i) != Place::kNoAxis || a.indices[i] == b.indices[j];
}

bool isSamePlace(const Place& a, const Place& b) {
  const size_t count = a.indices.size();
  if (a.array != b.array || b.indices.size() != count || a.space != b.space) return false;
  for (size_t i = 0; i < count; ++i) {
    if (!isSameIndex(a, i, b, i)) return false;
  }
  return true;
}

namespace {

// Each element `shift` places further along the axis, around.
Operand rolled(Emitter& e, const Operand& value, size_t axis, int64_t shift) {
  const Operand extent = e.type(value).shape[0];
  return e.map(extent, {axis > 0 ? value.value : e.iota(extent)},
               [&](Emitter& at, const Operands& row) -> Operands {
                 if (axis > 0) return {rolled(at, row[0], axis - 1, shift)};
                 const Operand from = at.sub(row[0], Operand::ofI64(shift));
                 return {at.index(value.value, {at.op(Op::kMod, ScalarType::kI64, from, extent)})};
               })[0];
}

// Whether the cells along the axis can change places: no other index depends on it.
bool isFreeAxis(Emitter& e, const Place& place, size_t index) {
  for (size_t i = 0; i < place.indices.size(); ++i) {
    const bool is_fixed = place.axis(i) == Place::kNoAxis && e.type(place.indices[i]).isScalar();
    const bool is_other = place.axis(i) != Place::kNoAxis && place.axis(i) != place.axis(index);
    if (i != index && !is_fixed && !is_other) return false;
  }
  return place.axis(index) != Place::kNoAxis;
}

// Whether each dimension of the array is an axis of the cells.
bool isWhole(const Place& place) {
  return std::count(place.axes.begin(), place.axes.end(), Place::kNoAxis) == 0 &&
         place.axes.size() == place.indices.size();
}

}  // namespace

Place turned(Emitter& e, Place place, const Type& whole) {
  const std::map<size_t, Operand> moduli = place.moduli;
  for (const auto& [i, modulus] : moduli) {
    const auto axis = static_cast<size_t>(place.axis(i));
    const bool is_turn =
        isFreeAxis(e, place, i) && modulus == whole.shape[i] && place.space[axis] == whole.shape[i];
    if (is_turn) {
      place.value = rolled(e, place.value, axis, place.shift(i));
      place.setShift(i, 0);
      place.moduli.erase(i);
    } else {
      makePlain(e, place, i);
    }
  }
  return place;
}

std::vector<Place> Reverse::takePlaces(Scope& s, ValueId array) {
  std::vector<Place> taken;
  for (Place& place : s.places) {
    if (place.array != array) continue;
    const auto same = std::find_if(taken.begin(), taken.end(),
                                   [&](const Place& other) { return isSamePlace(place, other); });
    if (same != taken.end()) {
      same->value = s.back.sum(same->value, place.value);
    } else {
      taken.push_back(std::move(place));
    }
  }
  std::erase_if(s.places, [&](const Place& place) { return place.array == array; });
  std::stable_partition(taken.begin(), taken.end(), isWhole);
  return taken;
}

void Reverse::settle(Scope& s, ValueId array) {
  const Type whole = program_.type(array);
  std::vector<Place> places = takePlaces(s, array);
  settleRotations(s, array, places);
  for (Place& place : places) place = turned(s.back, std::move(place), whole);
  if (!isInCells(s)) places = withBins(s.back, std::move(places), whole);
  for (const Place& place : withRows(s.back, std::move(places), whole)) {
    const bool is_settled = settleByAxes(s, place) || settleByInterior(s, place) ||
                            settleBySlice(s, place) || settleByInverse(s, place);
    if (!is_settled) settle(s, place);
  }
}

bool Reverse::settleByAxes(Scope& s, const Place& place) {
  const Type whole = program_.type(place.array);
  std::vector<int> seen;
  for (size_t i = 0; i < place.indices.size(); ++i) {
    const int axis = place.axis(i);
    if (axis == Place::kNoAxis || std::count(seen.begin(), seen.end(), axis) > 0) return false;
    if (place.space[static_cast<size_t>(axis)] != whole.shape[i]) return false;
    if (place.shift(i) != 0 && whole.shape.size() != place.indices.size()) return false;
    seen.push_back(axis);
  }
  if (isShifted(place) && whole.rank() > kMaxWindowed) return false;
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
  journal_.say(nameOf(place.array) + (others > 0 ? " is a sum over the other axes of a map"
                                                 : " is a map over its places"));
  const auto known = s.cotangents.find(place.array);
  const Operand part = moved(e, e.reshaped(parts, whole.shape), place);
  s.cotangents[place.array] = known != s.cotangents.end() ? e.sum(known->second, part) : part;
  return true;
}

// One index, affine in the position of the cell.
bool Reverse::settleByInverse(Scope& s, const Place& place) {
  const bool is_line = place.space.size() == 1 && place.indices.size() == 1;
  if (!is_line || place.axis(0) != Place::kNoAxis) return false;
  Emitter& e = s.back;
  if (e.type(place.indices[0]).isScalar()) return false;
  const auto index =
      affineIndices(e, place.indices[0].value, [&](ValueId array) { return isPositions(array); });
  const Type whole = program_.type(place.array);
  if (!index) return false;
  // Around a modulus no two cells meet if there are as many of them.
  const bool is_whole = place.space[0] == whole.shape[0];
  if (index->modulus &&
      !(is_whole && *index->modulus == whole.shape[0] && std::abs(index->factor) == 1)) {
    return false;
  }
  journal_.say(nameOf(place.array) + " is a gather by the inverse of its indices");
  add(s, place.array, gatheredBack(e, *index, place.value.value, whole.shape[0]));
  return true;
}

Place summed(Emitter& e, Place place) {
  Place last = place;
  last.axes.clear();
  for (size_t i = 0; i < place.indices.size(); ++i) {
    const int axis = place.axis(i);
    if (axis == Place::kNoAxis && !e.type(place.indices[i]).isScalar()) return place;
    const bool is_known = std::count(last.axes.begin(), last.axes.end(), axis) > 0;
    if (axis != Place::kNoAxis && !is_known) last.axes.push_back(axis);
  }
  const size_t others = place.space.size() - last.axes.size();
  if (others == 0) return place;
  const ValueId parts = axesLast(e, last);
  Operands shape = e.type(parts).shape;
  const auto inner = shape.begin() + static_cast<ptrdiff_t>(others);
  const Operand many = e.product({shape.begin(), inner});
  shape.erase(shape.begin(), inner);
  shape.insert(shape.begin(), many);
  place.value = e.total(e.reshaped(parts, std::move(shape)));
  place.space.clear();
  for (const int axis : last.axes) place.space.push_back(last.space[static_cast<size_t>(axis)]);
  for (int& axis : place.axes) {
    if (axis == Place::kNoAxis) continue;
    const auto found = std::find(last.axes.begin(), last.axes.end(), axis);
    axis = static_cast<int>(found - last.axes.begin());
  }
  return place;
}

Operand flatIndex(Emitter& e, const Place& place, size_t i) {
  const int axis = place.axis(i);
  if (axis == Place::kNoAxis) return spread(e, place, i);
  return positions(e, place.space, static_cast<size_t>(axis), place.shift(i));
}

void Reverse::settle(Scope& s, const Place& from) {
  Emitter& e = s.back;
  Place place = summed(e, from);
  if (place.space.empty()) {
    place.space = {Operand::ofI64(1)};
    const Type type = arrayOf(place.space, e.type(place.value));
    place.value = e.bind("t", type, core::Replicate{place.space, place.value});
  }
  const Operands& space = place.space;
  const Operand& value = place.value;
  const Operand total = e.product(space);
  std::vector<ValueId> indices;
  for (size_t i = 0; i < place.indices.size(); ++i) {
    indices.push_back(e.reshaped(flatIndex(e, place, i).value, {total}));
  }
  const ValueId values =
      e.reshaped(value.value, arrayOf({total}, rowOf(e.type(value), space.size())).shape);
  const auto known = s.cotangents.find(place.array);
  const Operand base =
      known != s.cotangents.end() ? known->second : e.zero(program_.type(place.array));
  journal_.say(nameOf(place.array) + " is a histogram over the cells that read it");
  s.cotangents[place.array] = e.addedAt(base.value, total, indices, values);
}

}  // namespace halo::ad
