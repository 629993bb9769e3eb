// Places on axes that are a few cells shorter or longer than the array's dimensions:
//
//   add a[i, j + 2] = v[i, j]  for (i < n - 2, j < n - 2)
// becomes
//   a += map i map j { if 0 <= i < n - 2 && 0 <= j - 2 < n - 2 then v[i, j - 2] else 0 }
//
// Why: differences of neighbours and convolutions without a border read an array so, once for each
// neighbour. The sum of all is one map; histograms would walk the array as often.
#include <cstdlib>
#include <functional>

#include "lang/ad/places.h"
#include "lang/ad/reverse/reverse.h"
#include "lang/ad/rules.h"

namespace halo::ad {

namespace {

constexpr int64_t kMaxBorder = 64;  // cells by which lengths may differ

// The value of the cell whose place this is, else 0.
Operand interior(Emitter& e, const Place& place, const Type& whole) {
  const Type part = rowOf(whole, place.indices.size());
  const std::function<Operand(Emitter&, Operands)> at = [&](Emitter& in, Operands cell) -> Operand {
    const size_t axis = cell.size();
    if (axis == place.indices.size()) {
      return in.branch(
          isInside(in, cell, place.space), {part},
          [&](Emitter& yes) -> Operands { return {yes.index(place.value.value, cell)}; },
          [&](Emitter& no) -> Operands { return {no.zero(part)}; })[0];
    }
    const Operand& extent = whole.shape[axis];
    return in.map(extent, {in.iota(extent)}, [&](Emitter& row, const Operands& i) -> Operands {
      Operands inner = cell;
      inner.push_back(row.sub(i[0], Operand::ofI64(place.shift(axis))));
      return {at(row, std::move(inner))};
    })[0];
  };
  return at(e, {});
}

}  // namespace

// `n` and 2 of `n + 2`.
std::pair<Operand, int64_t> Reverse::lengthOf(Operand size) const {
  int64_t more = 0;
  while (!size.isConstant()) {
    const auto owner = owner_.find(size.value);
    if (owner == owner_.end()) break;
    const auto made = core::makerOf(owner->second->forward, size);
    const auto known = made ? shifted(owner->second->forward[*made]) : std::nullopt;
    if (!known || std::abs(known->second) > kMaxBorder) break;
    size = known->first;
    more += known->second;
  }
  return {size, more};
}

bool Reverse::isNearly(const Operand& space, const Operand& extent) const {
  if (space.isConstant() && extent.isConstant()) {
    return extent.constant.asSigned() / 2 <= space.constant.asSigned();
  }
  const auto [a, more_a] = lengthOf(space);
  const auto [b, more_b] = lengthOf(extent);
  return a == b && std::abs(more_a - more_b) <= kMaxBorder;
}

bool Reverse::settleByInterior(Scope& s, const Place& from) {
  const Type whole = program_.type(from.array);
  int last = -1;
  for (size_t i = 0; i < from.indices.size(); ++i) {
    const int axis = from.axis(i);
    if (axis <= last || from.moduli.contains(i)) return false;
    if (!isNearly(from.space[static_cast<size_t>(axis)], whole.shape[i])) return false;
    last = axis;
  }
  Emitter& e = s.back;
  const Place place = summed(e, from);
  journal_.say(nameOf(place.array) + " is a map over its places");
  const Operand part = interior(e, place, whole);
  const auto known = s.cotangents.find(place.array);
  s.cotangents[place.array] = known != s.cotangents.end() ? e.sum(known->second, part) : part;
  return true;
}

}  // namespace halo::ad
