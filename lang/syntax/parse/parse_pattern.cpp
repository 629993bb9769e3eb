// Patterns: names, `_`, tuples, records, constructors, literals, each with a type if wanted. The
// checker finds patterns that always match, as a parameter's must.
#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

PatternId Parser::pattern() {
  uint32_t start = begin();
  if (isPunctuation("#[")) {
    Depth depth(*this);
    Attribute attached = attribute();
    PatternId inner = pattern();
    return addPattern(PatternAttributed{std::move(attached), inner}, spanFrom(start));
  }
  PatternId inner = startsConstructor() ? constructorPattern() : patternAtom();
  if (!accept(":")) return inner;
  TypeExprId annotation = type();
  return addPattern(PatternTyped{inner, annotation}, spanFrom(start));
}

bool Parser::startsPattern() const {
  return isKind(TokenKind::kIdentifier) || isPunctuation("(") || isPunctuation("{") ||
         isPunctuation("_") || isPunctuation("#[") || startsConstructor() ||
         (startsLiteralPattern() && !isOperator("-"));
}

bool Parser::startsLiteralPattern() const {
  return isKind(TokenKind::kNumber) || isKind(TokenKind::kChar) || isOperator("-") ||
         isKeyword("true") || isKeyword("false");
}

PatternId Parser::patternAtom() {
  Depth depth(*this);
  if (isPunctuation("(")) return parenthesisedPattern();
  if (isPunctuation("{")) return recordPattern();
  uint32_t start = begin();
  if (isPunctuation("#[")) {
    Attribute attached = attribute();
    PatternId inner = patternAtom();
    return addPattern(PatternAttributed{std::move(attached), inner}, spanFrom(start));
  }
  if (accept("_")) return addPattern(PatternWildcard{}, spanFrom(start));
  if (startsLiteralPattern()) return literalPattern();
  if (startsConstructor()) {
    PatternConstructor node{constructorName(), {}};  // before its span ends
    return addPattern(std::move(node), spanFrom(start));
  }
  if (!isKind(TokenKind::kIdentifier)) {
    unexpected("a pattern");
    return errorPattern();
  }
  Identifier name = identifier("a pattern");
  Span span = name.span;
  return addPattern(PatternName{std::move(name)}, span);
}

// `#foo p q`; as an argument itself it has none.
PatternId Parser::constructorPattern() {
  uint32_t start = begin();
  PatternConstructor node{constructorName(), {}};
  while (startsPattern() || isOperator("-")) node.payload.push_back(patternAtom());
  return addPattern(std::move(node), spanFrom(start));
}

PatternId Parser::literalPattern() {
  uint32_t start = begin();
  ExprId value;
  if (isOperator("-")) {
    next();
    if (!isKind(TokenKind::kNumber)) {
      unexpected("a number after `-` in a pattern");
      return errorPattern();
    }
    value = number();
    value = add(Unary{"-", value}, spanFrom(start));
  } else if (isKind(TokenKind::kKeyword)) {
    bool is_true = next().text == "true";
    value = add(BoolLiteral{is_true}, spanFrom(start));
  } else {
    value = number();
  }
  return addPattern(PatternLiteral{value}, spanFrom(start));
}

PatternId Parser::parenthesisedPattern() {
  uint32_t start = begin();
  if (startsOperatorName()) {
    Identifier name = definedName("an operator");
    return addPattern(PatternName{std::move(name)}, spanFrom(start));
  }
  Span opener = next().span;
  std::vector<PatternId> elements;
  // A panic goes on: what follows may be no pattern, where the `=` before an expression is missing.
  panic_ |= !commaSeparated(")", "at the end of the pattern", opener,
                            [&] { elements.push_back(pattern()); });
  if (elements.size() == 1) {
    checkLoneElement();
    return elements[0];
  }
  checkFieldCount(elements.size(), opener);
  return addPattern(PatternTuple{std::move(elements)}, spanFrom(start));
}

PatternId Parser::recordPattern() {
  uint32_t start = begin();
  Span opener = next().span;
  PatternRecord record;
  panic_ |= !commaSeparated("}", "at the end of the pattern", opener, [&] {
    Identifier field = fieldName();
    PatternId value;
    if (accept("=")) {
      value = pattern();
    } else {
      requireName(field);
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
