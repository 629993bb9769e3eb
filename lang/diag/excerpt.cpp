// Decodes a line byte by byte; the column of each byte is kept, so that marks find their place.
#include "lang/diag/excerpt.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "lang/diag/utf8.h"

namespace halo::diag {
namespace {

constexpr size_t kTabWidth = 4;
constexpr size_t kMaxBytes = 240;    // of a line shown; a generated file may be one line
constexpr size_t kBytesBefore = 60;  // the mark, when the line is clipped
constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::string_view kClipped = "...";

struct CharacterRange {
  uint32_t first, last;
};

template <size_t N>
bool contains(const std::array<CharacterRange, N>& ranges, uint32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](CharacterRange r) { return r.first <= c && c <= r.last; });
}

// The blocks that matter in practice of Unicode's East_Asian_Width W and F, and of the marks that
// combine with the character before them.
size_t displayWidth(uint32_t c) {
  static constexpr std::array kZero = {
      CharacterRange{0x300, 0x36f},   CharacterRange{0x200b, 0x200f},
      CharacterRange{0x202a, 0x202e}, CharacterRange{0x20d0, 0x20ff},
      CharacterRange{0xfe00, 0xfe0f}, CharacterRange{0xfeff, 0xfeff}};
  static constexpr std::array kWide = {
      CharacterRange{0x1100, 0x115f},   CharacterRange{0x2e80, 0xa4cf},
      CharacterRange{0xac00, 0xd7a3},   CharacterRange{0xf900, 0xfaff},
      CharacterRange{0xfe30, 0xfe6f},   CharacterRange{0xff00, 0xff60},
      CharacterRange{0xffe0, 0xffe6},   CharacterRange{0x1f300, 0x1f64f},
      CharacterRange{0x1f900, 0x1f9ff}, CharacterRange{0x20000, 0x3fffd}};
  if (contains(kZero, c)) return 0;
  return contains(kWide, c) ? 2 : 1;
}

// Direction overrides would reorder the line on the terminal, marks included.
bool isControl(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

bool startsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

}  // namespace

Excerpt::Excerpt(std::string_view line, size_t focus) {
  size_t end = line.size();
  if (line.size() > kMaxBytes) {
    focus = std::min(focus, line.size());
    first_byte_ = focus > kBytesBefore ? focus - kBytesBefore : 0;
    while (first_byte_ > 0 && !startsCharacter(line[first_byte_])) first_byte_--;
    end = std::min(line.size(), first_byte_ + kMaxBytes);
    while (end < line.size() && !startsCharacter(line[end])) ++end;
  }
  size_t column = 0;
  if (first_byte_ > 0) {
    text_ += kClipped;
    column = kClipped.size();
  }
  for (size_t i = first_byte_; i < end;) {
    CodePoint c = decode(line.substr(i, end - i));
    size_t length = std::max<size_t>(c.length, 1);
    columns_.insert(columns_.end(), length, column);
    if (c.value == '\t' && c.length == 1) {
      size_t width = kTabWidth - column % kTabWidth;
      text_.append(width, ' ');
      column += width;
    } else if (c.length == 0 || isControl(c.value)) {
      text_ += kReplacement;
      column += 1;
    } else {
      text_ += line.substr(i, length);
      column += displayWidth(c.value);
    }
    i += length;
  }
  columns_.push_back(column);
  if (end < line.size()) text_ += kClipped;
}

size_t Excerpt::column(size_t offset) const {
  if (offset <= first_byte_) return columns_.front();
  return columns_[std::min(offset - first_byte_, columns_.size() - 1)];
}

}  // namespace halo::diag
