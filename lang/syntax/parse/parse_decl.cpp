// Declarations: def, entry, val, type, open, import, local, with attributes and doc comments in
// front. Modules and module types are in parse_module.cpp.
#include <fmt/format.h>

#include "lang/syntax/parse/habits.h"
#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

using diag::Code;

std::vector<DeclId> Parser::declarations(bool in_module) {
  std::vector<DeclId> result;
  while (!isKind(TokenKind::kEnd) && !(in_module && isPunctuation("}"))) {
    size_t start = position_;
    if (std::optional<DeclId> id = declaration()) result.push_back(*id);
    if (panic_) recover(start, in_module);
    if (panic_) break;
  }
  checkDefinitions(result);
  return result;
}

// The comment right before the cursor. One more may come before it at the beginning of a file.
void Parser::takeDoc(std::string& doc) {
  leaveDocs(position_);
  size_t count = 0;
  for (; next_doc_ < docs_.size() && docs_[next_doc_].first == position_; ++next_doc_) {
    if (++count > (position_ == 0 ? 2 : 1)) misplacedDoc(docs_[next_doc_ - 1].second.span);
    doc = std::move(docs_[next_doc_].second.text);
  }
}

// Doc comments before a token that begins no declaration.
void Parser::leaveDocs(size_t end) {
  for (; next_doc_ < docs_.size() && docs_[next_doc_].first < end; ++next_doc_) {
    const Span span = docs_[next_doc_].second.span;
    misplacedDoc(span);
    comments_.push_back({span});
  }
}

// Recovery skips declarations with their comments: these are not reported.
void Parser::misplacedDoc(Span span) {
  if (panic_ || sink_.all().size() > first_diagnostic_) return;
  sink_
      .error(Code::unexpected_token, {span.file, span.begin, span.begin + 4},
             "a doc comment stands right before a declaration, this one does not")
      .notes.push_back("`--` without `|` begins an ordinary comment");
}

std::optional<DeclId> Parser::declaration() {
  uint32_t start = begin();
  Decl decl{ImportDecl{}, {}, {}, {}, false};
  takeDoc(decl.doc);
  while (isPunctuation("#[") || isKeyword("local")) {
    if (acceptKeyword("local")) {
      decl.is_local = true;
    } else {
      decl.attributes.push_back(attribute());
    }
    takeDoc(decl.doc);
  }
  decl.node = declarationBody();
  if (panic_) return std::nullopt;
  decl.span = spanFrom(start);
  return tree_.decls.add(std::move(decl));
}

DeclNode Parser::declarationBody() {
  if (isKeyword("def") || isKeyword("let") || isKeyword("entry")) return functionDecl();
  if (isKeyword("type")) return typeDecl();
  if (isKeyword("module")) return moduleDecl();
  if (isKeyword("import")) return importDecl();
  if (acceptKeyword("open")) return OpenDecl{moduleExpr()};
  if (isKeyword("val")) {
    if (options_.allow_intrinsics) return valDecl();
    fail(Code::unexpected_token, peek().span,
         "`val` belongs into a module type, `def` defines a value");
  }
  unexpected("a declaration such as `def` or `entry`", {}, helpWithoutKeyword());
  return ImportDecl{};
}

// For `f x = ..` and `fun f x = ..`, as other languages define.
std::string Parser::helpWithoutKeyword() const {
  const std::string help = helpForNames(position_);
  if (!help.empty()) return help;
  if (isDefiningWord(peek().text)) return "a definition begins with `def`";
  if (isPunctuation("=")) {
    // The definition in front has taken the names of this one for arguments.
    size_t first = position_;
    while (first > 0 && tokens_[first - 1].kind == TokenKind::kIdentifier) {
      if (files_.locate(file_, tokens_[--first].span.begin).column == 1) return helpForNames(first);
    }
  }
  return peek().text == "->" ? helpAtArrow() : helpBehindValue(peek().text);
}

// For the names from there on, if a `=` follows them.
std::string Parser::helpForNames(size_t first) const {
  size_t end = first;
  std::string others;
  for (; tokens_[end].kind == TokenKind::kIdentifier; ++end) {
    if (end > first) others += " " + std::string(tokens_[end].text);
  }
  if (end == first || tokens_[end].text != "=") return "";
  return helpForDefinition(tokens_[first].text, others);
}

FunctionDecl Parser::functionDecl() {
  FunctionDecl decl;
  decl.is_entry = next().text == "entry";
  if (startsInfixDefinition()) {
    infixHead(decl.function);
  } else {
    decl.function.name = definedName("the name of the definition");
    decl.function.type_parameters = typeParameters();
    while (startsPattern()) decl.function.parameters.push_back(patternAtom());
  }
  functionTail(decl.function);
  return decl;
}

// `def (a) +^ (b) = ..`, `def a +^ b = ..`, `` def a `f` b = .. ``; but `def (+^) a b = ..` is a
// plain definition.
bool Parser::startsInfixDefinition() const {
  if (isPunctuation("(")) return !startsOperatorName();
  if (isPunctuation("_") || isPunctuation("{")) return true;
  return isKind(TokenKind::kIdentifier) &&
         (isKind(TokenKind::kOperator, 1) || isPunctuation("`", 1));
}

void Parser::infixHead(FunctionParts& function) {
  uint32_t start = begin();
  function.parameters.push_back(patternAtom());
  if (isPunctuation("=")) {
    fail(Code::unexpected_token, spanFrom(start),
         "found a pattern where a definition needs one name, patterns belong to `let` and `\\`");
    return;
  }
  if (accept("`")) {
    function.name = identifier("the name to define");
    expect("`", "after the name");
  } else if (isKind(TokenKind::kOperator)) {
    const Token& token = next();
    function.name = nameOf(token);
    checkDefinable(function.name);
    if (token.text == "!" && !panic_) {
      sink_.error(Code::unexpected_token, token.span,
                  "`!` stands before its operand, no definition puts it between two");
    }
  } else {
    unexpected("the operator to define");
    return;
  }
  function.parameters.push_back(patternAtom());
}

// `: t = e`
void Parser::functionTail(FunctionParts& function) {
  if (accept(":")) function.result = type();
  const char* where = function.parameters.empty() ? "after the name" : "after the parameters";
  std::string help;
  if (peek().text == "->") help = "the type of the result follows `:`: `def f (x: i32): i32 = x`";
  if (peek().text == "=>") help = "a definition has `=` in front of its body: `def f x = x`";
  expect("=", function.result.valid() ? "after the result type" : where, std::move(help));
  checkParameters(function);  // without the `=` they may be its body
  function.body = expression();
}

// `(+)`
bool Parser::startsOperatorName() const {
  return isPunctuation("(") && isKind(TokenKind::kOperator, 1) && isPunctuation(")", 2);
}

// A name, or an operator in parentheses.
Identifier Parser::definedName(std::string_view what) {
  if (!startsOperatorName()) return identifier(what);
  next();
  const Token& token = next();
  next();
  Identifier name = nameOf(token);
  checkDefinable(name);
  return name;
}

void Parser::checkDefinable(const Identifier& name) {
  if (name.name != "&&" && name.name != "||") return;
  if (panic_) return;
  sink_.error(Code::unexpected_token, name.span,
              fmt::format("`{}` evaluates its right side only if needed, no definition replaces it",
                          name.name));
}

// `val f : t`, `val (+) : t`, `val + : t`
ValDecl Parser::valDecl() {
  ValDecl decl;
  next();
  if (isKind(TokenKind::kOperator)) {
    const Token& token = next();
    decl.name = nameOf(token);
    checkDefinable(decl.name);
  } else {
    decl.name = definedName("the name of a value");
  }
  decl.type_parameters = typeParameters();
  expect(":", "and the type of the value");
  decl.type = type();
  return decl;
}

// `type t [n] 'a`, `type~ t`, `type^ t`; `= ..` may follow.
TypeSpec Parser::typeHead() {
  TypeSpec head;
  next();
  if (accept("~")) {
    head.lift = Lift::kSize;
  } else if (isOperator("^")) {
    next();
    head.lift = Lift::kFull;
  }
  head.name = identifier("the name of the type");
  head.parameters = typeParameters();
  return head;
}

TypeDecl Parser::typeDecl() {
  TypeSpec head = typeHead();
  expect("=", "and the type that the name stands for");
  TypeExprId definition = type();
  return {std::move(head.name), std::move(head.parameters), definition, head.lift};
}

ImportDecl Parser::importDecl() {
  next();
  if (!isKind(TokenKind::kString)) {
    unexpected("the path to import, in quotes");
    return {};
  }
  const Token& path = next();
  return {std::string(path.text), path.span};
}

// The text between the brackets is kept as it is.
Attribute Parser::attribute() {
  Span opener = next().span;
  size_t open = 0;
  if (isPunctuation("]")) unexpected("a name or a number in the attribute");
  while (!isKind(TokenKind::kEnd)) {
    if (isPunctuation("]") && open == 0) break;
    if (isKind(TokenKind::kString)) unexpected("a name or a number in the attribute");
    if (isPunctuation("(") || isPunctuation("[")) ++open;
    if ((isPunctuation(")") || isPunctuation("]")) && open > 0) open--;
    next();
  }
  uint32_t end = last_end_;
  close("]", "at the end of the attribute", opener);
  std::string text(files_.text({file_, opener.end, std::max(end, opener.end)}));
  return {std::move(text), spanFrom(opener.begin)};
}

std::vector<TypeParameter> Parser::typeParameters() {
  std::vector<TypeParameter> result;
  while (true) {
    if (isPunctuation("[")) {
      for (Identifier& size : sizeBinders()) {
        result.push_back({TypeParameter::Kind::kSize, std::move(size)});
      }
    } else if (isKind(TokenKind::kTypeVariable)) {
      const Token& token = next();
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
  checkDistinct(types, "type parameter");
  checkDistinct(sizes, "size");
  return result;
}

// `[n][m]`
std::vector<Identifier> Parser::sizeBinders() {
  std::vector<Identifier> result;
  while (isPunctuation("[")) {
    Span opener = next().span;
    result.push_back(identifier("the name of a size"));
    close("]", "after the name of the size", opener);
  }
  return result;
}

QualifiedName Parser::qualifiedName(std::string_view what) {
  uint32_t start = begin();
  QualifiedName result;
  result.name = identifier(what).name;
  while (isPunctuation(".") && isKind(TokenKind::kIdentifier, 1)) {
    next();
    result.qualifiers.push_back(std::move(result.name));
    result.name = next().text;
  }
  result.span = spanFrom(start);
  return result;
}

}  // namespace halo::syntax
