// Patterns: names, `_`, tuples, records, constructors, literals, each with a type if wanted. The
// checker finds patterns that always match, as a parameter's must.
#include "lang/syntax/parse/parse_pattern.h"

#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

PatternId PatternParser::pattern() {
  uint32_t start = cursor_.begin();
  if (cursor_.isPunctuation("#[")) {
    Depth depth(cursor_);
    Attribute attached = parser_.names.attribute();
    PatternId inner = pattern();
    return build_.addPattern(PatternAttributed{std::move(attached), inner},
                             cursor_.spanFrom(start));
  }
  PatternId inner = parser_.names.startsConstructor() ? constructorPattern() : patternAtom();
  if (!cursor_.accept(":")) return inner;
  TypeExprId annotation = parser_.types.type();
  return build_.addPattern(PatternTyped{inner, annotation}, cursor_.spanFrom(start));
}

bool PatternParser::startsPattern() const {
  return cursor_.isKind(TokenKind::kIdentifier) || cursor_.isPunctuation("(") ||
         cursor_.isPunctuation("{") || cursor_.isPunctuation("_") || cursor_.isPunctuation("#[") ||
         parser_.names.startsConstructor() || (startsLiteralPattern() && !cursor_.isOperator("-"));
}

bool PatternParser::startsLiteralPattern() const {
  return cursor_.isKind(TokenKind::kNumber) || cursor_.isKind(TokenKind::kChar) ||
         cursor_.isOperator("-") || cursor_.isKeyword("true") || cursor_.isKeyword("false");
}

PatternId PatternParser::patternAtom() {
  Depth depth(cursor_);
  if (cursor_.isPunctuation("(")) return parenthesisedPattern();
  if (cursor_.isPunctuation("{")) return recordPattern();
  uint32_t start = cursor_.begin();
  if (cursor_.isPunctuation("#[")) {
    Attribute attached = parser_.names.attribute();
    PatternId inner = patternAtom();
    return build_.addPattern(PatternAttributed{std::move(attached), inner},
                             cursor_.spanFrom(start));
  }
  if (cursor_.accept("_")) return build_.addPattern(PatternWildcard{}, cursor_.spanFrom(start));
  if (startsLiteralPattern()) return literalPattern();
  if (parser_.names.startsConstructor()) {
    PatternConstructor node{parser_.names.constructorName(), {}};  // before its span ends
    return build_.addPattern(std::move(node), cursor_.spanFrom(start));
  }
  if (!cursor_.isKind(TokenKind::kIdentifier)) {
    cursor_.unexpected("a pattern");
    return build_.errorPattern();
  }
  Identifier name = cursor_.identifier("a pattern");
  Span span = name.span;
  return build_.addPattern(PatternName{std::move(name)}, span);
}

// `#foo p q`; as an argument itself it has none.
PatternId PatternParser::constructorPattern() {
  uint32_t start = cursor_.begin();
  PatternConstructor node{parser_.names.constructorName(), {}};
  while (startsPattern() || cursor_.isOperator("-")) node.payload.push_back(patternAtom());
  return build_.addPattern(std::move(node), cursor_.spanFrom(start));
}

PatternId PatternParser::literalPattern() {
  uint32_t start = cursor_.begin();
  ExprId value;
  if (cursor_.isOperator("-")) {
    cursor_.next();
    if (!cursor_.isKind(TokenKind::kNumber)) {
      cursor_.unexpected("a number after `-` in a pattern");
      return build_.errorPattern();
    }
    value = parser_.atoms.number();
    value = build_.add(Unary{"-", value}, cursor_.spanFrom(start));
  } else if (cursor_.isKind(TokenKind::kKeyword)) {
    bool is_true = cursor_.next().text == "true";
    value = build_.add(BoolLiteral{is_true}, cursor_.spanFrom(start));
  } else {
    value = parser_.atoms.number();
  }
  return build_.addPattern(PatternLiteral{value}, cursor_.spanFrom(start));
}

PatternId PatternParser::parenthesisedPattern() {
  uint32_t start = cursor_.begin();
  if (parser_.names.startsOperatorName()) {
    Identifier name = parser_.names.definedName("an operator");
    return build_.addPattern(PatternName{std::move(name)}, cursor_.spanFrom(start));
  }
  Span opener = cursor_.next().span;
  std::vector<PatternId> elements;
  // A panic goes on: what follows may be no pattern, where the `=` before an expression is missing.
  const bool is_closed = cursor_.commaSeparated(")", "at the end of the pattern", opener,
                                                [&] { elements.push_back(pattern()); });
  if (!is_closed) cursor_.panic();
  if (elements.size() == 1) {
    parser_.checks.checkLoneElement();
    return elements[0];
  }
  parser_.checks.checkFieldCount(elements.size(), opener);
  return build_.addPattern(PatternTuple{std::move(elements)}, cursor_.spanFrom(start));
}

PatternId PatternParser::recordPattern() {
  uint32_t start = cursor_.begin();
  Span opener = cursor_.next().span;
  PatternRecord record;
  const bool is_closed = cursor_.commaSeparated("}", "at the end of the pattern", opener, [&] {
    Identifier field = parser_.names.fieldName();
    PatternId value;
    if (cursor_.accept("=")) {
      value = pattern();
    } else {
      parser_.names.requireName(field);
      value = build_.addPattern(PatternName{field}, field.span);
      if (cursor_.accept(":")) {
        TypeExprId annotation = parser_.types.type();
        value =
            build_.addPattern(PatternTyped{value, annotation}, cursor_.spanFrom(field.span.begin));
      }
    }
    record.fields.push_back({std::move(field), value});
  });
  if (!is_closed) cursor_.panic();
  parser_.checks.checkFieldCount(record.fields.size(), opener);
  parser_.checks.checkFields(record.fields);
  return build_.addPattern(std::move(record), cursor_.spanFrom(start));
}

}  // namespace halo::syntax
