// Type expressions: arrows and `?[n].t` are loosest, then `*t`, `[n]t` and sums, then application
// `t [n] i32`.
#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

TypeExprId Parser::type() {
  Depth depth(*this);
  if (isPunctuation("?")) return existentialType();
  uint32_t start = begin();
  TypeFunction function;
  if (isPunctuation("(") && isKind(TokenKind::kIdentifier, 1) && isPunctuation(":", 2)) {
    Span opener = next().span;
    function.parameter_name = identifier("a parameter name");
    next();
    function.parameter = type();
    close(")", "after the type of the parameter", opener);
    if (!isPunctuation("->")) unexpected("`->` after a named parameter");
  } else {
    function.parameter = typeTerm();
  }
  if (!accept("->")) return function.parameter;
  function.result = type();
  return addType(std::move(function), spanFrom(start));
}

// `?[n][m].t`
TypeExprId Parser::existentialType() {
  uint32_t start = begin();
  next();
  if (!isPunctuation("[")) unexpected("`[` and the name of a size after `?`");
  TypeExistential node;
  node.sizes = sizeBinders();
  checkDistinct(node.sizes, "size");
  expect(".", "after the sizes");
  node.type = type();
  return addType(std::move(node), spanFrom(start));
}

// `#foo t u | #bar`
TypeExprId Parser::sumType() {
  uint32_t start = begin();
  TypeSum sum;
  do {
    if (isOperator("|")) next();
    if (!startsConstructor()) {
      unexpected("a constructor such as `#name`");
      break;
    }
    Identifier name = constructorName();
    std::vector<TypeExprId> payload;
    while (startsTypeArgument()) {
      payload.push_back(isPunctuation("[") ? arrayType() : typeAtom());
    }
    sum.constructors.push_back({std::move(name), std::move(payload)});
  } while (isOperator("|"));
  std::vector<Identifier> names;
  for (const auto& [name, payload] : sum.constructors) names.push_back(name);
  checkDistinct(names, "constructor");
  return addType(std::move(sum), spanFrom(start));
}

bool Parser::startsTypeArgument() const {
  return isPunctuation("[") || isPunctuation("(") || isPunctuation("{") ||
         isKind(TokenKind::kIdentifier);
}

TypeExprId Parser::typeTerm() {
  uint32_t start = begin();
  if (isOperator("*")) {
    Depth depth(*this);
    next();
    TypeExprId inner = typeTerm();
    return addType(TypeUnique{inner}, spanFrom(start));
  }
  if (isPunctuation("[")) return arrayType();
  if (isPunctuation("#")) return sumType();
  return typeApplication();
}

TypeExprId Parser::arrayType() {
  Depth depth(*this);
  uint32_t start = begin();
  ExprId size = sizeInBrackets();
  bool has_element = startsTypeArgument() || isOperator("*") || isPunctuation("#");
  if (!has_element)
    unexpected("the type of the elements after `[..]`", {},
               "`[]i32` is an array, `[n]i32` one of `n`");
  TypeExprId element = typeTerm();
  return addType(TypeArray{size, element}, spanFrom(start));
}

// `[n + 1]`, or `[]`, which gives none.
ExprId Parser::sizeInBrackets() {
  Span opener = next().span;
  ExprId size;
  if (!isPunctuation("]")) size = expression();
  close("]", "after the size", opener);
  return size;
}

TypeExprId Parser::typeApplication() {
  uint32_t start = begin();
  TypeExprId head = typeAtom();
  if (panic_ || !startsTypeArgument()) return head;
  if (!std::holds_alternative<TypeName>(tree_.types[head].node)) return head;
  TypeName applied = std::get<TypeName>(tree_.types[head].node);
  while (startsTypeArgument()) {
    if (isPunctuation("[")) {
      applied.arguments.push_back({{}, sizeInBrackets()});
    } else {
      applied.arguments.push_back({typeAtom(), {}});
    }
  }
  tree_.types[head] = {std::move(applied), spanFrom(start)};
  return head;
}

TypeExprId Parser::typeAtom() {
  if (isPunctuation("(")) return parenthesisedType();
  if (isPunctuation("{")) return recordType();
  uint32_t start = begin();
  if (!isKind(TokenKind::kIdentifier)) {
    unexpected("a type");
    return errorType();
  }
  TypeName name{qualifiedName("a type"), {}};
  return addType(std::move(name), spanFrom(start));
}

TypeExprId Parser::parenthesisedType() {
  uint32_t start = begin();
  Span opener = next().span;
  std::vector<TypeExprId> elements;
  commaSeparated(")", "at the end of the type", opener, [&] { elements.push_back(type()); });
  if (elements.size() == 1) {
    checkLoneElement();
    return elements[0];
  }
  checkFieldCount(elements.size(), opener);
  return addType(TypeTuple{std::move(elements)}, spanFrom(start));
}

TypeExprId Parser::recordType() {
  uint32_t start = begin();
  Span opener = next().span;
  TypeRecord record;
  commaSeparated("}", "at the end of the record type", opener, [&] {
    Identifier field = fieldName();
    expect(":", "after the field name");
    TypeExprId field_type = type();
    record.fields.push_back({std::move(field), field_type});
  });
  checkFieldCount(record.fields.size(), opener);
  checkFields(record.fields);
  return addType(std::move(record), spanFrom(start));
}

}  // namespace halo::syntax
