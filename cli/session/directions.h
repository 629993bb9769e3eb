// Values as vectors of their float leaves: directions, weights, products. Integers and bools of a
// direction are 0, sums keep their constructors.
#pragma once

#include "cli/session/values/random_values.h"

namespace halo::session {

// Host values only.
bool hasFloats(const value::Value& value);
bool isFinite(const value::Value& value);        // all floats
bool hasOnlyDoubles(const value::Value& value);  // no other float leaves
// Floats of size 0.5 to 1 with random signs, everything else 0.
value::Value randomDirection(const value::Value& like, RandomBits& random);
// x + h * direction, in the type of each leaf.
value::Value moved(const value::Value& x, const value::Value& direction, double h);

// The sum of products of float leaves in double precision, and of their absolute values.
struct Product {
  double sum = 0, size = 0;
};
Product product(const value::Value& a, const value::Value& b);

// The largest distance of two float elements over the largest element of all; infinite where
// shapes, NaN, infinities, integers or bools differ.
double distance(const value::Value& a, const value::Value& b);

// Leaves, of which `moved` were computed with other roundings. No float of `b` is much further from
// that of `a` than the furthest of theirs or some ulps of `largest`, and all else is equal.
bool isWithinSpread(const value::Value& a, const value::Value& b,
                    const std::vector<value::Value>& moved, double largest);

// The largest size of a finite float.
double largestFinite(const std::vector<value::Value>& leaves);

// Relative precision of the least precise float leaf: 1e-2 for f16, 1e-3 for f32, 1e-8 for f64.
double precision(const value::Value& value);

}  // namespace halo::session
