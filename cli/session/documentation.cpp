// Definitions are in the checked program, everything else only in its tree.
#include "cli/session/documentation.h"

#include <map>
#include <vector>

#include "lang/syntax/print/printer.h"

namespace halo::session {

namespace {

constexpr size_t kMaxLines = 16;  // members of a module with their types, one a line

// The definition of a name: the last one hides earlier ones. A name alone also finds members of
// modules, because `open` may have brought them into scope.
std::vector<const types::Def*> definitionsOf(const types::Program& program,
                                             const std::string& name) {
  const types::Def* found = nullptr;
  std::vector<const types::Def*> inside;
  for (const types::Def& def : program.defs) {
    if (def.name == name) found = &def;
    if (def.name.ends_with("." + name)) inside.push_back(&def);
  }
  if (found != nullptr) return {found};
  // `open f32` within `module f32` leaves copies of one name
  std::vector<const types::Def*> last;
  for (const types::Def* def : inside) {
    std::erase_if(last, [&](const types::Def* other) { return other->name == def->name; });
    last.push_back(def);
  }
  return last;
}

// Modules, module types and types exist in the tree only.
struct Declared {
  const syntax::Decl* declaration = nullptr;
  std::string title;
};
Declared declared(const types::Program& program, const std::string& name) {
  Declared found;
  for (const syntax::Decl& decl : program.tree.decls) {
    auto match = [&](const auto* node, const char* what) {
      if (node != nullptr && node->name.name == name) found = {&decl, what + (" " + name)};
      return found.declaration == &decl;
    };
    match(std::get_if<syntax::ModuleDecl>(&decl.node), "module");
    match(std::get_if<syntax::ModuleTypeDecl>(&decl.node), "module type");
    const auto* type = std::get_if<syntax::TypeDecl>(&decl.node);
    if (match(type, "type") && type != nullptr) {
      found.title += " = " + syntax::print(program.tree, type->type);
    }
  }
  return found;
}

std::optional<std::string> describeDeclaration(const types::Program& program,
                                               const std::string& name) {
  const auto [found, title] = declared(program, name);
  if (found == nullptr) return std::nullopt;
  std::string text = title + "\n";
  if (!found->doc.empty()) text += found->doc + "\n";
  std::map<std::string, const types::Def*> members;
  for (const types::Def& def : program.defs) {
    if (!def.name.starts_with(name + ".")) continue;
    const std::string member = def.name.substr(name.size() + 1);
    const bool is_parameter = member.starts_with("argument.");  // of a parametric module
    if (!is_parameter) members[member] = &def;
  }
  if (!members.empty()) text += "it has";
  for (const auto& [member, def] : members) {
    const bool has_line = members.size() <= kMaxLines;
    text += has_line ? "\n  " + member + " : " + types::print(program, def->type) : " " + member;
  }
  return members.empty() ? text : text + "\n";
}

}  // namespace

std::optional<std::string> documentation(const types::Program& program, const std::string& name) {
  const std::vector<const types::Def*> found = definitionsOf(program, name);
  const bool is_exact = !found.empty() && found[0]->name == name;
  if (!is_exact) {
    if (auto text = describeDeclaration(program, name)) return text;
  }
  std::string text;
  for (const types::Def* def : found) {
    text += def->name + " : " + types::print(program, def->type) + "\n" + def->doc + "\n";
  }
  return found.empty() ? std::nullopt : std::optional(std::move(text));
}

std::optional<source::Span> declarationOf(const types::Program& program, const std::string& name) {
  const syntax::Decl* found = declared(program, name).declaration;
  return found == nullptr ? std::nullopt : std::optional(found->span);
}

}  // namespace halo::session
