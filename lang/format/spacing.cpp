// Gaps that depend on the two words alone, where no rule of a node has decided.
#include "lang/format/layout.h"

namespace halo::format {

using syntax::TokenKind;

namespace {

bool isOneOf(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

// A name, a literal or a closing bracket: `[` right behind it is an index, behind a space it is
// not.
bool endsOperand(const Word& word) {
  return word.kind == TokenKind::kIdentifier || word.kind == TokenKind::kNumber ||
         word.kind == TokenKind::kString || word.kind == TokenKind::kChar || word.text == ")" ||
         word.text == "]" || word.text == "}";
}

bool touches(const Word& before, const Word& word) {
  const std::string_view a = before.text, b = word.text;
  if (word.kind == TokenKind::kString || before.kind == TokenKind::kString) {
    return a == "(" || a == "[" || b == ")" || b == "]" || b == "," || b == "}";
  }
  if (b == "," || b == ";" || b == ")" || b == "]" || b == "}" || b == "." || b == ":" || b == "~")
    return true;
  if (a == "(" || a == "[" || a == "{" || a == "#[" || a == "\\" || a == "." || a == "#" ||
      a == "?")
    return true;
  return b == "[" && endsOperand(before) && !word.space_before;
}

// Whether the two would be one operator: `- -`.
bool wouldMerge(const Word& before, const Word& word) {
  constexpr std::string_view kOperator = "+-*/%=!><|&^";
  return isOneOf(before.text.back(), kOperator) && isOneOf(word.text.front(), kOperator);
}

}  // namespace

void setSpacing(Words& words) {
  for (size_t i = 1; i < words.words.size(); ++i) {
    const Word& before = words.words[i - 1];
    Word& word = words.words[i];
    if (word.gap.kind == GapKind::kDefault) {
      word.gap.kind = touches(before, word) ? GapKind::kNone : GapKind::kSpace;
    }
    const bool is_none = word.gap.kind == GapKind::kNone && word.space_before;
    if (is_none && !word.text.empty() && wouldMerge(before, word)) word.gap.kind = GapKind::kSpace;
  }
}

}  // namespace halo::format
