// Lines are cut at the last column, so that a row here is a row there whatever the terminal does
// about long lines.
#include "cli/terminal/layout.h"

#include <algorithm>
#include <array>

namespace halo::terminal {

namespace {

const char* codeOf(Style style) {
  switch (style) {
    case Style::kPlain:
      return "0";
    case Style::kKeyword:
      return "0;35";
    case Style::kNumber:
      return "0;36";
    case Style::kString:
      return "0;32";
    case Style::kComment:
      return "0;90";
    case Style::kType:
      return "0;33";
    case Style::kCommand:
      return "0;1";
    case Style::kBracket:
      return "0;1;4";
  }
  return "0";
}

struct Range {
  uint32_t first, last;
};
constexpr std::array<Range, 5> kCombining = {
    {{0x300, 0x36f}, {0x1ab0, 0x1aff}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}}};
constexpr std::array<Range, 7> kWide = {{{0x1100, 0x115f},
                                         {0x2e80, 0xa4cf},
                                         {0xac00, 0xd7a3},
                                         {0xf900, 0xfaff},
                                         {0xfe30, 0xfe6f},
                                         {0xff00, 0xff60},
                                         {0x1f300, 0x1faff}}};

template <size_t n>
bool isIn(const std::array<Range, n>& ranges, uint32_t code) {
  return std::any_of(ranges.begin(), ranges.end(), [code](const Range& range) {
    return code >= range.first && code <= range.last;
  });
}

class Writer {
 public:
  explicit Writer(const LayoutInput& input) : input_(input) {}

  Layout run() {
    begin(input_.prompt);
    for (size_t at = 0; at < input_.text.size();) {
      if (at == input_.cursor) markCursor();
      if (input_.text[at] == '\n') {
        endRow();
        begin(kMorePrompt);
        ++at;
        continue;
      }
      const size_t first = at;
      const size_t width = widthAt(input_.text, &at);
      if (column_ + width > input_.columns) {
        endRow();
        begin("");
        if (first == input_.cursor) markCursor();
      }
      style(first < input_.styles.size() ? input_.styles[first] : Style::kPlain);
      row_.append(input_.text, first, at - first);
      column_ += width;
    }
    if (input_.cursor >= input_.text.size()) {
      if (column_ >= input_.columns) {
        endRow();
        begin("");
      }
      markCursor();
    }
    endRow();
    return std::move(layout_);
  }

 private:
  void begin(const std::string& prompt) {
    row_ = prompt;
    column_ = widthOf(prompt);
    style_ = Style::kPlain;
  }
  void endRow() {
    style(Style::kPlain);
    layout_.rows.push_back(std::move(row_));
    row_.clear();
  }
  void style(Style style) {
    if (style == style_) return;
    style_ = style;
    row_ += std::string("\x1b[") + codeOf(style) + "m";
  }
  void markCursor() { layout_.cursor = {layout_.rows.size(), column_}; }

  const LayoutInput& input_;
  Layout layout_;
  std::string row_;
  size_t column_ = 0;
  Style style_ = Style::kPlain;
};

}  // namespace

size_t widthAt(const std::string& text, size_t* at) {
  const auto lead = static_cast<unsigned char>(text[*at]);
  const size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  uint32_t code = lead < 0x80 ? lead : lead & (0xff >> (length + 1));
  for (size_t i = 1; i < length && *at + i < text.size(); ++i) {
    code = code << 6 | (static_cast<unsigned char>(text[*at + i]) & 0x3f);
  }
  *at = std::min(*at + length, text.size());
  if (isIn(kCombining, code)) return 0;
  return isIn(kWide, code) ? 2 : 1;
}

size_t widthOf(const std::string& text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) width += widthAt(text, &at);
  return width;
}

Layout layOut(const LayoutInput& input) { return Writer(input).run(); }

}  // namespace halo::terminal
