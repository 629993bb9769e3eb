// Words of nodes, and the settings of rules.
#include "lang/format/node_layout.h"

#include "lang/base/check.h"

namespace halo::format {

// ---- words of nodes

Range NodeLayout::wordsOf(Span span) const {
  const Range words{words_.begins[span.begin], words_.ends[span.end]};
  HALO_CHECK(words.first != kNoWord && words.last != kNoWord, "a node begins and ends with words");
  return words;
}

Range NodeLayout::range(syntax::PatternId id) const {
  return withParentheses(wordsOf(tree_.patterns[id].span));
}
Range NodeLayout::range(syntax::TypeExprId id) const {
  return withParentheses(wordsOf(tree_.types[id].span));
}
Range NodeLayout::range(syntax::ModuleExprId id) const {
  return withParentheses(wordsOf(tree_.modules[id].span));
}
Range NodeLayout::range(syntax::ModuleTypeId id) const {
  return withParentheses(wordsOf(tree_.module_types[id].span));
}

// A node's own brackets come in pairs, so those right around it belong together.
Range NodeLayout::withParentheses(Range words) const {
  while (words.first > 0 && is(words.first - 1, "(") && is(words.last + 1, ")")) {
    words.first--;
    ++words.last;
  }
  return words;
}

bool NodeLayout::spansLines(WordIndex first, WordIndex last) const {
  return words_.words[first].line != words_.words[last].line;
}

// ---- settings of rules

void NodeLayout::line(WordIndex before, unsigned extra) {
  words_.words[before].gap.kind = GapKind::kLine;
  words_.words[before].gap.extra = static_cast<uint8_t>(extra);
}

void NodeLayout::lineOrSpace(bool is_line, WordIndex before, unsigned extra) {
  is_line ? line(before, extra) : space(before);
}

void NodeLayout::lineOrNone(bool is_line, WordIndex before, unsigned extra) {
  is_line ? line(before, extra) : none(before);
}

void NodeLayout::indented(bool is_broken, Range part, unsigned extra) {
  lineOrSpace(is_broken, part.first, extra);
  align(part);
}

void NodeLayout::column(const std::vector<Range>& parts, bool is_broken) {
  if (parts.empty()) return;
  space(parts[0].first);
  for (size_t i = 1; i < parts.size(); ++i) lineOrSpace(is_broken, parts[i].first);
  if (is_broken) align({parts.front().first, parts.back().last});
}

void NodeLayout::bracketed(Range words, const std::vector<Range>& elements) {
  if (elements.empty()) return none(words.last);
  const bool is_broken = spansLines(words);
  is_broken ? space(elements[0].first) : none(elements[0].first);
  for (size_t i = 1; i < elements.size(); ++i) {
    const WordIndex comma = elements[i - 1].last + 1;
    lineOrNone(is_broken, comma);
    words_.words[comma].leads = is_broken;
    space(elements[i].first);
  }
  if (elements.back().last + 1 < words.last) {
    words_.words[elements.back().last + 1].is_dropped = true;
  }
  lineOrNone(is_broken, words.last);
  if (is_broken) align(words);
}

void NodeLayout::attribute(const syntax::Attribute& attribute) {
  const Range words = wordsOf(attribute.span);
  for (WordIndex word = words.first + 1; word <= words.last; ++word) {
    words_.words[word].space_before ? space(word) : none(word);
  }
}

void NodeLayout::operatorWords(WordIndex first, WordIndex last) {
  for (WordIndex word = first + 1; word <= last; ++word) none(word);
}

}  // namespace halo::format
