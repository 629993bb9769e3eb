// Patterns that always match: names, `_`, tuples, records, each with a type if wanted.
#include "lang/syntax/parser_state.h"

namespace halo::syntax {

PatternId Parser::pattern() {
  uint32_t start = begin();
  PatternId inner = patternAtom();
  if (!accept(":")) return inner;
  TypeExprId annotation = type();
  return addPattern(PatternTyped{inner, annotation}, spanFrom(start));
}

bool Parser::startsPattern() const {
  return isKind(TokenKind::kIdentifier) || isPunctuation("(") || isPunctuation("{") ||
         isPunctuation("_") || isPunctuation("#[") || isKind(TokenKind::kNumber) ||
         isKind(TokenKind::kChar) || isPunctuation("#");
}

PatternId Parser::patternAtom() {
  Depth depth(*this);
  while (isPunctuation("#[")) attribute();  // none has a meaning on a pattern
  if (isPunctuation("(")) return parenthesisedPattern();
  if (isPunctuation("{")) return recordPattern();
  uint32_t start = begin();
  if (accept("_")) return addPattern(PatternWildcard{}, spanFrom(start));
  if (isKind(TokenKind::kNumber) || isKind(TokenKind::kChar) || isOperator("-") ||
      isKeyword("true") || isKeyword("false") || isPunctuation("#")) {
    notInThisSlice("a pattern that may fail to match is");
  }
  if (!isKind(TokenKind::kIdentifier)) {
    unexpected("a pattern");
    return errorPattern();
  }
  Identifier name = identifier("a pattern");
  Span span = name.span;
  return addPattern(PatternName{std::move(name)}, span);
}

PatternId Parser::parenthesisedPattern() {
  uint32_t start = begin();
  if (isKind(TokenKind::kOperator, 1) && isPunctuation(")", 2)) {
    Identifier name = definedName("an operator");
    return addPattern(PatternName{std::move(name)}, spanFrom(start));
  }
  Span opener = next().span;
  std::vector<PatternId> elements;
  commaSeparated(")", "at the end of the pattern", opener, [&] { elements.push_back(pattern()); });
  if (elements.size() == 1) return elements[0];
  checkFieldCount(elements.size(), opener);
  return addPattern(PatternTuple{std::move(elements)}, spanFrom(start));
}

PatternId Parser::recordPattern() {
  uint32_t start = begin();
  Span opener = next().span;
  PatternRecord record;
  commaSeparated("}", "at the end of the pattern", opener, [&] {
    Identifier field = fieldName();
    PatternId value;
    if (accept("=")) {
      value = pattern();
    } else {
      value = addPattern(PatternName{field}, field.span);
      if (accept(":")) {
        TypeExprId annotation = type();
        value = addPattern(PatternTyped{value, annotation}, spanFrom(field.span.begin));
      }
    }
    record.fields.push_back({std::move(field), value});
  });
  checkFieldCount(record.fields.size(), opener);
  checkFields(record.fields);
  return addPattern(std::move(record), spanFrom(start));
}

}  // namespace halo::syntax
