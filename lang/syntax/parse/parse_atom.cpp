// Atoms and their suffixes: names, literals, everything in brackets, indexing
// and projection.
#include <fmt/format.h>

#include "lang/base/match.h"
#include "lang/syntax/parse/parser_state.h"

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
    } else if (isPunctuation(".") && isPunctuation("(", 1)) {
      base = localOpen(base, start);
    } else if (isPunctuation(".")) {
      if (std::holds_alternative<Number>(tree_.exprs[base].node)) {
        fail(Code::unexpected_token, peek().span, "a number has no fields that could follow `.`");
      }
      next();
      Identifier field = fieldName();
      base = add(Project{base, std::move(field)}, spanFrom(start));
    } else {
      return base;
    }
  }
}

// `m.(e)`, also `m.(+)` and `m.(a, b)`
ExprId Parser::localOpen(ExprId base, uint32_t start) {
  next();
  const auto* module = std::get_if<Variable>(&tree_.exprs[base].node);
  if (module == nullptr) {
    fail(Code::unexpected_token, peek().span,
         "`.(` opens a module, and only a name stands for one");
    return base;
  }
  QualifiedName name = module->name;
  ExprId value = parenthesised();
  // These parentheses are those of the local open.
  if (const auto* inner = std::get_if<Parenthesised>(&tree_.exprs[value].node)) {
    value = inner->value;
  }
  return add(LocalOpen{std::move(name), value}, spanFrom(start));
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
      StringLiteral literal{std::string(next().text)};
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
      if (startsConstructor()) return constructor(false);
      if (accept("???")) return add(Hole{}, spanFrom(start));
      break;
    case TokenKind::kOperator:
    case TokenKind::kTypeVariable:
    case TokenKind::kDocComment:
    case TokenKind::kEnd:
      break;
  }
  std::string help;
  if (isKeyword("for")) help = "a loop has a value: `loop sum = 0 for i < 10 do sum + i`";
  if (isKeyword("while")) help = "a loop has a value: `loop x = 1 while x < 100 do 2 * x`";
  if (isKeyword("case"))
    help = "a value is in front of its cases: `match x case 0 -> 1 case _ -> x`";
  unexpected("an expression", {}, std::move(help));
  return errorExpr();
}

ExprId Parser::name() {
  QualifiedName qualified = qualifiedName("a name");
  Span span = qualified.span;
  return add(Variable{std::move(qualified)}, span);
}

ExprId Parser::number() {
  uint32_t start = begin();
  Number number = numbers_[next().number];
  return add(std::move(number), spanFrom(start));
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
  if (elements.size() == 1) {
    checkLoneElement();
    return add(Parenthesised{elements[0]}, spanFrom(start));
  }
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
  skip(length);
  ExprNode node = Variable{*op};
  if (!alone) {
    ExprId rhs = unascribed();
    node = OperatorSection{std::move(*op), {}, rhs};
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
    ExprId value;
    if (accept("=")) {
      value = expression();
    } else {
      requireName(field);
      value = add(Variable{{{}, field.name, field.span}}, field.span);
    }
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
  ExprId first = isMissing() ? ExprId() : indexOperand();
  part.is_slice = accept(":");
  if (part.is_slice) {
    part.start = first;
    if (!isMissing()) part.end = indexOperand();
    if (accept(":") && !isMissing()) part.stride = indexOperand();
  } else if (first.valid()) {
    part.index = first;
  } else {
    unexpected("an index");
    part.index = errorExpr();
  }
  part.span = spanFrom(start);
  return part;
}

// A name or the number of a tuple's component.
Identifier Parser::fieldName() {
  if (isKind(TokenKind::kNumber)) {
    const Number& number = numbers_[peek().number];
    if (!number.is_decimal && !number.suffix) {
      const Token& token = next();
      return nameOf(token);
    }
  }
  return identifier("a field name");
}

// `{a}` means `{a = a}`; a number names no variable.
void Parser::requireName(const Identifier& field) {
  if (!field.name.empty() && field.name[0] >= '0' && field.name[0] <= '9') {
    unexpected("`=` after the number of a field");
  }
}

}  // namespace halo::syntax
