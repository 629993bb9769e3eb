#include "cli/session/declarations.h"

#include "lang/base/match.h"

namespace halo::session {

const syntax::Identifier* nameOf(const syntax::Decl& decl) {
  if (const auto* module = std::get_if<syntax::ModuleDecl>(&decl.node)) return &module->name;
  if (const auto* type = std::get_if<syntax::ModuleTypeDecl>(&decl.node)) return &type->name;
  if (const auto* type = std::get_if<syntax::TypeDecl>(&decl.node)) return &type->name;
  return nullptr;
}

namespace {

bool isNamed(const syntax::Decl& decl, const std::string& name) {
  const syntax::Identifier* found = nameOf(decl);
  return found != nullptr && found->name == name;
}

// The last declaration of a name before another one: `open m` in a later `module m` is the earlier.
const syntax::Decl* lastBefore(const syntax::Tree& tree, const syntax::Decl* end,
                               const std::string& name) {
  const syntax::Decl* found = nullptr;
  for (const syntax::Decl& decl : tree.decls) {
    if (&decl == end) break;
    if (isNamed(decl, name)) found = &decl;
  }
  return found;
}

using Members = std::vector<const syntax::Decl*>;

void addMembers(const syntax::Tree& tree, const syntax::Decl& around, syntax::ModuleExprId id,
                Members& members);

void addNamed(const syntax::Tree& tree, const syntax::Decl& around,
              const syntax::QualifiedName& name, Members& members) {
  if (!name.qualifiers.empty()) return;
  const syntax::Decl* found = lastBefore(tree, &around, name.name);
  const auto* module = found ? std::get_if<syntax::ModuleDecl>(&found->node) : nullptr;
  if (module != nullptr) addMembers(tree, *found, module->body, members);
}

void addMembers(const syntax::Tree& tree, const syntax::Decl& around, syntax::ModuleExprId id,
                Members& members) {
  base::match(
      tree.modules[id].node,
      [&](const syntax::ModuleName& m) { addNamed(tree, around, m.name, members); },
      [&](const syntax::ModuleBody& m) {
        for (syntax::DeclId decl : m.declarations) {
          if (tree.decls[decl].is_local) continue;
          const auto* open = std::get_if<syntax::OpenDecl>(&tree.decls[decl].node);
          if (open != nullptr) addMembers(tree, around, open->module, members);
          if (nameOf(tree.decls[decl]) != nullptr) members.push_back(&tree.decls[decl]);
        }
      },
      [&](const syntax::ModuleApply& m) { addMembers(tree, around, m.function, members); },
      [&](const syntax::ModuleAscribe& m) { addMembers(tree, around, m.module, members); },
      [&](const syntax::ModuleLambda& m) { addMembers(tree, around, m.body, members); },
      [](const syntax::ModuleImport&) {});
}

// Of `module k = m`, and so on.
std::string definitionsIn(const syntax::Tree& tree, const syntax::Decl& decl, std::string name) {
  const auto* module = std::get_if<syntax::ModuleDecl>(&decl.node);
  if (module == nullptr) return name;
  const auto* other = std::get_if<syntax::ModuleName>(&tree.modules[module->body].node);
  if (other == nullptr) return name;
  std::string path;
  for (const std::string& qualifier : other->name.qualifiers) path += qualifier + ".";
  return path + other->name.name;
}

}  // namespace

Declared declared(const syntax::Tree& tree, const std::string& name) {
  const size_t dot = name.find('.');
  const std::string first = name.substr(0, dot);
  const syntax::Decl* found = lastBefore(tree, nullptr, first);
  if (found == nullptr) return {};
  std::string definitions = definitionsIn(tree, *found, first);
  for (size_t begin = dot; begin != std::string::npos;) {
    const size_t end = name.find('.', begin + 1);
    const std::string step = name.substr(begin + 1, end - begin - 1);
    const syntax::Decl* next = nullptr;
    for (const syntax::Decl* member : membersOf(tree, *found)) {
      if (isNamed(*member, step)) next = member;
    }
    if (next == nullptr) return {};
    found = next;
    definitions = definitionsIn(tree, *found, definitions + "." + step);
    begin = end;
  }
  return {found, definitions};
}

Declared declaredAt(const syntax::Tree& tree, source::Span name) {
  for (const syntax::Decl& decl : tree.decls) {
    const syntax::Identifier* found = nameOf(decl);
    if (found != nullptr && found->span == name) {
      return {&decl, definitionsIn(tree, decl, found->name)};
    }
  }
  return {};
}

std::vector<const syntax::Decl*> membersOf(const syntax::Tree& tree, const syntax::Decl& decl) {
  Members members;
  const auto* module = std::get_if<syntax::ModuleDecl>(&decl.node);
  if (module != nullptr) addMembers(tree, decl, module->body, members);
  return members;
}

}  // namespace halo::session
