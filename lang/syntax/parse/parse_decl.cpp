// Declarations: def, entry, val, type, open, import, local, with attributes and doc comments in
// front. Modules and module types are in parse_module.cpp.
#include "lang/syntax/parse/parse_decl.h"

#include <fmt/format.h>

#include "lang/syntax/parse/habits.h"
#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

using diag::Code;

std::vector<DeclId> DeclParser::declarations(bool in_module) {
  std::vector<DeclId> result;
  while (!cursor_.isKind(TokenKind::kEnd) && !(in_module && cursor_.isPunctuation("}"))) {
    size_t start = cursor_.position();
    if (std::optional<DeclId> id = declaration()) result.push_back(*id);
    if (cursor_.inPanic()) cursor_.recover(start, in_module);
    if (cursor_.inPanic()) break;
  }
  parser_.checks.checkDefinitions(result);
  return result;
}

std::optional<DeclId> DeclParser::declaration() {
  uint32_t start = cursor_.begin();
  Decl decl{ImportDecl{}, {}, {}, {}, false};
  parser_.docs.take(decl.doc);
  while (cursor_.isPunctuation("#[") || cursor_.isKeyword("local")) {
    if (cursor_.acceptKeyword("local")) {
      decl.is_local = true;
    } else {
      decl.attributes.push_back(parser_.names.attribute());
    }
    parser_.docs.take(decl.doc);
  }
  decl.node = declarationBody();
  if (cursor_.inPanic()) return std::nullopt;
  decl.span = cursor_.spanFrom(start);
  return tree_.decls.add(std::move(decl));
}

DeclNode DeclParser::declarationBody() {
  if (cursor_.isKeyword("def") || cursor_.isKeyword("let") || cursor_.isKeyword("entry"))
    return functionDecl();
  if (cursor_.isKeyword("type")) return typeDecl();
  if (cursor_.isKeyword("module")) return parser_.modules.moduleDecl();
  if (cursor_.isKeyword("import")) return importDecl();
  if (cursor_.acceptKeyword("open")) return OpenDecl{parser_.modules.moduleExpr()};
  if (cursor_.isKeyword("val")) {
    if (parser_.options.allow_intrinsics) return valDecl();
    cursor_.fail(Code::unexpected_token, cursor_.peek().span,
                 "`val` belongs into a module type, `def` defines a value");
  }
  cursor_.unexpected("a declaration such as `def` or `entry`", {}, helpWithoutKeyword());
  return ImportDecl{};
}

// For `f x = ..` and `fun f x = ..`, as other languages define.
std::string DeclParser::helpWithoutKeyword() const {
  const bool is_name = cursor_.isPunctuation("=", 1);  // `data = 5`
  std::string help = is_name ? "" : helpForTypeWord(cursor_.peek().text);
  if (help.empty()) help = helpForNames(cursor_.position());
  if (!help.empty()) return help;
  if (isDefiningWord(cursor_.peek().text)) return "a definition begins with `def`";
  if (cursor_.isPunctuation("=")) {
    // The definition in front has taken the names of this one for arguments.
    size_t first = cursor_.position();
    while (first > 0 && cursor_.tokenAt(first - 1).kind == TokenKind::kIdentifier) {
      if (cursor_.isInFirstColumn(cursor_.tokenAt(--first))) return helpForNames(first);
    }
  }
  return cursor_.peek().text == "->" ? cursor_.helpAtArrow() : helpBehindValue(cursor_.peek().text);
}

// For the names from there on, if a `=` follows them.
std::string DeclParser::helpForNames(size_t first) const {
  size_t end = first;
  std::string others;
  for (; cursor_.tokenAt(end).kind == TokenKind::kIdentifier; ++end) {
    if (end > first) others += " " + std::string(cursor_.tokenAt(end).text);
  }
  if (end == first || cursor_.tokenAt(end).text != "=") return "";
  return helpForDefinition(cursor_.tokenAt(first).text, others);
}

FunctionDecl DeclParser::functionDecl() {
  FunctionDecl decl;
  decl.is_entry = cursor_.next().text == "entry";
  if (startsInfixDefinition()) {
    infixHead(decl.function);
  } else {
    decl.function.name = parser_.names.definedName("the name of the definition");
    decl.function.type_parameters = parser_.names.typeParameters();
    while (parser_.patterns.startsPattern())
      decl.function.parameters.push_back(parser_.patterns.patternAtom());
  }
  functionTail(decl.function);
  return decl;
}

// `def (a) +^ (b) = ..`, `def a +^ b = ..`, `` def a `f` b = .. ``; but `def (+^) a b = ..` is a
// plain definition.
bool DeclParser::startsInfixDefinition() const {
  if (cursor_.isPunctuation("(")) return !parser_.names.startsOperatorName();
  if (cursor_.isPunctuation("_") || cursor_.isPunctuation("{")) return true;
  return cursor_.isKind(TokenKind::kIdentifier) &&
         (cursor_.isKind(TokenKind::kOperator, 1) || cursor_.isPunctuation("`", 1));
}

void DeclParser::infixHead(FunctionParts& function) {
  uint32_t start = cursor_.begin();
  function.parameters.push_back(parser_.patterns.patternAtom());
  if (cursor_.isPunctuation("=")) {
    cursor_.fail(
        Code::unexpected_token, cursor_.spanFrom(start),
        "found a pattern where a definition needs one name, patterns belong to `let` and `\\`");
    return;
  }
  if (cursor_.accept("`")) {
    function.name = cursor_.identifier("the name to define");
    cursor_.expect("`", "after the name");
  } else if (cursor_.isKind(TokenKind::kOperator)) {
    const Token& token = cursor_.next();
    function.name = nameOf(token);
    parser_.names.checkDefinable(function.name);
    if (token.text == "!" && !cursor_.inPanic()) {
      cursor_.report(Code::unexpected_token, token.span,
                     "`!` stands before its operand, no definition puts it between two");
    }
  } else {
    cursor_.unexpected("the operator to define");
    return;
  }
  function.parameters.push_back(parser_.patterns.patternAtom());
}

// `: t = e`
void DeclParser::functionTail(FunctionParts& function) {
  if (cursor_.accept(":")) function.result = parser_.types.type();
  const char* where = function.parameters.empty() ? "after the name" : "after the parameters";
  std::string help;
  if (cursor_.peek().text == "->")
    help = "the type of the result follows `:`: `def f (x: i32): i32 = x`";
  if (cursor_.peek().text == "=>")
    help = "a definition has `=` in front of its body: `def f x = x`";
  cursor_.expect("=", function.result.valid() ? "after the result type" : where, std::move(help));
  parser_.checks.checkParameters(function);  // without the `=` they may be its body
  function.body = parser_.exprs.expression();
}

// `val f : t`, `val (+) : t`, `val + : t`
ValDecl DeclParser::valDecl() {
  ValDecl decl;
  cursor_.next();
  if (cursor_.isKind(TokenKind::kOperator)) {
    const Token& token = cursor_.next();
    decl.name = nameOf(token);
    parser_.names.checkDefinable(decl.name);
  } else {
    decl.name = parser_.names.definedName("the name of a value");
  }
  decl.type_parameters = parser_.names.typeParameters();
  cursor_.expect(":", "and the type of the value");
  decl.type = parser_.types.type();
  return decl;
}

// `type t [n] 'a`, `type~ t`, `type^ t`; `= ..` may follow.
TypeSpec DeclParser::typeHead() {
  TypeSpec head;
  cursor_.next();
  if (cursor_.accept("~")) {
    head.lift = Lift::kSize;
  } else if (cursor_.isOperator("^")) {
    cursor_.next();
    head.lift = Lift::kFull;
  }
  head.name = cursor_.identifier("the name of the type");
  head.parameters = parser_.names.typeParameters();
  return head;
}

TypeDecl DeclParser::typeDecl() {
  TypeSpec head = typeHead();
  cursor_.expect("=", "and the type that the name stands for");
  TypeExprId definition = parser_.types.type();
  return {std::move(head.name), std::move(head.parameters), definition, head.lift};
}

ImportDecl DeclParser::importDecl() {
  cursor_.next();
  if (!cursor_.isKind(TokenKind::kString)) {
    cursor_.unexpected("the path to import, in quotes");
    return {};
  }
  const Token& path = cursor_.next();
  return {std::string(path.text), path.span};
}

}  // namespace halo::syntax
