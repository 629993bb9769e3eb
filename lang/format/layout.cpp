// Words of nodes, and the settings of rules.
#include "lang/format/layout.h"

#include "lang/base/check.h"
#include "lang/base/match.h"

namespace halo::format {

void Layout::file(const syntax::File& file) {
  paragraphs(file.declarations, true);
  while (!todo_.empty()) {
    const Node node = todo_.back();
    todo_.pop_back();
    base::match(
        node, [&](syntax::ExprId id) { expression(id); },
        [&](syntax::PatternId id) { pattern(id); }, [&](syntax::TypeExprId id) { type(id); },
        [&](syntax::DeclId id) { declaration(id); }, [&](syntax::SpecId id) { spec(id); },
        [&](syntax::ModuleExprId id) { module(id); },
        [&](syntax::ModuleTypeId id) { moduleType(id); });
  }
}

// ---- words of nodes

Range Layout::wordsOf(Span span) const {
  const Range words{words_.begins[span.begin], words_.ends[span.end]};
  HALO_CHECK(words.first != kNoWord && words.last != kNoWord, "a node begins and ends with words");
  return words;
}

Range Layout::range(syntax::PatternId id) const {
  return withParentheses(wordsOf(tree_.patterns[id].span));
}
Range Layout::range(syntax::TypeExprId id) const {
  return withParentheses(wordsOf(tree_.types[id].span));
}
Range Layout::range(syntax::ModuleExprId id) const {
  return withParentheses(wordsOf(tree_.modules[id].span));
}
Range Layout::range(syntax::ModuleTypeId id) const {
  return withParentheses(wordsOf(tree_.module_types[id].span));
}

// A node's own brackets come in pairs, so those right around it belong together.
Range Layout::withParentheses(Range words) const {
  while (words.first > 0 && is(words.first - 1, "(") && is(words.last + 1, ")")) {
    words.first--;
    ++words.last;
  }
  return words;
}

bool Layout::spansLines(WordIndex first, WordIndex last) const {
  return words_.words[first].line != words_.words[last].line;
}

// ---- settings of rules

void Layout::line(WordIndex before, unsigned extra) {
  words_.words[before].gap.kind = GapKind::kLine;
  words_.words[before].gap.extra = static_cast<uint8_t>(extra);
}

void Layout::lineOrSpace(bool is_line, WordIndex before, unsigned extra) {
  is_line ? line(before, extra) : space(before);
}

void Layout::lineOrNone(bool is_line, WordIndex before, unsigned extra) {
  is_line ? line(before, extra) : none(before);
}

void Layout::indented(bool is_broken, Range part, unsigned extra) {
  lineOrSpace(is_broken, part.first, extra);
  align(part);
}

void Layout::column(const std::vector<Range>& parts, bool is_broken) {
  if (parts.empty()) return;
  space(parts[0].first);
  for (size_t i = 1; i < parts.size(); ++i) lineOrSpace(is_broken, parts[i].first);
  if (is_broken) align({parts.front().first, parts.back().last});
}

void Layout::bracketed(Range words, const std::vector<Range>& elements) {
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

void Layout::attribute(const syntax::Attribute& attribute) {
  const Range words = wordsOf(attribute.span);
  for (WordIndex word = words.first + 1; word <= words.last; ++word) {
    words_.words[word].space_before ? space(word) : none(word);
  }
}

}  // namespace halo::format
