// Types and patterns.
#include "lang/base/match.h"
#include "lang/format/rules.h"

namespace halo::format {

using namespace syntax;

// ---- patterns

void PatternLayout::pattern(PatternId id) {
  const Range words = wordsOf(tree_.patterns[id].span);
  base::match(
      tree_.patterns[id].node, [](const PatternName&) {}, [](const PatternWildcard&) {},
      [&](const PatternTuple& p) {
        std::vector<Range> elements;
        for (PatternId element : p.elements) elements.push_back(add(element));
        bracketed(words, elements);
      },
      [&](const PatternRecord& p) { fields(words, p); },
      [&](const PatternTyped& p) {
        none(add(p.pattern).last + 1);
        space(add(p.type).first);
      },
      [&](const PatternConstructor& p) {
        std::vector<Range> payload;
        for (PatternId part : p.payload) payload.push_back(add(part));
        column(payload, spansLines(words));
      },
      [&](const PatternLiteral& p) { add(p.value); },
      [&](const PatternAttributed& p) {
        attribute(p.attribute);
        space(add(p.pattern).first);
      });
}

void PatternLayout::fields(Range words, const PatternRecord& record) {
  std::vector<Range> parts;
  for (const auto& [name, value] : record.fields) {
    const WordIndex first = words_.begins[name.span.begin];
    const Range own = add(value);
    parts.push_back({first, own.last});
    if (own.first > first) indented(spansLines(parts.back()), own);
  }
  bracketed(words, parts);
}

// ---- types

void TypeLayout::type(TypeExprId id) {
  const Range words = wordsOf(tree_.types[id].span);
  base::match(
      tree_.types[id].node, [&](const TypeName& t) { typeName(t, words); },
      [&](const TypeArray& t) {
        if (t.size.valid()) add(t.size);
        none(add(t.element).first);
      },
      [&](const TypeTuple& t) {
        std::vector<Range> elements;
        for (TypeExprId element : t.elements) elements.push_back(add(element));
        bracketed(words, elements);
        for (Range element : elements) align(element);
      },
      [&](const TypeRecord& t) { fields(words, t); },
      [&](const TypeFunction& t) { functionType(t, spansLines(words)); },
      [&](const TypeUnique& t) { none(add(t.type).first); },
      [&](const TypeSum& t) { sum(t, words); }, [&](const TypeExistential& t) { existential(t); });
}

void TypeLayout::fields(Range words, const TypeRecord& record) {
  std::vector<Range> parts;
  for (const auto& [name, value] : record.fields) {
    const Range own = add(value);
    parts.push_back({words_.begins[name.span.begin], own.last});
    space(own.first);
    align(own);
  }
  bracketed(words, parts);
}

// `t [n] i32`: its arguments are the words outside of brackets.
void TypeLayout::typeName(const TypeName& name, Range words) {
  for (const TypeArgument& argument : name.arguments) {
    if (argument.type.valid()) add(argument.type);
    if (argument.size.valid()) add(argument.size);
  }
  if (name.arguments.empty()) return;
  int open = 0;
  for (WordIndex word = wordsOf(name.name.span).last + 1; word <= words.last; ++word) {
    const std::string_view text = words_.words[word].text;
    const bool opens = text == "(" || text == "[" || text == "{";
    if (open == 0) space(word);
    if (opens) ++open;
    if (text == ")" || text == "]" || text == "}") open--;
    if (open == 0 && text == ".") none(word);
  }
}

void TypeLayout::functionType(const TypeFunction& function, bool is_broken) {
  add(function.parameter);
  const Range result = add(function.result);
  lineOrSpace(is_broken, result.first - 1);
  words_.words[result.first - 1].leads = is_broken;
  space(result.first);
  const bool goes_on = std::holds_alternative<TypeFunction>(tree_.types[function.result].node);
  if (!goes_on || is(result.first, "(")) align(result);
}

// Constructors below each other, each behind its bar; the first is moved to where they are.
void TypeLayout::sum(const TypeSum& sum, Range words) {
  const bool is_broken = spansLines(words) && sum.constructors.size() > 1;
  for (const auto& [name, payload] : sum.constructors) {
    const WordIndex first = wordsOf(name.span).first;
    if (first > words.first) {
      space(first);
      if (first - 1 > words.first) lineOrSpace(is_broken, first - 1);
      words_.words[first - 1].leads = is_broken && first - 1 > words.first;
    }
    for (TypeExprId part : payload) space(add(part).first);
  }
  if (is_broken && !is(words.first, "|")) words_.words[words.first].pad = 2;
}

void TypeLayout::existential(const TypeExistential& type) {
  for (const Identifier& size : type.sizes) none(words_.begins[size.span.begin] - 1);
  none(add(type.type).first);
}

}  // namespace halo::format
