#include "cli/repl/outline.h"

#include "lang/base/match.h"
#include "lang/syntax/parse/parser.h"

namespace halo::repl {
namespace {

Declared declaredBy(const syntax::DeclNode& node) {
  return base::match(
      node,
      [](const syntax::FunctionDecl& function) -> Declared {
        return {"def", function.function.name.name};
      },
      [](const syntax::ValDecl& val) -> Declared {
        return {"val", val.name.name};
      },
      [](const syntax::TypeDecl& type) -> Declared {
        return {"type", type.name.name};
      },
      [](const syntax::ModuleDecl& module) -> Declared {
        return {"module", module.name.name};
      },
      [](const syntax::ModuleTypeDecl& type) -> Declared {
        return {"module type", type.name.name};
      },
      [](const syntax::OpenDecl&) -> Declared {
        return {"open", ""};
      },
      [](const syntax::ImportDecl& import) -> Declared {
        return {"import", import.path};
      });
}

}  // namespace

Outline outlineOf(const source::Files& files, source::FileId file) {
  diag::Sink ignored;
  syntax::Tree tree;
  Outline outline;
  for (syntax::DeclId id : syntax::parseFile(files, file, {}, tree, ignored).declarations) {
    const syntax::DeclNode& node = tree.decls[id].node;
    outline.declared.push_back(declaredBy(node));
    const bool is_import = std::holds_alternative<syntax::ImportDecl>(node);
    outline.has_modules = outline.has_modules || is_import;
  }
  outline.has_modules =
      outline.has_modules || tree.modules.size() > 0 || tree.module_types.size() > 0;
  return outline;
}

}  // namespace halo::repl
