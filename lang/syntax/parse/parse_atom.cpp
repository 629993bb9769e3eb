// Atoms and their suffixes: names, literals, everything in brackets, indexing and projection.
#include "lang/syntax/parse/parse_atom.h"

#include <fmt/format.h>

#include "lang/base/match.h"
#include "lang/syntax/parse/habits.h"
#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

using diag::Code;

ExprId AtomParser::atom() {
  uint32_t start = cursor_.begin();
  return postfix(primary(), start);
}

ExprId AtomParser::postfix(ExprId base, uint32_t start) {
  while (true) {
    if (cursor_.isAdjacent("[")) {
      std::vector<IndexPart> parts = indexList();
      base = build_.add(IndexExpr{base, std::move(parts)}, cursor_.spanFrom(start));
    } else if (cursor_.isPunctuation(".") && cursor_.isPunctuation("(", 1)) {
      base = localOpen(base, start);
    } else if (cursor_.isPunctuation(".")) {
      if (std::holds_alternative<Number>(tree_.exprs[base].node)) {
        cursor_.fail(Code::unexpected_token, cursor_.peek().span,
                     "a number has no fields that could follow `.`", {},
                     "a number with a fraction has digits on both sides of its point: `5.0`");
      }
      cursor_.next();
      Identifier field = parser_.names.fieldName();
      base = build_.add(Project{base, std::move(field)}, cursor_.spanFrom(start));
    } else {
      return base;
    }
  }
}

// `m.(e)`, also `m.(+)` and `m.(a, b)`
ExprId AtomParser::localOpen(ExprId base, uint32_t start) {
  cursor_.next();
  const auto* module = std::get_if<Variable>(&tree_.exprs[base].node);
  if (module == nullptr) {
    cursor_.fail(Code::unexpected_token, cursor_.peek().span,
                 "`.(` opens a module, and only a name stands for one");
    return base;
  }
  QualifiedName name = module->name;
  ExprId value = parenthesised();
  // These parentheses are those of the local open.
  if (const auto* inner = std::get_if<Parenthesised>(&tree_.exprs[value].node)) {
    value = inner->value;
  }
  return build_.add(LocalOpen{std::move(name), value}, cursor_.spanFrom(start));
}

ExprId AtomParser::primary() {
  uint32_t start = cursor_.begin();
  const Token& token = cursor_.peek();
  switch (token.kind) {
    case TokenKind::kIdentifier:
      return name();
    case TokenKind::kNumber:
    case TokenKind::kChar:
      return number();
    case TokenKind::kString: {
      StringLiteral literal{std::string(cursor_.next().text)};
      return build_.add(std::move(literal), cursor_.spanFrom(start));
    }
    case TokenKind::kKeyword:
      if (cursor_.isKeyword("true") || cursor_.isKeyword("false")) {
        bool value = cursor_.next().text == "true";
        return build_.add(BoolLiteral{value}, cursor_.spanFrom(start));
      }
      break;
    case TokenKind::kPunctuation:
      if (cursor_.isPunctuation("(")) return parenthesised();
      if (cursor_.isPunctuation("[")) return arrayLiteral();
      if (cursor_.isPunctuation("{")) return recordLiteral();
      if (parser_.names.startsConstructor()) return parser_.operators.constructor(false);
      if (cursor_.accept("???")) return build_.add(Hole{}, cursor_.spanFrom(start));
      break;
    case TokenKind::kOperator:
    case TokenKind::kTypeVariable:
    case TokenKind::kDocComment:
    case TokenKind::kEnd:
      break;
  }
  const bool is_quoted = cursor_.peek().kind == TokenKind::kTypeVariable;
  const size_t here = cursor_.position();
  const std::string_view before = here > 0 ? cursor_.tokenAt(here - 1).text : "";
  cursor_.unexpected("an expression", {},
                     is_quoted ? "a text stands in double quotes: `\"ab\"`"
                               : helpForExpression(before, cursor_.peek().text));
  return build_.errorExpr();
}

ExprId AtomParser::name() {
  QualifiedName qualified = parser_.names.qualifiedName("a name");
  Span span = qualified.span;
  return build_.add(Variable{std::move(qualified)}, span);
}

ExprId AtomParser::number() {
  uint32_t start = cursor_.begin();
  Number number = cursor_.numberOf(cursor_.next());
  return build_.add(std::move(number), cursor_.spanFrom(start));
}

// ---- parentheses

ExprId AtomParser::parenthesised() {
  uint32_t start = cursor_.begin();
  Span opener = cursor_.next().span;
  if (cursor_.accept(")")) return build_.add(TupleExpr{}, cursor_.spanFrom(start));
  if (cursor_.isPunctuation(".")) return parser_.paths.accessSection(start);
  if (std::optional<ExprId> section = operatorInParentheses(start)) return *section;

  std::vector<ExprId> elements;
  bool is_section = false;
  cursor_.commaSeparated(")", "at the end of the parentheses", opener, [&] {
    elements.push_back(parser_.exprs.expression(elements.empty()));
    is_section |= parser_.operators.takeLeftSection();
  });
  if (elements.empty()) return build_.errorExpr();
  if (is_section) {
    tree_.exprs[elements[0]].span = cursor_.spanFrom(start);
    return elements[0];
  }
  if (elements.size() == 1) {
    parser_.checks.checkLoneElement();
    return build_.add(Parenthesised{elements[0]}, cursor_.spanFrom(start));
  }
  parser_.checks.checkFieldCount(elements.size(), opener);
  return build_.add(TupleExpr{std::move(elements)}, cursor_.spanFrom(start));
}

// `(+)`, `(+ x)`, `` (`f` x) ``. With a plain minus, `(-x)` and `(- x)` are negations; `!` is a
// prefix too.
std::optional<ExprId> AtomParser::operatorInParentheses(uint32_t start) {
  size_t length = 0;
  std::optional<QualifiedName> op = parser_.operators.peekOperator(&length);
  if (!op) return std::nullopt;
  bool alone = cursor_.isPunctuation(")", length);
  bool is_prefix = cursor_.isOperator("-") || cursor_.isOperator("!");
  if (is_prefix && !alone) return std::nullopt;
  Span opener{cursor_.file(), start, start + 1};
  cursor_.skip(length);
  ExprNode node = Variable{*op};
  if (!alone) {
    ExprId rhs = parser_.exprs.unascribed();
    node = OperatorSection{std::move(*op), {}, rhs};
  }
  cursor_.close(")", "at the end of the section", opener);
  return build_.add(std::move(node), cursor_.spanFrom(start));
}

// ---- arrays, records, indexes

ExprId AtomParser::arrayLiteral() {
  uint32_t start = cursor_.begin();
  Span opener = cursor_.next().span;
  ArrayExpr array;
  cursor_.commaSeparated("]", "at the end of the array", opener,
                         [&] { array.elements.push_back(parser_.exprs.expression()); });
  return build_.add(std::move(array), cursor_.spanFrom(start));
}

ExprId AtomParser::recordLiteral() {
  uint32_t start = cursor_.begin();
  Span opener = cursor_.next().span;
  RecordExpr record;
  cursor_.commaSeparated("}", "at the end of the record", opener, [&] {
    Identifier field = parser_.names.fieldName();
    ExprId value;
    if (cursor_.accept("=")) {
      value = parser_.exprs.expression();
    } else {
      parser_.names.requireName(field);
      value = build_.add(Variable{{{}, field.name, field.span}}, field.span);
    }
    record.fields.push_back({std::move(field), value});
  });
  parser_.checks.checkFieldCount(record.fields.size(), opener);
  parser_.checks.checkFields(record.fields);
  return build_.add(std::move(record), cursor_.spanFrom(start));
}

std::vector<IndexPart> AtomParser::indexList() {
  Span opener = cursor_.next().span;
  std::vector<IndexPart> parts;
  if (cursor_.isPunctuation("]")) cursor_.unexpected("an index");
  cursor_.commaSeparated("]", "at the end of the index", opener,
                         [&] { parts.push_back(indexPart()); });
  return parts;
}

// `i`, `i:j`, `i:j:s`, and any of the three left out. `::` is two tokens.
IndexPart AtomParser::indexPart() {
  uint32_t start = cursor_.begin();
  IndexPart part;
  auto isMissing = [&] {
    return cursor_.isPunctuation(":") || cursor_.isPunctuation(",") || cursor_.isPunctuation("]");
  };
  ExprId first = isMissing() ? ExprId() : parser_.exprs.indexOperand();
  part.is_slice = cursor_.accept(":");
  if (part.is_slice) {
    part.start = first;
    if (!isMissing()) part.end = parser_.exprs.indexOperand();
    if (cursor_.accept(":") && !isMissing()) part.stride = parser_.exprs.indexOperand();
  } else if (first.valid()) {
    part.index = first;
  } else {
    cursor_.unexpected("an index");
    part.index = build_.errorExpr();
  }
  part.span = cursor_.spanFrom(start);
  return part;
}

}  // namespace halo::syntax
