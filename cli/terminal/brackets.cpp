#include "cli/terminal/brackets.h"

namespace halo::terminal {

namespace {

constexpr char kOpening[] = "([{";
constexpr char kClosing[] = ")]}";

class Brackets {
 public:
  Brackets(const std::string& text, const std::vector<Style>& styles)
      : text_(text), styles_(styles) {}

  bool opens(size_t at) const { return isOneOf(kOpening, at); }
  bool closes(size_t at) const { return isOneOf(kClosing, at); }

  // From a bracket to its partner, towards the end or the beginning.
  std::optional<size_t> partner(size_t start) const {
    const bool forward = opens(start);
    std::string expected;  // the partners of the brackets that are open
    for (size_t at = start; at < text_.size(); forward ? ++at : --at) {
      if (forward ? opens(at) : closes(at)) expected += other(text_[at]);
      if (!(forward ? closes(at) : opens(at))) continue;
      if (expected.back() != text_[at]) return std::nullopt;
      expected.pop_back();
      if (expected.empty()) return at;
    }
    return std::nullopt;
  }

 private:
  bool isOneOf(const std::string& brackets, size_t at) const {
    if (at >= text_.size() || brackets.find(text_[at]) == std::string::npos) return false;
    const Style style = at < styles_.size() ? styles_[at] : Style::kPlain;
    return style != Style::kString && style != Style::kComment;
  }
  static char other(char bracket) {
    const std::string opening = kOpening, closing = kClosing;
    const size_t kind = opening.find(bracket);
    return kind != std::string::npos ? closing[kind] : opening[closing.find(bracket)];
  }

  const std::string& text_;
  const std::vector<Style>& styles_;
};

}  // namespace

std::optional<std::pair<size_t, size_t>> matchingBrackets(const std::string& text, size_t cursor,
                                                          const std::vector<Style>& styles) {
  const Brackets brackets(text, styles);
  for (const size_t at : {cursor, cursor - 1}) {  // before the first character: beyond the text
    if (!brackets.opens(at) && !brackets.closes(at)) continue;
    const std::optional<size_t> partner = brackets.partner(at);
    return partner ? std::optional(std::pair(at, *partner)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace halo::terminal
