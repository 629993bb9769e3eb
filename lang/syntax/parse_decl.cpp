// Declarations: def, entry, val, type, module, open, import, local, with attributes and doc
// comments in front.
#include <fmt/format.h>

#include "lang/syntax/parser_state.h"

namespace halo::syntax {

using diag::Code;

std::vector<DeclId> Parser::declarations(bool in_module) {
  std::vector<DeclId> result;
  while (!isKind(TokenKind::kEnd) && !(in_module && isPunctuation("}"))) {
    size_t start = position_;
    if (std::optional<DeclId> id = declaration()) result.push_back(*id);
    if (!panic_) continue;
    // A token that starts no declaration would otherwise stop us for ever.
    if (position_ == start && tokens_[position_].kind != TokenKind::kEnd) position_++;
    skipToDeclaration(in_module);
    if (panic_) break;
  }
  checkDefinitions(result);
  return result;
}

std::optional<DeclId> Parser::declaration() {
  uint32_t start = begin();
  Decl decl{OpenDecl{}, {}, {}, {}, false};
  auto takeDoc = [&] {
    for (; next_doc_ < docs_.size() && docs_[next_doc_].first <= position_; next_doc_++) {
      bool right_before = docs_[next_doc_].first == position_;
      if (right_before) decl.doc = std::move(docs_[next_doc_].second.text);
      if (!right_before) comments_.push_back({docs_[next_doc_].second.span});
    }
  };
  takeDoc();
  while (isPunctuation("#[")) {
    decl.attributes.push_back(attribute());
    takeDoc();
  }
  while (acceptKeyword("local")) decl.is_local = true;
  decl.node = declarationBody();
  if (panic_) return std::nullopt;
  decl.span = spanFrom(start);
  return tree_.decls.add(std::move(decl));
}

DeclNode Parser::declarationBody() {
  if (isKeyword("def") || isKeyword("let") || isKeyword("entry")) return functionDecl();
  if (isKeyword("val")) return valDecl();
  if (isKeyword("type")) return typeDecl();
  if (isKeyword("module")) return moduleDecl();
  if (isKeyword("open")) return openDecl();
  if (isKeyword("import")) return importDecl(false);
  unexpected("a declaration such as `def` or `entry`");
  return OpenDecl{};
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
  checkPatterns(decl.function.parameters);
  functionTail(decl.function);
  return decl;
}

// `def (a) +^ (b) = ..`, `def a +^ b = ..`; but `def (+^) a b = ..` is a plain definition.
bool Parser::startsInfixDefinition() const {
  if (isPunctuation("(")) return !(isKind(TokenKind::kOperator, 1) && isPunctuation(")", 2));
  if (isPunctuation("_") || isPunctuation("{")) return true;
  return isKind(TokenKind::kIdentifier) && isKind(TokenKind::kOperator, 1);
}

void Parser::infixHead(FunctionParts& function) {
  function.parameters.push_back(patternAtom());
  if (!isKind(TokenKind::kOperator)) {
    unexpected("the operator to define");
    return;
  }
  const Token& token = next();
  function.name = {token.text, token.span};
  checkDefinable(function.name);
  function.parameters.push_back(patternAtom());
}

// `: t = e`
void Parser::functionTail(FunctionParts& function) {
  if (accept(":")) function.result = type();
  const char* where = function.parameters.empty() ? "after the name" : "after the parameters";
  expect("=", function.result.valid() ? "after the result type" : where);
  function.body = expression();
}

// A name, or an operator in parentheses.
Identifier Parser::definedName(std::string_view what) {
  if (isPunctuation("(") && isKind(TokenKind::kOperator, 1) && isPunctuation(")", 2)) {
    next();
    const Token& token = next();
    next();
    Identifier name{token.text, token.span};
    checkDefinable(name);
    return name;
  }
  return identifier(what);
}

void Parser::checkDefinable(const Identifier& name) {
  if (name.name != "&&" && name.name != "||") return;
  if (panic_) return;
  sink_.error(Code::unexpected_token, name.span,
              fmt::format("`{}` evaluates its right side only if needed, no definition replaces it",
                          name.name));
}

ValDecl Parser::valDecl() {
  ValDecl decl;
  if (!options_.allow_intrinsics) {
    fail(Code::unexpected_token, peek().span,
         "`val` declares a built-in, only the prelude has those");
    return decl;
  }
  next();
  decl.name = definedName("the name of the built-in");
  decl.type_parameters = typeParameters();
  expect(":", "and the type of the built-in");
  decl.type = type();
  return decl;
}

TypeDecl Parser::typeDecl() {
  TypeDecl decl;
  next();
  if (isPunctuation("~") || isOperator("^")) notInThisSlice("lifted type abbreviations are");
  decl.name = identifier("the name of the type");
  decl.parameters = typeParameters();
  expect("=", "and the type that the name stands for");
  decl.type = type();
  return decl;
}

DeclNode Parser::moduleDecl() {
  next();
  ModuleDecl decl;
  Depth depth(*this);
  if (isKeyword("type")) {
    notInThisSlice("module types are");
  } else {
    decl.name = identifier("the name of the module");
    if (isPunctuation("(")) notInThisSlice("parametric modules are");
    if (isPunctuation(":")) notInThisSlice("module types are");
    expect("=", "after the name of the module");
    if (!panic_ && !isPunctuation("{")) {
      notInThisSlice("a module expression other than `{ .. }` is");
    }
  }
  if (panic_) {
    skipModule();
    return decl;
  }
  Span opener = next().span;
  decl.declarations = declarations(true);
  close("}", "at the end of the module", opener);
  return decl;
}

DeclNode Parser::openDecl() {
  next();
  if (isKeyword("import")) return importDecl(true);
  if (!isKind(TokenKind::kIdentifier)) {
    if (isPunctuation("{")) {
      notInThisSlice("`open` of anything but a name is");
      skipModule();
    }
    unexpected("the name of a module");
  }
  return OpenDecl{qualifiedName("the name of a module")};
}

ImportDecl Parser::importDecl(bool is_open) {
  next();
  if (!isKind(TokenKind::kString)) {
    unexpected("the path to import, in quotes");
    return {};
  }
  const Token& path = next();
  return {path.text, path.span, is_open};
}

// The text between the brackets is kept as it is.
Attribute Parser::attribute() {
  Span opener = next().span;
  size_t open = 0;
  while (!isKind(TokenKind::kEnd)) {
    if (isPunctuation("]") && open == 0) break;
    if (isPunctuation("(") || isPunctuation("[")) open++;
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
      result.push_back({kind, {token.text.substr(lifted || fully_lifted ? 2 : 1), token.span}});
    } else {
      break;
    }
  }
  std::vector<Identifier> names;
  for (const TypeParameter& parameter : result) names.push_back(parameter.name);
  checkDistinct(names, "parameter");
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
  while (isAdjacent(".") && isKind(TokenKind::kIdentifier, 1) && !peek(1).space_before) {
    next();
    result.qualifiers.push_back(std::move(result.name));
    result.name = next().text;
  }
  result.span = spanFrom(start);
  return result;
}

}  // namespace halo::syntax
