// Reading UTF-8, which every text is: other bytes count one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace halo::diag {

struct CodePoint {
  uint32_t value = 0;
  size_t length = 0;  // 0: not UTF-8
};

inline CodePoint decode(std::string_view bytes) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  size_t length = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || lead >= 0xf5 || bytes.size() < length) return {};
  uint32_t value = lead & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3f);
  }
  return {value, length};
}

// Code points in a text; each byte that is no UTF-8 counts as one.
inline size_t codePoints(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); ++count) {
    const size_t length = decode(text.substr(at)).length;
    at += length == 0 ? 1 : length;
  }
  return count;
}

}  // namespace halo::diag
