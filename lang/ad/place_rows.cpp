// Places at literal ends of short rows are rows, made by one map:
//
//   add a[i, 0] = u[i], a[i, 2] = v[i]  for (i)          a: [n][3]
// becomes
//   add a[i] = array {u[i], 0, v[i]}    for (i)
//
// Each of them alone would be a pass over the array.
#include <algorithm>

#include "lang/ad/places.h"

namespace halo::ad {

namespace {

constexpr int64_t kLongestRow = 32;

// The last index is a literal within a short row.
bool endsAtLiteral(const Place& place, const Type& whole) {
  const size_t last = whole.shape.size() - 1;
  if (last == 0 || place.indices.size() != whole.shape.size()) return false;
  if (!core::hasAtMost({whole.shape[last]}, kLongestRow)) return false;
  const Operand& index = place.indices[last];
  if (place.axis(last) != Place::kNoAxis || !index.isConstant()) return false;
  const int64_t at = index.constant.asSigned() + place.shift(last);
  return at >= 0 && at < whole.shape[last].constant.asSigned();
}

// In front of it axes of the array's own length.
bool isAtLiteral(const Place& place, const Type& whole) {
  if (!endsAtLiteral(place, whole)) return false;
  for (size_t i = 0; i + 1 < whole.shape.size(); ++i) {
    const int axis = place.axis(i);
    if (axis == Place::kNoAxis || place.shift(i) != 0) return false;
    if (place.space[static_cast<size_t>(axis)] != whole.shape[i]) return false;
    if (std::count(place.axes.begin(), place.axes.end(), axis) != 1) return false;
  }
  return true;
}

// In front of it a number of each cell.
bool isBinned(Emitter& e, const Place& place, const Type& whole) {
  if (!endsAtLiteral(place, whole)) return false;
  for (size_t i = 0; i + 1 < whole.shape.size(); ++i) {
    if (place.axis(i) == Place::kNoAxis && !e.type(place.indices[i]).isScalar()) return true;
  }
  return false;
}

bool isSameBin(const Place& a, const Place& b) {
  for (size_t i = 0; i + 1 < a.indices.size(); ++i) {
    if (!isSameIndex(a, i, b, i)) return false;
  }
  return a.space == b.space;
}

// The cells' dimensions in the order of the array's.
bool isInOrder(const Place& place) {
  for (size_t i = 0; i + 1 < place.indices.size(); ++i) {
    if (place.axis(i) != static_cast<int>(i)) return false;
  }
  return place.space.size() + 1 == place.indices.size();
}

class Rows {
 public:
  explicit Rows(const Type& whole)
      : whole_(whole), parts_(static_cast<size_t>(whole.shape.back().constant.asSigned())) {}

  void add(Emitter& e, const Place& place) {
    const size_t last = place.indices.size() - 1;
    const int64_t at = place.indices[last].constant.asSigned() + place.shift(last);
    std::optional<Operand>& part = parts_[static_cast<size_t>(at)];
    part = part ? e.sum(*part, place.value) : place.value;
    count_ += 1;
  }

  size_t count() const { return count_; }

  Operand made(Emitter& e) const {
    std::vector<ValueId> known;
    for (const std::optional<Operand>& part : parts_) {
      if (part) known.push_back(part->value);
    }
    return from(e, 0, known);
  }

 private:
  Operand from(Emitter& e, size_t axis, const std::vector<ValueId>& known) const {
    return e.map(whole_.shape[axis], known, [&](Emitter& at, const Operands& rows) -> Operands {
      if (axis + 2 == whole_.shape.size()) return {row(at, rows)};
      std::vector<ValueId> inner;
      for (const Operand& one : rows) inner.push_back(one.value);
      return {from(at, axis + 1, inner)};
    })[0];
  }

  Operand row(Emitter& e, const Operands& known) const {
    core::ArrayLiteral literal{whole_.scalar, {}};
    size_t next = 0;
    for (const std::optional<Operand>& part : parts_) {
      literal.elements.push_back(part ? known[next++] : Operand(prim::zero(whole_.scalar)));
    }
    return e.bind("row", {whole_.scalar, {whole_.shape.back()}}, literal);
  }

  const Type& whole_;
  std::vector<std::optional<Operand>> parts_;
  size_t count_ = 0;
};

}  // namespace

namespace {

constexpr size_t kMaxTogether = 8;

// One histogram of the places' values; a place at the axes of each result.
std::vector<Place> together(Emitter& e, std::vector<Place> places, const Type& whole) {
  for (Place& place : places) place = summed(e, std::move(place));
  const Place& first = places[0];
  const Operand total = e.product(first.space);
  const Type element{whole.scalar, {}};
  Type bins = whole;
  bins.shape.pop_back();
  core::Hist node;
  node.width = total;
  core::HistOp operation;
  operation.index_rank = bins.rank();
  for (int i = 0; i < bins.rank(); ++i) {
    node.inputs.push_back(e.reshaped(flatIndex(e, first, static_cast<size_t>(i)).value, {total}));
  }
  std::vector<Type> types(node.inputs.size(), Type{ScalarType::kI64, {}});
  std::vector<ValueId> sums;
  for (const Place& place : places) {
    node.inputs.push_back(e.reshaped(place.value.value, {total}));
    types.push_back(element);
    operation.destinations.push_back(e.copy(e.zero(bins).value));
    operation.neutral.push_back(e.zero(element));
    sums.push_back(e.program().add("sums", bins));
  }
  node.map = e.identity(types);
  const std::vector<Type> elements(places.size(), element);
  operation.op = e.combiner(elements, [&](Emitter& at, const Operands& both) -> Operands {
    Operands all;
    for (size_t i = 0; i < places.size(); ++i) {
      all.push_back(at.sum(both[i], both[places.size() + i]));
    }
    return all;
  });
  node.operations.push_back(std::move(operation));
  e.append({sums, std::move(node), false, {}});
  for (size_t k = 0; k < places.size(); ++k) {
    const size_t last = whole.shape.size() - 1;
    Place sum{places[k].array, bins.shape, Operands(last, kZero), sums[k]};
    sum.indices.push_back(e.add(places[k].indices[last], Operand::ofI64(places[k].shift(last))));
    for (size_t i = 0; i < last; ++i) sum.setAxis(i, static_cast<int>(i));
    places[k] = std::move(sum);
  }
  return places;
}

}  // namespace

std::vector<Place> withBins(Emitter& e, std::vector<Place> places, const Type& whole) {
  std::vector<Place> all;
  while (!places.empty()) {
    std::vector<Place> same, others;
    for (Place& place : places) {
      const bool joins =
          same.empty() || (same.size() < kMaxTogether && isBinned(e, same[0], whole) &&
                           isBinned(e, place, whole) && isSameBin(same[0], place));
      (joins ? same : others).push_back(std::move(place));
    }
    if (same.size() > 1) same = together(e, std::move(same), whole);
    for (Place& place : same) all.push_back(std::move(place));
    places = std::move(others);
  }
  return all;
}

std::vector<Place> withRows(Emitter& e, std::vector<Place> places, const Type& whole) {
  const auto isAt = [&](const Place& place) { return isAtLiteral(place, whole); };
  if (std::count_if(places.begin(), places.end(), isAt) < 2) return places;
  const ValueId array = places[0].array;
  Rows rows(whole);
  std::vector<Place> others;
  for (Place& place : places) {
    if (!isAt(place)) {
      others.push_back(std::move(place));
      continue;
    }
    Place sum = summed(e, std::move(place));
    if (isInOrder(sum)) {
      rows.add(e, sum);
    } else {
      others.push_back(std::move(sum));
    }
  }
  if (rows.count() == 0) return others;
  Place joined{array, whole.shape, {}, rows.made(e)};
  joined.space.pop_back();
  for (size_t i = 0; i < joined.space.size(); ++i) {
    joined.indices.push_back(kZero);
    joined.setAxis(i, static_cast<int>(i));
  }
  others.insert(others.begin(), std::move(joined));
  return others;
}

}  // namespace halo::ad
