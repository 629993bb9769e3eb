// Pictures as 8-bit colours, between values and PNG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lang/value/value.h"

namespace halo::value {

// ARGB words in rows.
struct Pixels {
  int64_t width = 0, height = 0;
  std::vector<uint32_t> argb;
};

// [h][w] of u32/i32 ARGB, floats grey 0..1, u8 grey, bool: the rules of Futhark's :img.
diag::Result<Pixels> toPixels(const Value& value);

// The bytes of a PNG file.
std::string toPng(const Pixels& pixels);

// A whole file at once. Failure: unwritable_file.
diag::Result<std::monostate> writeBytes(const std::string& path, const std::string& bytes);

}  // namespace halo::value
