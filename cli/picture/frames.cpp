// Shapes decide the picture of a value; the pixels themselves are made by lang/value.
#include "cli/picture/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace halo::picture {

using prim::ScalarType;
using value::Array;
using value::Value;

namespace {

bool hasChannels(const Array& array) {
  if (array.rank() < 3) return false;
  const int64_t last = array.shape().back();
  return (last == 3 || last == 4) &&
         (array.type() == ScalarType::kU8 || prim::isFloat(array.type()));
}

uint32_t channel(const value::Scalar& scalar) {
  if (scalar.type == ScalarType::kU8) return static_cast<uint32_t>(scalar.bits);
  const double level = scalar.asDouble();
  return std::isnan(level)
             ? 0
             : static_cast<uint32_t>(std::nearbyint(std::clamp(level, 0.0, 1.0) * 255));
}

diag::Result<Pixels> colours(const Array& array) {
  const auto dense = value::toDense(array);
  if (!dense) return diag::Failure(dense.error());
  const int64_t height = dense->shape()[0], width = dense->shape()[1], n = dense->shape()[2];
  Pixels pixels{width, height, {}};
  for (int64_t i = 0; i < height * width; ++i) {
    uint32_t argb = n == 4 ? channel(dense->at(i * n + 3)) : 255;
    for (int64_t c = 0; c < 3; ++c) argb = argb << 8 | channel(dense->at(i * n + c));
    pixels.argb.push_back(argb);
  }
  return pixels;
}

diag::Result<Pixels> onePicture(const Value& value) {
  const Array* array = value.array();
  return array != nullptr && hasChannels(*array) && array->elements() > 0 ? colours(*array)
                                                                          : value::toPixels(value);
}

// The pixels that column x of `to` covers among `from`; at least one.
struct Range {
  int64_t begin, end;
};
Range covered(int64_t x, int64_t from, int64_t to) {
  const int64_t begin = x * from / to;
  return {begin, std::max(begin + 1, (x + 1) * from / to)};
}

}  // namespace

diag::Result<std::vector<Pixels>> framesOf(const Value& value) {
  const Array* array = value.array();
  const int single = array != nullptr && hasChannels(*array) ? 3 : 2;
  if (array == nullptr || array->rank() != single + 1 || array->shape()[0] == 0) {
    auto picture = onePicture(value);
    if (!picture) return diag::Failure(picture.error());
    return std::vector<Pixels>{std::move(*picture)};
  }
  std::vector<Pixels> frames;
  for (int64_t i = 0; i < array->shape()[0]; ++i) {
    auto frame = onePicture(value::elementOf(value, i));
    if (!frame) return diag::Failure(frame.error());
    frames.push_back(std::move(*frame));
  }
  return frames;
}

Pixels scaled(const Pixels& pixels, int64_t width, int64_t height) {
  if (width == pixels.width && height == pixels.height) return pixels;
  Pixels result{width, height, {}};
  for (int64_t y = 0; y < height; ++y) {
    const Range rows = covered(y, pixels.height, height);
    for (int64_t x = 0; x < width; ++x) {
      const Range columns = covered(x, pixels.width, width);
      std::array<uint64_t, 4> sums{};
      for (int64_t r = rows.begin; r < rows.end; ++r) {
        for (int64_t c = columns.begin; c < columns.end; ++c) {
          const uint32_t argb = pixels.argb[static_cast<size_t>(r * pixels.width + c)];
          for (size_t k = 0; k < 4; ++k) sums[k] += argb >> (8 * k) & 0xff;
        }
      }
      const auto count =
          static_cast<uint64_t>((rows.end - rows.begin) * (columns.end - columns.begin));
      uint32_t argb = 0;
      for (size_t k = 4; k-- > 0;) argb = argb << 8 | static_cast<uint32_t>(sums[k] / count);
      result.argb.push_back(argb);
    }
  }
  return result;
}

}  // namespace halo::picture
