// UTF-8 by its length table.
#include "lang/syntax/lex/utf8.h"

#include <array>

namespace halo::syntax {

bool isScalarValue(uint32_t c) { return c < 0xd800 || (c > 0xdfff && c <= 0x10ffff); }

CodePoint decodeUtf8(std::string_view bytes) {
  static constexpr std::array<uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  size_t length = (lead & 0xe0) == 0xc0   ? 2
                  : (lead & 0xf0) == 0xe0 ? 3
                  : (lead & 0xf8) == 0xf0 ? 4
                                          : 0;
  if (length == 0 || bytes.size() < length) return {};
  uint32_t value = lead & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3fu);
  }
  if (value < kSmallest[length] || !isScalarValue(value)) return {};
  return {value, length};
}

void appendUtf8(std::string& out, uint32_t c) {
  auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
  auto tail = [&](int shift) { put(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    tail(6);
    tail(0);
  } else {
    put(0xf0 | c >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace halo::syntax
