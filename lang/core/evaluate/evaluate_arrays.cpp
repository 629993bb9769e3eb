// Arrays of the evaluator.
#include "lang/core/evaluate/evaluate_arrays.h"

#include "lang/base/check.h"

namespace halo::core {
namespace {

// The first element of the part at a position, and how many it has.
std::pair<int64_t, int64_t> partOf(const Datum& array, const Position& position) {
  int64_t start = 0;
  for (size_t i = 0; i < position.size(); ++i) start = start * array.shape[i] + position[i];
  int64_t count = 1;
  for (size_t i = position.size(); i < array.shape.size(); ++i) count *= array.shape[i];
  return {start * count, count};
}

}  // namespace

Datum Datum::of(Scalar scalar) { return of(scalar.type, {}, {scalar.bits}); }

Datum Datum::of(ScalarType type, std::vector<int64_t> shape, std::vector<uint64_t> bits) {
  return {type, std::move(shape), std::make_shared<const std::vector<uint64_t>>(std::move(bits))};
}

bool Datum::operator==(const Datum& other) const {
  return type == other.type && shape == other.shape && *bits == *other.bits;
}

int64_t elements(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

void eachPosition(const std::vector<int64_t>& space,
                  const std::function<void(const Position&)>& run) {
  if (elements(space) == 0) return;
  Position position(space.size(), 0);
  while (true) {
    run(position);
    size_t axis = space.size();
    while (axis > 0 && ++position[axis - 1] == space[axis - 1]) position[--axis] = 0;
    if (axis == 0) return;
  }
}

bool isInside(const Position& position, const std::vector<int64_t>& shape) {
  for (size_t i = 0; i < position.size(); ++i) {
    if (position[i] < 0 || position[i] >= shape[i]) return false;
  }
  return true;
}

Datum at(const Datum& array, const Position& position) {
  auto [start, count] = partOf(array, position);
  const auto first = array.bits->begin() + start;
  return Datum::of(
      array.type,
      {array.shape.begin() + static_cast<std::ptrdiff_t>(position.size()), array.shape.end()},
      {first, first + count});
}

Datum withPart(const Datum& array, const Position& position, const Datum& part) {
  auto [start, count] = partOf(array, position);
  HALO_CHECK(count == static_cast<int64_t>(part.bits->size()), "a part of another shape");
  std::vector<uint64_t> bits = *array.bits;
  std::copy(part.bits->begin(), part.bits->end(), bits.begin() + start);
  return Datum::of(array.type, array.shape, std::move(bits));
}

Datum built(ScalarType type, const std::vector<int64_t>& shape, const std::vector<int64_t>& outer,
            const std::function<Datum(const Position&)>& part) {
  std::vector<uint64_t> bits;
  eachPosition(outer, [&](const Position& position) {
    const Datum made = part(position);
    bits.insert(bits.end(), made.bits->begin(), made.bits->end());
  });
  return Datum::of(type, shape, std::move(bits));
}

std::optional<int64_t> insideBy(BoundaryKind kind, int64_t position, int64_t extent) {
  if (position >= 0 && position < extent) return position;
  const __int128 period =
      kind == BoundaryKind::kMirror ? 2 * static_cast<__int128>(extent) : extent;
  const auto rest = static_cast<int64_t>(((position % period) + period) % period);
  switch (kind) {
    case BoundaryKind::kClamp:
      return position < 0 ? 0 : extent - 1;
    case BoundaryKind::kMirror:
      return rest < extent ? rest : 2 * extent - 1 - rest;
    case BoundaryKind::kWrap:
      return rest;
    case BoundaryKind::kConstant:
      return std::nullopt;
  }
  HALO_UNREACHABLE("unknown boundary");
}

}  // namespace halo::core
