// Modules and module types: `module m (P: mt) : mt = e`, `module type mt = ..`, specs. A module
// expression is an ascription of an application of atoms, or a lambda; `->` is the loosest
// operator of module types, then `with`.
#include "lang/syntax/parse/parse_module.h"

#include <utility>

#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

using diag::Code;

DeclNode ModuleParser::moduleDecl() {
  cursor_.next();
  if (cursor_.acceptKeyword("type")) {
    ModuleTypeDecl decl;
    decl.name = cursor_.identifier("the name of the module type");
    cursor_.expect("=", "after the name of the module type");
    decl.type = moduleType();
    return decl;
  }
  ModuleDecl decl;
  decl.name = cursor_.identifier("the name of the module");
  while (cursor_.isPunctuation("(")) decl.parameters.push_back(moduleParameter());
  std::vector<Identifier> names;
  for (const ModuleParameter& parameter : decl.parameters) names.push_back(parameter.name);
  parser_.checks.checkDistinct(names, "parameter");
  if (cursor_.accept(":")) decl.type = moduleType();
  const char* where = decl.parameters.empty() ? "after the name of the module"
                                              : "after the parameters of the module";
  cursor_.expect("=", decl.type.valid() ? "after the type of the module" : where);
  decl.body = moduleExpr();
  return decl;
}

// `(P: mt)`
ModuleParameter ModuleParser::moduleParameter() {
  ModuleParameter parameter;
  Span opener = cursor_.peek().span;
  cursor_.expect("(", "and a parameter such as `(p: t)`");
  parameter.name = cursor_.identifier("the name of the parameter");
  cursor_.expect(":", "and the module type of the parameter");
  parameter.type = moduleType();
  cursor_.close(")", "after the module type of the parameter", opener);
  return parameter;
}

// ---- module expressions

ModuleExprId ModuleParser::moduleExpr() {
  Depth depth(cursor_);
  if (cursor_.isPunctuation("\\")) return moduleLambda();
  uint32_t start = cursor_.begin();
  ModuleExprId result = moduleApplication();
  while (cursor_.accept(":")) {
    depth.more();
    ModuleTypeId type = moduleType();
    result = build_.addModule(ModuleAscribe{result, type}, cursor_.spanFrom(start));
  }
  return result;
}

ModuleExprId ModuleParser::moduleLambda() {
  uint32_t start = cursor_.begin();
  cursor_.next();
  ModuleLambda lambda;
  lambda.parameter = moduleParameter();
  if (cursor_.accept(":")) lambda.result = moduleTypeAtom();
  cursor_.expect("->", "after the parameter");
  lambda.body = moduleExpr();
  return build_.addModule(std::move(lambda), cursor_.spanFrom(start));
}

ModuleExprId ModuleParser::moduleApplication() {
  Depth depth(cursor_, 0);
  uint32_t start = cursor_.begin();
  ModuleExprId result = moduleAtom();
  while (startsModuleAtom()) {
    depth.more();
    ModuleExprId argument = moduleAtom();
    result = build_.addModule(ModuleApply{result, argument}, cursor_.spanFrom(start));
  }
  return result;
}

bool ModuleParser::startsModuleAtom() const {
  return cursor_.isPunctuation("(") || cursor_.isPunctuation("{") ||
         cursor_.isKind(TokenKind::kIdentifier);
}

ModuleExprId ModuleParser::moduleAtom() {
  uint32_t start = cursor_.begin();
  if (cursor_.isKeyword("import")) {
    ImportDecl import = parser_.decls.importDecl();
    return build_.addModule(ModuleImport{std::move(import.path), import.path_span},
                            cursor_.spanFrom(start));
  }
  Span opener = cursor_.peek().span;
  if (cursor_.accept("(")) {
    ModuleExprId inner = moduleExpr();
    cursor_.close(")", "at the end of the parentheses", opener);
    return inner;
  }
  if (cursor_.accept("{")) {
    ModuleBody body{parser_.decls.declarations(true)};
    cursor_.close("}", "at the end of the module", opener);
    return build_.addModule(std::move(body), cursor_.spanFrom(start));
  }
  QualifiedName name = parser_.names.qualifiedName("a module");
  return build_.addModule(ModuleName{std::move(name)}, cursor_.spanFrom(start));
}

// ---- module types

// `mt -> mt`, `(P: mt) -> mt`, to the right
ModuleTypeId ModuleParser::moduleType() {
  Depth depth(cursor_);
  uint32_t start = cursor_.begin();
  ModuleTypeArrow arrow;
  if (cursor_.isPunctuation("(") && cursor_.isKind(TokenKind::kIdentifier, 1) &&
      cursor_.isPunctuation(":", 2)) {
    arrow.parameter = moduleParameter();
    if (!cursor_.isPunctuation("->")) cursor_.unexpected("`->` after a named parameter");
  } else {
    arrow.parameter = {{"", {}}, moduleTypeWith()};
  }
  if (!cursor_.accept("->")) return arrow.parameter.type;
  arrow.result = moduleType();
  return build_.addModuleType(std::move(arrow), cursor_.spanFrom(start));
}

// `mt with t [n] 'a = ..`, to the left
ModuleTypeId ModuleParser::moduleTypeWith() {
  Depth depth(cursor_, 0);
  uint32_t start = cursor_.begin();
  ModuleTypeId result = moduleTypeAtom();
  while (cursor_.acceptKeyword("with")) {
    depth.more();
    ModuleTypeWith with;
    with.type = result;
    with.name = parser_.names.qualifiedName("the name of a type");
    with.parameters = parser_.names.typeParameters();
    cursor_.expect("=", "after the type to replace");
    with.definition =
        cursor_.isPunctuation("?") ? parser_.types.existentialType() : parser_.types.typeTerm();
    result = build_.addModuleType(std::move(with), cursor_.spanFrom(start));
  }
  return result;
}

ModuleTypeId ModuleParser::moduleTypeAtom() {
  uint32_t start = cursor_.begin();
  Span opener = cursor_.peek().span;
  if (cursor_.accept("(")) {
    ModuleTypeId inner = moduleType();
    cursor_.close(")", "at the end of the parentheses", opener);
    return inner;
  }
  if (cursor_.accept("{")) {
    ModuleTypeBody body{specs()};
    cursor_.close("}", "at the end of the module type", opener);
    return build_.addModuleType(std::move(body), cursor_.spanFrom(start));
  }
  QualifiedName name = parser_.names.qualifiedName("a module type");
  return build_.addModuleType(ModuleTypeName{std::move(name)}, cursor_.spanFrom(start));
}

// ---- specs

std::vector<SpecId> ModuleParser::specs() {
  std::vector<SpecId> result;
  const bool outer = cursor_.setInSpecs(true);
  while (!cursor_.isKind(TokenKind::kEnd) && !cursor_.isPunctuation("}")) {
    size_t start = cursor_.position();
    if (std::optional<SpecId> id = spec()) result.push_back(*id);
    if (cursor_.inPanic()) cursor_.recover(start, true);
    if (cursor_.inPanic()) break;
  }
  cursor_.setInSpecs(outer);
  parser_.checks.checkSpecs(result);
  return result;
}

std::optional<SpecId> ModuleParser::spec() {
  uint32_t start = cursor_.begin();
  Spec spec{IncludeSpec{}, {}, {}, {}};
  parser_.docs.take(spec.doc);
  while (cursor_.isPunctuation("#[")) {
    spec.attributes.push_back(parser_.names.attribute());
    parser_.docs.take(spec.doc);
  }
  spec.node = specBody();
  if (cursor_.inPanic()) return std::nullopt;
  spec.span = cursor_.spanFrom(start);
  return tree_.specs.add(std::move(spec));
}

SpecNode ModuleParser::specBody() {
  if (cursor_.isKeyword("val")) return parser_.decls.valDecl();
  if (cursor_.isKeyword("type")) {
    TypeSpec spec = parser_.decls.typeHead();
    if (cursor_.accept("=")) spec.type = parser_.types.type();
    return spec;
  }
  if (cursor_.acceptKeyword("module")) {
    ModuleSpec spec;
    if (cursor_.isKeyword("type")) return nestedModuleType();
    spec.name = cursor_.identifier("the name of the module");
    cursor_.expect(":", "and the type of the module");
    spec.type = moduleType();
    return spec;
  }
  if (cursor_.acceptKeyword("include")) return IncludeSpec{moduleType()};
  cursor_.unexpected("`val`, `type`, `module` or `include` in a module type");
  return IncludeSpec{};
}

// `module type mt = ..` between specs, whose `module` has been read.
SpecNode ModuleParser::nestedModuleType() {
  const Span span = cursor_.next().span;
  if (!cursor_.inPanic()) {
    cursor_.report(Code::unexpected_token, span,
                   "a module type inside of a module type: it stands outside, `include` takes its "
                   "parts");
  }
  cursor_.identifier("the name of the module type");
  cursor_.expect("=", "after the name of the module type");
  return IncludeSpec{moduleType()};
}

}  // namespace halo::syntax
