#include "cli/lsp/complete/written.h"

#include "lang/syntax/parse/parser.h"

namespace halo::lsp {

std::vector<WrittenName> namesWritten(const std::string& text, uint32_t end) {
  std::vector<WrittenName> names;
  source::Files files;
  diag::Sink unheard;
  syntax::Tree tree;
  syntax::parseFile(files, files.add("", text), {}, tree, unheard);
  for (const syntax::Pattern& pattern : tree.patterns) {
    const auto* name = std::get_if<syntax::PatternName>(&pattern.node);
    if (name != nullptr && pattern.span.begin < end) {
      names.push_back({name->name.name});
    }
  }
  for (const syntax::Expr& expr : tree.exprs) {
    const auto* loop = std::get_if<syntax::Loop>(&expr.node);
    const auto* counted = loop ? std::get_if<syntax::LoopFor>(&loop->form) : nullptr;
    if (counted != nullptr && counted->variable.span.begin < end) {
      names.push_back({counted->variable.name});
    }
  }
  for (const syntax::Decl& decl : tree.decls) {
    const auto* node = std::get_if<syntax::FunctionDecl>(&decl.node);
    if (node == nullptr) continue;
    for (const auto& parameter : node->function.type_parameters) {
      if (parameter.kind == syntax::TypeParameter::Kind::kSize) {
        names.push_back({parameter.name.name, true});
      }
    }
  }
  return names;
}

std::vector<std::string> specsOf(const Analysis& known, const std::string& module) {
  const syntax::Tree& tree = known.program().tree;
  std::vector<std::string> names;
  std::string type;
  for (const syntax::Decl& decl : tree.decls) {
    const auto* node = std::get_if<syntax::ModuleDecl>(&decl.node);
    if (node == nullptr || known.isPrelude(decl.span.file)) continue;
    for (const syntax::ModuleParameter& parameter : node->parameters) {
      const auto* name =
          std::get_if<syntax::ModuleTypeName>(&tree.module_types[parameter.type].node);
      if (parameter.name.name == module && name != nullptr) type = name->name.name;
    }
  }
  for (const syntax::Decl& decl : tree.decls) {
    const auto* node = std::get_if<syntax::ModuleTypeDecl>(&decl.node);
    if (node == nullptr || node->name.name != type) continue;
    const auto* body = std::get_if<syntax::ModuleTypeBody>(&tree.module_types[node->type].node);
    if (body == nullptr) continue;
    for (syntax::SpecId spec : body->specs) {
      const auto* value = std::get_if<syntax::ValDecl>(&tree.specs[spec].node);
      if (value != nullptr) names.push_back(module + "." + value->name.name);
    }
  }
  return names;
}

}  // namespace halo::lsp
