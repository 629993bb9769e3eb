// Atoms and what is written right behind them: names, literals, everything in brackets, indexing
// and projection.
#include <fmt/format.h>

#include "lang/base/match.h"
#include "lang/syntax/parser_state.h"

namespace halo::syntax {

using diag::Code;

ExprId Parser::atom() {
  uint32_t start = begin();
  return postfix(primary(), start);
}

ExprId Parser::postfix(ExprId base, uint32_t start) {
  while (true) {
    if (isAdjacent("[")) {
      std::vector<IndexPart> parts = indexList();
      base = add(IndexExpr{base, std::move(parts)}, spanFrom(start));
    } else if (isAdjacent(".") && isPunctuation("(", 1)) {
      notInThisSlice("local opens `m.(e)` are");
    } else if (isAdjacent(".")) {
      next();
      if (peek().space_before) unexpected("a field name right behind the dot");
      Identifier field = fieldName();
      base = add(Project{base, std::move(field)}, spanFrom(start));
    } else {
      return base;
    }
  }
}

ExprId Parser::primary() {
  uint32_t start = begin();
  const Token& token = peek();
  switch (token.kind) {
    case TokenKind::kIdentifier:
      return name();
    case TokenKind::kNumber:
    case TokenKind::kChar:
      return number();
    case TokenKind::kString: {
      StringLiteral literal{next().text};
      return add(std::move(literal), spanFrom(start));
    }
    case TokenKind::kKeyword:
      if (isKeyword("true") || isKeyword("false")) {
        bool value = next().text == "true";
        return add(BoolLiteral{value}, spanFrom(start));
      }
      break;
    case TokenKind::kPunctuation:
      if (isPunctuation("(")) return parenthesised();
      if (isPunctuation("[")) return arrayLiteral();
      if (isPunctuation("{")) return recordLiteral();
      if (isPunctuation("???")) notInThisSlice("typed holes are");
      if (isPunctuation("#")) notInThisSlice("constructors of sum types are");
      break;
    case TokenKind::kOperator:
    case TokenKind::kTypeVariable:
    case TokenKind::kDocComment:
    case TokenKind::kEnd:
      break;
  }
  if (isKeyword("match")) notInThisSlice("`match` is");
  unexpected("an expression");
  return errorExpr();
}

ExprId Parser::name() {
  QualifiedName qualified = qualifiedName("a name");
  Span span = qualified.span;
  return add(Variable{std::move(qualified)}, span);
}

ExprId Parser::number() {
  bool negated = negated_ == position_;
  uint32_t start = begin();
  Number number = next().number;
  Span span = spanFrom(start);
  // -128i8 is in range, 128i8 is not; the lexer let both pass.
  if (number.suffix && prim::isInteger(*number.suffix) && prim::isSigned(*number.suffix)) {
    uint64_t limit = uint64_t{1} << (prim::bitWidth(*number.suffix) - 1);
    bool applied_to = isAdjacent("[") || isAdjacent(".");
    if (number.integer == limit && (!negated || applied_to)) {
      sink_.error(Code::number_out_of_range, span,
                  fmt::format("`{}` is out of range, the largest `{}` is {}", files_.text(span),
                              prim::name(*number.suffix), limit - 1));
    }
  }
  return add(std::move(number), span);
}

// ---- parentheses

ExprId Parser::parenthesised() {
  uint32_t start = begin();
  Span opener = next().span;
  if (accept(")")) return add(TupleExpr{}, spanFrom(start));
  if (isPunctuation(".")) return accessSection(start);
  if (std::optional<ExprId> section = operatorInParentheses(start)) return *section;

  std::vector<ExprId> elements;
  bool is_section = false;
  commaSeparated(")", "at the end of the parentheses", opener, [&] {
    elements.push_back(expression(elements.empty()));
    is_section |= std::exchange(left_section_, false);
  });
  if (elements.empty()) return errorExpr();
  if (is_section) {
    tree_.exprs[elements[0]].span = spanFrom(start);
    return elements[0];
  }
  if (elements.size() == 1) return add(Parenthesised{elements[0]}, spanFrom(start));
  checkFieldCount(elements.size(), opener);
  return add(TupleExpr{std::move(elements)}, spanFrom(start));
}

// `(+)`, `(+ x)`, `` (`f` x) ``. With a plain minus, `(-x)` and `(- x)` are negations; `!` is a
// prefix too.
std::optional<ExprId> Parser::operatorInParentheses(uint32_t start) {
  size_t length = 0;
  std::optional<QualifiedName> op = peekOperator(&length);
  if (!op) return std::nullopt;
  bool alone = isPunctuation(")", length);
  bool is_prefix = isOperator("-") || isOperator("!");
  if (is_prefix && !alone) return std::nullopt;
  Span opener{file_, start, start + 1};
  takeOperator(length);
  ExprNode node = Variable{*op};
  if (!alone) {
    ExprId rhs = unascribed();
    node = OperatorSection{std::move(*op), {}, rhs};
  }
  close(")", "at the end of the section", opener);
  return add(std::move(node), spanFrom(start));
}

// `(.f.g)` or `(.[i])`
ExprId Parser::accessSection(uint32_t start) {
  Span opener{file_, start, start + 1};
  ExprNode node;
  if (isPunctuation("[", 1)) {
    next();
    node = IndexSection{indexList()};
  } else {
    ProjectSection section;
    while (accept(".")) section.path.push_back(fieldName());
    node = std::move(section);
  }
  if (isPunctuation("[") || isPunctuation(".")) {
    notInThisSlice("sections that mix fields and indexes are");
  }
  close(")", "at the end of the section", opener);
  return add(std::move(node), spanFrom(start));
}

// ---- arrays, records, indexes

ExprId Parser::arrayLiteral() {
  uint32_t start = begin();
  Span opener = next().span;
  ArrayExpr array;
  commaSeparated("]", "at the end of the array", opener,
                 [&] { array.elements.push_back(expression()); });
  return add(std::move(array), spanFrom(start));
}

ExprId Parser::recordLiteral() {
  uint32_t start = begin();
  Span opener = next().span;
  RecordExpr record;
  commaSeparated("}", "at the end of the record", opener, [&] {
    Identifier field = fieldName();
    ExprId value =
        accept("=") ? expression() : add(Variable{{{}, field.name, field.span}}, field.span);
    record.fields.push_back({std::move(field), value});
  });
  checkFieldCount(record.fields.size(), opener);
  checkFields(record.fields);
  return add(std::move(record), spanFrom(start));
}

std::vector<IndexPart> Parser::indexList() {
  Span opener = next().span;
  std::vector<IndexPart> parts;
  if (isPunctuation("]")) unexpected("an index");
  commaSeparated("]", "at the end of the index", opener, [&] { parts.push_back(indexPart()); });
  return parts;
}

// `i`, `i:j`, `i:j:s`, and any of the three left out. `::` is two tokens.
IndexPart Parser::indexPart() {
  uint32_t start = begin();
  IndexPart part;
  auto isMissing = [&] { return isPunctuation(":") || isPunctuation(",") || isPunctuation("]"); };
  ExprId first = isMissing() ? ExprId() : unascribed();
  part.is_slice = accept(":");
  if (part.is_slice) {
    part.start = first;
    if (!isMissing()) part.end = unascribed();
    if (accept(":") && !isMissing()) part.stride = unascribed();
  } else if (first.valid()) {
    part.index = first;
  } else {
    unexpected("an index");
    part.index = errorExpr();
  }
  part.span = spanFrom(start);
  return part;
}

bool Parser::startsField() const {
  return isKind(TokenKind::kIdentifier) || isKind(TokenKind::kNumber);
}

// One field, or two in the case of `r with 0.1 = e`, where they look like a decimal number.
void Parser::addFields(std::vector<Identifier>& path) {
  const Token& token = peek();
  size_t dot = token.text.find('.');
  bool is_pair = isKind(TokenKind::kNumber) && dot != std::string::npos &&
                 token.text.find_first_not_of("0123456789.") == std::string::npos;
  if (!is_pair) {
    path.push_back(fieldName());
    return;
  }
  next();
  auto middle = static_cast<uint32_t>(token.span.begin + dot);
  path.push_back({token.text.substr(0, dot), {file_, token.span.begin, middle}});
  path.push_back({token.text.substr(dot + 1), {file_, middle + 1, token.span.end}});
}

// A name or the number of a tuple's component.
Identifier Parser::fieldName() {
  if (isKind(TokenKind::kNumber) && !peek().number.is_decimal && !peek().number.suffix) {
    const Token& token = next();
    return {token.text, token.span};
  }
  return identifier("a field name");
}

}  // namespace halo::syntax
