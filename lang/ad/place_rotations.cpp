// Cells that add to the place at their own position, so many places further, around the ends:
//
//   a[(i + 1) % n] += ys[i]; a[(i - 1) % n] += zs[i]
// becomes
//   a_bar = map i { ys[(i - 1) % n] + zs[(i + 1) % n] }
#include <algorithm>

#include "lang/ad/places.h"
#include "lang/ad/reverse/reverse.h"

namespace halo::ad {

namespace {

// Whether each cell adds to the place at its own position, around the ends along some axes.
bool isRotation(const Place& place, const Type& whole) {
  if (place.moduli.empty() || place.space != whole.shape) return false;
  if (place.indices.size() != whole.shape.size()) return false;
  for (size_t i = 0; i < place.indices.size(); ++i) {
    const auto found = place.moduli.find(i);
    const bool is_around = found != place.moduli.end();
    if (place.axis(i) != static_cast<int>(i) || (!is_around && place.shift(i) != 0)) return false;
    if (is_around && found->second != whole.shape[i]) return false;
  }
  return true;
}

// `known` plus all values at the places, in one nest: they are windows of one stencil then.
ValueId rotatedSum(Emitter& e, const std::optional<Operand>& known,
                   const std::vector<Place>& rotations, const Operands& shape, Operands at = {}) {
  const Operand extent = shape[at.size()];
  return e.map(extent, {e.iota(extent)}, [&](Emitter& cell, const Operands& position) -> Operands {
    Operands here = at;
    here.push_back(position[0]);
    if (here.size() < shape.size()) return {rotatedSum(cell, known, rotations, shape, here)};
    std::optional<Operand> sum;
    if (known) sum = cell.index(known->value, here);
    for (const Place& place : rotations) {
      Operands from = here;
      for (const auto& [i, modulus] : place.moduli) {
        const Operand back = cell.add(here[i], Operand::ofI64(-place.shift(i)));
        from[i] = cell.op(Op::kMod, ScalarType::kI64, back, modulus);
      }
      const Operand part = cell.index(place.value.value, from);
      sum = sum ? cell.sum(*sum, part) : part;
    }
    return {*sum};
  })[0];
}

}  // namespace

void Reverse::settleRotations(Scope& s, ValueId array, std::vector<Place>& places) {
  const Type whole = program_.type(array);
  const auto first = std::stable_partition(
      places.begin(), places.end(), [&](const Place& place) { return !isRotation(place, whole); });
  const std::vector<Place> rotations(first, places.end());
  places.erase(first, places.end());
  if (rotations.empty()) return;
  const auto found = s.cotangents.find(array);
  std::optional<Operand> known;
  if (found != s.cotangents.end()) known = found->second;
  journal_.say(nameOf(array) + " is a map over its places, around the ends");
  s.cotangents[array] = rotatedSum(s.back, known, rotations, whole.shape);
}

}  // namespace halo::ad
