// Modules and module types: `module m (P: mt) : mt = e`, `module type mt = ..`, specs. A module
// expression is an ascription of an application of atoms, or a lambda; `->` is the loosest
// operator of module types, then `with`.
#include <utility>

#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

using diag::Code;

DeclNode Parser::moduleDecl() {
  next();
  if (acceptKeyword("type")) {
    ModuleTypeDecl decl;
    decl.name = identifier("the name of the module type");
    expect("=", "after the name of the module type");
    decl.type = moduleType();
    return decl;
  }
  ModuleDecl decl;
  decl.name = identifier("the name of the module");
  while (isPunctuation("(")) decl.parameters.push_back(moduleParameter());
  std::vector<Identifier> names;
  for (const ModuleParameter& parameter : decl.parameters) names.push_back(parameter.name);
  checkDistinct(names, "parameter");
  if (accept(":")) decl.type = moduleType();
  const char* where = decl.parameters.empty() ? "after the name of the module"
                                              : "after the parameters of the module";
  expect("=", decl.type.valid() ? "after the type of the module" : where);
  decl.body = moduleExpr();
  return decl;
}

// `(P: mt)`
ModuleParameter Parser::moduleParameter() {
  ModuleParameter parameter;
  Span opener = peek().span;
  expect("(", "and a parameter such as `(p: t)`");
  parameter.name = identifier("the name of the parameter");
  expect(":", "and the module type of the parameter");
  parameter.type = moduleType();
  close(")", "after the module type of the parameter", opener);
  return parameter;
}

// ---- module expressions

ModuleExprId Parser::moduleExpr() {
  Depth depth(*this);
  if (isPunctuation("\\")) return moduleLambda();
  uint32_t start = begin();
  ModuleExprId result = moduleApplication();
  while (accept(":")) {
    depth.more();
    ModuleTypeId type = moduleType();
    result = addModule(ModuleAscribe{result, type}, spanFrom(start));
  }
  return result;
}

ModuleExprId Parser::moduleLambda() {
  uint32_t start = begin();
  next();
  ModuleLambda lambda;
  lambda.parameter = moduleParameter();
  if (accept(":")) lambda.result = moduleTypeAtom();
  expect("->", "after the parameter");
  lambda.body = moduleExpr();
  return addModule(std::move(lambda), spanFrom(start));
}

ModuleExprId Parser::moduleApplication() {
  Depth depth(*this, 0);
  uint32_t start = begin();
  ModuleExprId result = moduleAtom();
  while (startsModuleAtom()) {
    depth.more();
    ModuleExprId argument = moduleAtom();
    result = addModule(ModuleApply{result, argument}, spanFrom(start));
  }
  return result;
}

bool Parser::startsModuleAtom() const {
  return isPunctuation("(") || isPunctuation("{") || isKind(TokenKind::kIdentifier);
}

ModuleExprId Parser::moduleAtom() {
  uint32_t start = begin();
  if (isKeyword("import")) {
    ImportDecl import = importDecl();
    return addModule(ModuleImport{std::move(import.path), import.path_span}, spanFrom(start));
  }
  Span opener = peek().span;
  if (accept("(")) {
    ModuleExprId inner = moduleExpr();
    close(")", "at the end of the parentheses", opener);
    return inner;
  }
  if (accept("{")) {
    ModuleBody body{declarations(true)};
    close("}", "at the end of the module", opener);
    return addModule(std::move(body), spanFrom(start));
  }
  QualifiedName name = qualifiedName("a module");
  return addModule(ModuleName{std::move(name)}, spanFrom(start));
}

// ---- module types

// `mt -> mt`, `(P: mt) -> mt`, to the right
ModuleTypeId Parser::moduleType() {
  Depth depth(*this);
  uint32_t start = begin();
  ModuleTypeArrow arrow;
  if (isPunctuation("(") && isKind(TokenKind::kIdentifier, 1) && isPunctuation(":", 2)) {
    arrow.parameter = moduleParameter();
    if (!isPunctuation("->")) unexpected("`->` after a named parameter");
  } else {
    arrow.parameter = {{"", {}}, moduleTypeWith()};
  }
  if (!accept("->")) return arrow.parameter.type;
  arrow.result = moduleType();
  return addModuleType(std::move(arrow), spanFrom(start));
}

// `mt with t [n] 'a = ..`, to the left
ModuleTypeId Parser::moduleTypeWith() {
  Depth depth(*this, 0);
  uint32_t start = begin();
  ModuleTypeId result = moduleTypeAtom();
  while (acceptKeyword("with")) {
    depth.more();
    ModuleTypeWith with;
    with.type = result;
    with.name = qualifiedName("the name of a type");
    with.parameters = typeParameters();
    expect("=", "after the type to replace");
    with.definition = isPunctuation("?") ? existentialType() : typeTerm();
    result = addModuleType(std::move(with), spanFrom(start));
  }
  return result;
}

ModuleTypeId Parser::moduleTypeAtom() {
  uint32_t start = begin();
  Span opener = peek().span;
  if (accept("(")) {
    ModuleTypeId inner = moduleType();
    close(")", "at the end of the parentheses", opener);
    return inner;
  }
  if (accept("{")) {
    ModuleTypeBody body{specs()};
    close("}", "at the end of the module type", opener);
    return addModuleType(std::move(body), spanFrom(start));
  }
  QualifiedName name = qualifiedName("a module type");
  return addModuleType(ModuleTypeName{std::move(name)}, spanFrom(start));
}

// ---- specs

std::vector<SpecId> Parser::specs() {
  std::vector<SpecId> result;
  const bool outer = std::exchange(in_specs_, true);
  while (!isKind(TokenKind::kEnd) && !isPunctuation("}")) {
    size_t start = position_;
    if (std::optional<SpecId> id = spec()) result.push_back(*id);
    if (panic_) recover(start, true);
    if (panic_) break;
  }
  in_specs_ = outer;
  checkSpecs(result);
  return result;
}

std::optional<SpecId> Parser::spec() {
  uint32_t start = begin();
  Spec spec{IncludeSpec{}, {}, {}, {}};
  takeDoc(spec.doc);
  while (isPunctuation("#[")) {
    spec.attributes.push_back(attribute());
    takeDoc(spec.doc);
  }
  spec.node = specBody();
  if (panic_) return std::nullopt;
  spec.span = spanFrom(start);
  return tree_.specs.add(std::move(spec));
}

SpecNode Parser::specBody() {
  if (isKeyword("val")) return valDecl();
  if (isKeyword("type")) {
    TypeSpec spec = typeHead();
    if (accept("=")) spec.type = type();
    return spec;
  }
  if (acceptKeyword("module")) {
    ModuleSpec spec;
    if (isKeyword("type")) return nestedModuleType();
    spec.name = identifier("the name of the module");
    expect(":", "and the type of the module");
    spec.type = moduleType();
    return spec;
  }
  if (acceptKeyword("include")) return IncludeSpec{moduleType()};
  unexpected("`val`, `type`, `module` or `include` in a module type");
  return IncludeSpec{};
}

// `module type mt = ..` between specs, whose `module` has been read.
SpecNode Parser::nestedModuleType() {
  const Span span = next().span;
  if (!panic_) {
    sink_.error(Code::unexpected_token, span,
                "a module type inside of a module type: it stands outside, `include` takes its "
                "parts");
  }
  identifier("the name of the module type");
  expect("=", "after the name of the module type");
  return IncludeSpec{moduleType()};
}

ModuleExprId Parser::addModule(ModuleNode node, Span span) {
  return tree_.modules.add({std::move(node), span});
}
ModuleTypeId Parser::addModuleType(ModuleTypeNode node, Span span) {
  return tree_.module_types.add({std::move(node), span});
}

}  // namespace halo::syntax
