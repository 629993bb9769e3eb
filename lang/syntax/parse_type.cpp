// Type expressions: arrows are loosest, then `*t` and `[n]t`, then application `t [n] i32`.
#include "lang/syntax/parser_state.h"

namespace halo::syntax {

TypeExprId Parser::type() {
  Depth depth(*this);
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

TypeExprId Parser::typeTerm() {
  uint32_t start = begin();
  if (isOperator("*")) {
    Depth depth(*this);
    next();
    TypeExprId inner = typeTerm();
    return addType(TypeUnique{inner}, spanFrom(start));
  }
  if (isPunctuation("[")) return arrayType();
  if (isPunctuation("#")) notInThisSlice("sum types are");
  if (isPunctuation("?")) notInThisSlice("explicit existential sizes are");
  return typeApplication();
}

TypeExprId Parser::arrayType() {
  Depth depth(*this);
  uint32_t start = begin();
  ExprId size = sizeInBrackets();
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
  auto startsArgument = [&] {
    return isPunctuation("[") || isPunctuation("(") || isPunctuation("{") ||
           isKind(TokenKind::kIdentifier);
  };
  if (panic_ || !startsArgument()) return head;
  if (!std::holds_alternative<TypeName>(tree_.types[head].node)) return head;
  TypeName applied = std::get<TypeName>(tree_.types[head].node);
  while (startsArgument()) {
    if (isPunctuation("[")) {
      applied.size_arguments.push_back(sizeInBrackets());
    } else {
      applied.arguments.push_back(typeAtom());
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
  TypeName name{qualifiedName("a type"), {}, {}};
  return addType(std::move(name), spanFrom(start));
}

TypeExprId Parser::parenthesisedType() {
  uint32_t start = begin();
  Span opener = next().span;
  std::vector<TypeExprId> elements;
  commaSeparated(")", "at the end of the type", opener, [&] { elements.push_back(type()); });
  if (elements.size() == 1) return elements[0];
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
