// In the language a picture is [h][w]u32, one ARGB word per pixel, as Futhark's :img.
#include "lang/value/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lang/base/check.h"
#include "lang/value/readers.h"

namespace halo::value {

namespace {

constexpr uint32_t kOpaque = 0xff000000;

uint32_t grey(uint32_t level) { return kOpaque | level << 16 | level << 8 | level; }

uint32_t levelOf(double brightness) {
  const double bounded = std::isnan(brightness) ? 0 : std::clamp(brightness, 0.0, 1.0);
  return static_cast<uint32_t>(std::nearbyint(bounded * 255));
}

uint32_t pixelOf(Scalar element) {
  switch (element.type) {
    case ScalarType::kU32:
    case ScalarType::kI32:
      return static_cast<uint32_t>(element.bits);
    case ScalarType::kU8:
      return grey(static_cast<uint32_t>(element.bits));
    case ScalarType::kBool:
      return grey(element.asBool() ? 255 : 0);
    case ScalarType::kF16:
    case ScalarType::kF32:
    case ScalarType::kF64:
      return grey(levelOf(element.asDouble()));
    default:
      HALO_UNREACHABLE("no picture of this element type");
  }
}

bool isPicture(const Value& value) {
  if (value.array() == nullptr || value.array()->rank() != 2) return false;
  const ScalarType type = value.array()->type();
  return prim::isFloat(type) || type == ScalarType::kU32 || type == ScalarType::kI32 ||
         type == ScalarType::kU8 || type == ScalarType::kBool;
}

std::string describe(const Value& value) {
  if (value.scalar() != nullptr) return std::string(prim::name(value.scalar()->type));
  if (value.array() == nullptr) return "a record";
  return shapeText(value.array()->shape()) + std::string(prim::name(value.array()->type()));
}

}  // namespace

diag::Result<Pixels> toPixels(const Value& value) {
  if (!isPicture(value)) {
    return diag::fail(
        diag::Code::value_not_printable, {},
        fmt::format("a picture needs `[h][w]` of `u32`, `i32`, `u8`, `bool` or floats, found `{}`",
                    describe(value)));
  }
  const auto dense = toDense(*value.array());
  if (!dense) return diag::Failure(dense.error());
  constexpr int64_t kMaxSide = 65535;
  const int64_t height = dense->shape()[0], width = dense->shape()[1];
  if (height < 1 || width < 1 || height > kMaxSide || width > kMaxSide) {
    return diag::fail(diag::Code::value_not_printable, {},
                      fmt::format("a picture has 1 to {} rows and columns, found `{}`", kMaxSide,
                                  describe(value)));
  }
  Pixels pixels{width, height, std::vector<uint32_t>(static_cast<size_t>(dense->elements()))};
  for (size_t i = 0; i < pixels.argb.size(); ++i) {
    pixels.argb[i] = pixelOf(dense->at(static_cast<int64_t>(i)));
  }
  return pixels;
}

}  // namespace halo::value
