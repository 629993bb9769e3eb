#include "cli/session/directions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace halo::session {

namespace {

using prim::Scalar;
using prim::ScalarType;
using value::Array;
using value::Value;

// `f` of the leaves of values of one form, element by element; the tags of sums stay.
using Change = std::function<Scalar(const Scalar&, const Scalar&)>;

Array changed(const Array& a, const Array& b, const Change& f) {
  Array made = *value::makeArray(a.type(), a.shape());
  for (int64_t i = 0; i < a.elements(); ++i) value::setAt(made, i, f(a.at(i), b.at(i)));
  return made;
}

Value changed(const Value& a, const Value& b, const Change& f) {
  if (const Scalar* scalar = a.scalar()) return f(*scalar, *b.scalar());
  if (const Array* array = a.array()) return changed(*array, *b.array(), f);
  if (const value::Record* record = a.record()) {
    value::Record made = *record;
    for (size_t i = 0; i < made.fields.size(); ++i) {
      made.fields[i] = changed(record->fields[i], b.record()->fields[i], f);
    }
    return made;
  }
  value::Sum made = *a.sum();
  for (size_t i = made.form->has_tag ? 1 : 0; i < made.leaves.size(); ++i) {
    made.leaves[i] = changed(a.sum()->leaves[i], b.sum()->leaves[i], f);
  }
  return made;
}

ScalarType typeOf(const Value& leaf) {
  return leaf.scalar() != nullptr ? leaf.scalar()->type : leaf.array()->type();
}

int64_t elementsOf(const Value& leaf) {
  return leaf.scalar() != nullptr ? 1 : leaf.array()->elements();
}

Scalar scalarOf(const Value& leaf, int64_t i) {
  return leaf.scalar() != nullptr ? *leaf.scalar() : leaf.array()->at(i);
}

bool isSameShape(const Value& a, const Value& b) {
  if (typeOf(a) != typeOf(b)) return false;
  return a.array() == nullptr ? b.array() == nullptr : a.array()->shape() == b.array()->shape();
}

double epsilon(ScalarType type) {
  if (type == ScalarType::kF16) return 0x1p-10;
  return type == ScalarType::kF32 ? 0x1p-23 : 0x1p-52;
}

// Of two leaves: the largest element of both, and the largest difference.
struct Apart {
  double largest = 0, apart = 0;
};

void measure(const Value& a, const Value& b, Apart& all) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < elementsOf(a); ++i) {
    const Scalar x = scalarOf(a, i), y = scalarOf(b, i);
    if (!prim::isFloat(x.type)) {
      if (x.bits != y.bits) all.apart = kFar;
      continue;
    }
    const double p = x.asDouble(), q = y.asDouble();
    if (std::isfinite(p)) all.largest = std::max(all.largest, std::abs(p));
    if (p == q || (std::isnan(p) && std::isnan(q))) continue;
    const bool are_finite = std::isfinite(p) && std::isfinite(q);
    all.apart = std::max(all.apart, are_finite ? std::abs(p - q) : kFar);
  }
}

}  // namespace

bool hasFloats(const Value& value) {
  const std::vector<Value> leaves = value::flatten(value);
  return std::any_of(leaves.begin(), leaves.end(),
                     [](const Value& leaf) { return prim::isFloat(typeOf(leaf)); });
}

bool isFinite(const Value& value) {
  for (const Value& leaf : value::flatten(value)) {
    if (!prim::isFloat(typeOf(leaf))) continue;
    for (int64_t i = 0; i < elementsOf(leaf); ++i) {
      if (!std::isfinite(scalarOf(leaf, i).asDouble())) return false;
    }
  }
  return true;
}

bool hasOnlyDoubles(const Value& value) {
  const std::vector<Value> leaves = value::flatten(value);
  return std::all_of(leaves.begin(), leaves.end(), [](const Value& leaf) {
    return !prim::isFloat(typeOf(leaf)) || typeOf(leaf) == ScalarType::kF64;
  });
}

Value randomDirection(const Value& like, RandomBits& random) {
  return changed(like, like, [&](const Scalar& x, const Scalar&) {
    if (!prim::isFloat(x.type)) return prim::zero(x.type);
    const uint64_t bits = random.bits();
    const double size = 0.5 + static_cast<double>(bits >> 40) / static_cast<double>(1 << 25);
    return Scalar::ofFloat(x.type, bits % 2 == 0 ? size : -size);
  });
}

Value moved(const Value& x, const Value& direction, double h) {
  return changed(x, direction, [h](const Scalar& from, const Scalar& by) {
    if (!prim::isFloat(from.type)) return from;
    return Scalar::ofFloat(from.type, from.asDouble() + h * by.asDouble());
  });
}

Product product(const Value& a, const Value& b) {
  const std::vector<Value> left = value::flatten(a), right = value::flatten(b);
  Product total;
  for (size_t leaf = 0; leaf < left.size(); ++leaf) {
    if (!prim::isFloat(typeOf(left[leaf]))) continue;
    for (int64_t i = 0; i < elementsOf(left[leaf]); ++i) {
      const double term = scalarOf(left[leaf], i).asDouble() * scalarOf(right[leaf], i).asDouble();
      total.sum += term;
      total.size += std::abs(term);
    }
  }
  return total;
}

double distance(const Value& a, const Value& b) {
  const std::vector<Value> left = value::flatten(a), right = value::flatten(b);
  Apart all;
  for (size_t i = 0; i < left.size(); ++i) {
    if (i >= right.size() || !isSameShape(left[i], right[i])) {
      return std::numeric_limits<double>::infinity();
    }
    measure(left[i], right[i], all);
  }
  return all.apart == 0 ? 0 : all.apart / all.largest;
}

bool isWithinSpread(const Value& a, const Value& b, const std::vector<Value>& moved,
                    double largest) {
  // Directed roundings of terms with different signs cancel in part, those of an order need not.
  constexpr double kAllowance = 8;
  if (!isSameShape(a, b)) return false;
  for (const Value& other : moved) {
    if (!isSameShape(a, other)) return false;
  }
  // Terms that only one engine has may cancel: the derivative of a product over one element is the
  // product over that element, or the product of the others.
  constexpr double kUlpsOfLargest = 4;
  const double least = kUlpsOfLargest * epsilon(typeOf(a)) * largest;
  for (int64_t i = 0; i < elementsOf(a); ++i) {
    const Scalar x = scalarOf(a, i), y = scalarOf(b, i);
    if (x.bits == y.bits) continue;
    if (!prim::isFloat(x.type)) return false;
    const double p = x.asDouble(), q = y.asDouble();
    if (p == q || (std::isnan(p) && std::isnan(q)) || std::abs(p - q) <= least) continue;
    double spread = 0;
    for (const Value& other : moved) {
      spread = std::max(spread, std::abs(scalarOf(other, i).asDouble() - p));
    }
    if (!(std::abs(p - q) <= kAllowance * spread) || !std::isfinite(spread)) return false;
  }
  return true;
}

double largestFinite(const std::vector<Value>& leaves) {
  double largest = 0;
  for (const Value& leaf : leaves) {
    for (int64_t i = 0; prim::isFloat(typeOf(leaf)) && i < elementsOf(leaf); ++i) {
      const double size = std::abs(scalarOf(leaf, i).asDouble());
      if (std::isfinite(size)) largest = std::max(largest, size);
    }
  }
  return largest;
}

double precision(const Value& value) {
  double least = 1e-8;
  for (const Value& leaf : value::flatten(value)) {
    if (typeOf(leaf) == ScalarType::kF16) least = std::max(least, 1e-2);
    if (typeOf(leaf) == ScalarType::kF32) least = std::max(least, 1e-3);
  }
  return least;
}

}  // namespace halo::session
