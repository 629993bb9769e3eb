// Type expressions: arrows and `?[n].t` are loosest, then `*t`, `[n]t` and sums, then application
// `t [n] i32`.
#include "lang/syntax/parse/parse_type.h"

#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

TypeExprId TypeParser::type() {
  Depth depth(cursor_);
  if (cursor_.isPunctuation("?")) return existentialType();
  uint32_t start = cursor_.begin();
  TypeFunction function;
  if (cursor_.isPunctuation("(") && cursor_.isKind(TokenKind::kIdentifier, 1) &&
      cursor_.isPunctuation(":", 2)) {
    Span opener = cursor_.next().span;
    function.parameter_name = cursor_.identifier("a parameter name");
    cursor_.next();
    function.parameter = type();
    cursor_.close(")", "after the type of the parameter", opener);
    if (!cursor_.isPunctuation("->")) cursor_.unexpected("`->` after a named parameter");
  } else {
    function.parameter = typeTerm();
  }
  if (!cursor_.accept("->")) return function.parameter;
  function.result = type();
  return build_.addType(std::move(function), cursor_.spanFrom(start));
}

// `?[n][m].t`
TypeExprId TypeParser::existentialType() {
  uint32_t start = cursor_.begin();
  cursor_.next();
  if (!cursor_.isPunctuation("[")) cursor_.unexpected("`[` and the name of a size after `?`");
  TypeExistential node;
  node.sizes = parser_.names.sizeBinders();
  parser_.checks.checkDistinct(node.sizes, "size");
  cursor_.expect(".", "after the sizes");
  node.type = type();
  return build_.addType(std::move(node), cursor_.spanFrom(start));
}

// `#foo t u | #bar`
TypeExprId TypeParser::sumType() {
  uint32_t start = cursor_.begin();
  TypeSum sum;
  do {
    if (cursor_.isOperator("|")) cursor_.next();
    if (!parser_.names.startsConstructor()) {
      cursor_.unexpected("a constructor such as `#name`");
      break;
    }
    Identifier name = parser_.names.constructorName();
    std::vector<TypeExprId> payload;
    while (startsTypeArgument()) {
      payload.push_back(cursor_.isPunctuation("[") ? arrayType() : typeAtom());
    }
    sum.constructors.push_back({std::move(name), std::move(payload)});
  } while (cursor_.isOperator("|"));
  std::vector<Identifier> names;
  for (const auto& [name, payload] : sum.constructors) names.push_back(name);
  parser_.checks.checkDistinct(names, "constructor");
  return build_.addType(std::move(sum), cursor_.spanFrom(start));
}

bool TypeParser::startsTypeArgument() const {
  return cursor_.isPunctuation("[") || cursor_.isPunctuation("(") || cursor_.isPunctuation("{") ||
         cursor_.isKind(TokenKind::kIdentifier);
}

TypeExprId TypeParser::typeTerm() {
  uint32_t start = cursor_.begin();
  if (cursor_.isOperator("*")) {
    Depth depth(cursor_);
    cursor_.next();
    TypeExprId inner = typeTerm();
    return build_.addType(TypeUnique{inner}, cursor_.spanFrom(start));
  }
  if (cursor_.isPunctuation("[")) return arrayType();
  if (cursor_.isPunctuation("#")) return sumType();
  return typeApplication();
}

TypeExprId TypeParser::arrayType() {
  Depth depth(cursor_);
  uint32_t start = cursor_.begin();
  ExprId size = sizeInBrackets();
  bool has_element = startsTypeArgument() || cursor_.isOperator("*") || cursor_.isPunctuation("#");
  if (!has_element)
    cursor_.unexpected("the type of the elements after `[..]`", {},
                       "`[]i32` is an array, `[n]i32` one of `n`");
  TypeExprId element = typeTerm();
  return build_.addType(TypeArray{size, element}, cursor_.spanFrom(start));
}

// `[n + 1]`, or `[]`, which gives none.
ExprId TypeParser::sizeInBrackets() {
  Span opener = cursor_.next().span;
  ExprId size;
  if (!cursor_.isPunctuation("]")) size = parser_.exprs.expression();
  cursor_.close("]", "after the size", opener);
  return size;
}

TypeExprId TypeParser::typeApplication() {
  uint32_t start = cursor_.begin();
  TypeExprId head = typeAtom();
  if (cursor_.inPanic() || !startsTypeArgument()) return head;
  if (!std::holds_alternative<TypeName>(tree_.types[head].node)) return head;
  TypeName applied = std::get<TypeName>(tree_.types[head].node);
  while (startsTypeArgument()) {
    if (cursor_.isPunctuation("[")) {
      applied.arguments.push_back({{}, sizeInBrackets()});
    } else {
      applied.arguments.push_back({typeAtom(), {}});
    }
  }
  tree_.types[head] = {std::move(applied), cursor_.spanFrom(start)};
  return head;
}

TypeExprId TypeParser::typeAtom() {
  if (cursor_.isPunctuation("(")) return parenthesisedType();
  if (cursor_.isPunctuation("{")) return recordType();
  uint32_t start = cursor_.begin();
  if (!cursor_.isKind(TokenKind::kIdentifier)) {
    const bool is_assignment = cursor_.isPunctuation("=");
    cursor_.unexpected("a type", {}, is_assignment ? "`let x = e in ..` names a value" : "");
    return build_.errorType();
  }
  TypeName name{parser_.names.qualifiedName("a type"), {}};
  return build_.addType(std::move(name), cursor_.spanFrom(start));
}

TypeExprId TypeParser::parenthesisedType() {
  uint32_t start = cursor_.begin();
  Span opener = cursor_.next().span;
  std::vector<TypeExprId> elements;
  cursor_.commaSeparated(")", "at the end of the type", opener,
                         [&] { elements.push_back(type()); });
  if (elements.size() == 1) {
    parser_.checks.checkLoneElement();
    return elements[0];
  }
  parser_.checks.checkFieldCount(elements.size(), opener);
  return build_.addType(TypeTuple{std::move(elements)}, cursor_.spanFrom(start));
}

TypeExprId TypeParser::recordType() {
  uint32_t start = cursor_.begin();
  Span opener = cursor_.next().span;
  TypeRecord record;
  cursor_.commaSeparated("}", "at the end of the record type", opener, [&] {
    Identifier field = parser_.names.fieldName();
    cursor_.expect(":", "after the field name");
    TypeExprId field_type = type();
    record.fields.push_back({std::move(field), field_type});
  });
  parser_.checks.checkFieldCount(record.fields.size(), opener);
  parser_.checks.checkFields(record.fields);
  return build_.addType(std::move(record), cursor_.spanFrom(start));
}

}  // namespace halo::syntax
