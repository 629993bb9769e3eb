// Reading and writing single UTF-8 code points.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace halo::syntax {

struct CodePoint {
  uint32_t value = 0;
  size_t length = 0;  // 0: the bytes are not UTF-8
};

// The code point at the start of `bytes`, which is not empty. Overlong forms and surrogates are
// refused (Unicode 15, table 3-7).
CodePoint decodeUtf8(std::string_view bytes);
void appendUtf8(std::string& out, uint32_t code_point);
bool isScalarValue(uint32_t code_point);

}  // namespace halo::syntax
