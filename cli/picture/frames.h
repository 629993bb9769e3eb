// Values as pictures, one or several in a row.
#pragma once

#include <vector>

#include "lang/value/picture.h"

namespace halo::picture {

using value::Pixels;

// `[h][w]` is one picture, `[n][h][w]` are n. A last dimension of 3 or 4, `[h][w][3]`, holds red,
// green, blue (and opacity) as u8 or floats 0..1. There is at least one.
diag::Result<std::vector<Pixels>> framesOf(const value::Value& value);

// Another size, each new pixel the mean of those that it covers.
Pixels scaled(const Pixels& pixels, int64_t width, int64_t height);

}  // namespace halo::picture
