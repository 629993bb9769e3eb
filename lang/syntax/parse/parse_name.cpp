// Names and the forms around them that several rules share: qualified names, fields, constructors,
// operators in parentheses, type parameters, attributes.
#include "lang/syntax/parse/parse_name.h"

#include <fmt/format.h>

#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

using diag::Code;

QualifiedName NameParser::qualifiedName(std::string_view what) {
  uint32_t start = cursor_.begin();
  QualifiedName result;
  result.name = cursor_.identifier(what).name;
  while (cursor_.isPunctuation(".") && cursor_.isKind(TokenKind::kIdentifier, 1)) {
    cursor_.next();
    result.qualifiers.push_back(std::move(result.name));
    result.name = cursor_.next().text;
  }
  result.span = cursor_.spanFrom(start);
  return result;
}

// A name or the number of a tuple's component.
Identifier NameParser::fieldName() {
  if (cursor_.isKind(TokenKind::kNumber)) {
    const Number& number = cursor_.numberOf(cursor_.peek());
    if (!number.is_decimal && !number.suffix) {
      const Token& token = cursor_.next();
      return nameOf(token);
    }
  }
  return cursor_.identifier("a field name");
}

// `{a}` means `{a = a}`; a number names no variable.
void NameParser::requireName(const Identifier& field) {
  if (!field.name.empty() && field.name[0] >= '0' && field.name[0] <= '9') {
    cursor_.unexpected("`=` after the number of a field");
  }
}

// `#name` is one word: no space behind the `#`, and a keyword is a name here.
bool NameParser::startsConstructor() const {
  return cursor_.isPunctuation("#") && !cursor_.peek(1).space_before &&
         (cursor_.isKind(TokenKind::kIdentifier, 1) || cursor_.isKind(TokenKind::kKeyword, 1));
}

Identifier NameParser::constructorName() {
  uint32_t start = cursor_.begin();
  cursor_.next();
  std::string name(cursor_.next().text);
  return {std::move(name), cursor_.spanFrom(start)};
}

// `(+)`
bool NameParser::startsOperatorName() const {
  return cursor_.isPunctuation("(") && cursor_.isKind(TokenKind::kOperator, 1) &&
         cursor_.isPunctuation(")", 2);
}

// A name, or an operator in parentheses.
Identifier NameParser::definedName(std::string_view what) {
  if (!startsOperatorName()) return cursor_.identifier(what);
  cursor_.next();
  const Token& token = cursor_.next();
  cursor_.next();
  Identifier name = nameOf(token);
  checkDefinable(name);
  return name;
}

void NameParser::checkDefinable(const Identifier& name) {
  if (name.name != "&&" && name.name != "||") return;
  if (cursor_.inPanic()) return;
  cursor_.report(
      Code::unexpected_token, name.span,
      fmt::format("`{}` evaluates its right side only if needed, no definition replaces it",
                  name.name));
}

std::vector<TypeParameter> NameParser::typeParameters() {
  std::vector<TypeParameter> result;
  while (true) {
    if (cursor_.isPunctuation("[")) {
      for (Identifier& size : sizeBinders()) {
        result.push_back({TypeParameter::Kind::kSize, std::move(size)});
      }
    } else if (cursor_.isKind(TokenKind::kTypeVariable)) {
      const Token& token = cursor_.next();
      bool lifted = token.text[1] == '~';
      bool fully_lifted = token.text[1] == '^';
      auto kind = lifted         ? TypeParameter::Kind::kLifted
                  : fully_lifted ? TypeParameter::Kind::kFullyLifted
                                 : TypeParameter::Kind::kType;
      result.push_back(
          {kind, {std::string(token.text.substr(lifted || fully_lifted ? 2 : 1)), token.span}});
    } else {
      break;
    }
  }
  std::vector<Identifier> types;
  std::vector<Identifier> sizes;
  for (const TypeParameter& parameter : result) {
    bool is_size = parameter.kind == TypeParameter::Kind::kSize;
    (is_size ? sizes : types).push_back(parameter.name);
  }
  parser_.checks.checkDistinct(types, "type parameter");
  parser_.checks.checkDistinct(sizes, "size");
  return result;
}

// `[n][m]`
std::vector<Identifier> NameParser::sizeBinders() {
  std::vector<Identifier> result;
  while (cursor_.isPunctuation("[")) {
    Span opener = cursor_.next().span;
    result.push_back(cursor_.identifier("the name of a size"));
    cursor_.close("]", "after the name of the size", opener);
  }
  return result;
}

// `name`, `5`, `name(a, 5, other(b))`
void NameParser::attributeParts() {
  size_t open = 0;
  while (true) {
    const bool is_name = cursor_.isKind(TokenKind::kIdentifier);
    if (!is_name && !cursor_.isKind(TokenKind::kNumber)) {
      return cursor_.unexpected("a name or a number in the attribute");
    }
    cursor_.next();
    if (is_name && cursor_.accept("(")) {
      ++open;
      if (!cursor_.isPunctuation(")")) continue;
    }
    while (open > 0 && cursor_.accept(")")) --open;
    if (open == 0) return;
    if (!cursor_.accept(",")) return cursor_.unexpected("`,` or `)` in the attribute");
  }
}

// The text between the brackets is kept as it is.
Attribute NameParser::attribute() {
  Span opener = cursor_.next().span;
  attributeParts();
  uint32_t end = cursor_.lastEnd();
  cursor_.close("]", "at the end of the attribute", opener);
  std::string text(cursor_.text({cursor_.file(), opener.end, std::max(end, opener.end)}));
  return {std::move(text), cursor_.spanFrom(opener.begin)};
}

}  // namespace halo::syntax
