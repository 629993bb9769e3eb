// Definitions are in the checked program, everything else only in its tree.
#include "cli/session/documentation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include "cli/session/declarations.h"
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

// The specs of a module type that is written out, one a line.
std::vector<std::string> specsOf(const syntax::Tree& tree, const syntax::Decl& decl) {
  std::vector<std::string> lines;
  const auto* type = std::get_if<syntax::ModuleTypeDecl>(&decl.node);
  if (type == nullptr) return lines;
  const auto* body = std::get_if<syntax::ModuleTypeBody>(&tree.module_types[type->type].node);
  if (body == nullptr) return lines;
  for (syntax::SpecId id : body->specs) lines.push_back(syntax::print(tree, id));
  return lines;
}

// Whether a module has a signature that is written out. It hides what it does not name.
bool isSealed(const syntax::Tree& tree, const syntax::Decl& decl) {
  const auto* module = std::get_if<syntax::ModuleDecl>(&decl.node);
  return module != nullptr && module->type &&
         std::holds_alternative<syntax::ModuleTypeBody>(tree.module_types[module->type].node);
}

// Types and modules of a module, the last ones of their names.
std::map<std::string, std::string> declarationsOf(const syntax::Tree& tree,
                                                  const syntax::Decl& module) {
  std::map<std::string, std::string> heads;
  for (const syntax::Decl* member : membersOf(tree, module)) {
    const std::string head = syntax::printHead(tree, *member);
    const bool is_module_type = std::holds_alternative<syntax::ModuleTypeDecl>(member->node);
    size_t end = 0;
    for (int words = is_module_type ? 3 : 2; words > 0; --words) end = head.find(' ', end + 1);
    heads[head.substr(0, end)] = head;
  }
  return heads;
}

// `n.x`, but no operator such as `...`.
bool isOfInnerModule(const std::string& member) {
  return std::isalpha(static_cast<unsigned char>(member[0])) != 0 &&
         member.find('.') != std::string::npos;
}

// `local def h = ..`: no name of its module for others.
bool isLocal(const syntax::Tree& tree, const types::Def& def) {
  return std::any_of(tree.decls.begin(), tree.decls.end(), [&](const syntax::Decl& decl) {
    const auto* function = std::get_if<syntax::FunctionDecl>(&decl.node);
    return decl.is_local && function != nullptr && function->function.name.span == def.span;
  });
}

std::map<std::string, const types::Def*> definitionsIn(const types::Program& program,
                                                       const std::string& module) {
  std::map<std::string, const types::Def*> members;
  for (const types::Def& def : program.defs) {
    if (!def.name.starts_with(module + ".")) continue;
    const std::string member = def.name.substr(module.size() + 1);
    if (!isOfInnerModule(member) && !isLocal(program.tree, def)) members[member] = &def;
  }
  return members;
}

std::string indented(const std::string& lines) {
  std::string out = "\n  ";
  for (char c : lines) out += c == '\n' ? "\n  " : std::string(1, c);
  return out;
}

std::optional<std::string> describeDeclaration(const types::Program& program,
                                               const Declared& declaration) {
  const auto& [found, definitions] = declaration;
  if (found == nullptr) return std::nullopt;
  std::string text = syntax::printHead(program.tree, *found) + "\n";
  if (!found->doc.empty()) text += found->doc + "\n";
  if (isSealed(program.tree, *found)) return text;
  std::string members;
  for (const std::string& spec : specsOf(program.tree, *found)) members += indented(spec);
  for (const auto& [key, head] : declarationsOf(program.tree, *found)) members += indented(head);
  const std::map<std::string, const types::Def*> values = definitionsIn(program, definitions);
  const bool have_lines = values.size() <= kMaxLines;
  if (!have_lines && !members.empty()) members += "\n ";
  for (const auto& [member, def] : values) {
    members +=
        have_lines ? indented(member + " : " + types::print(program, def->type)) : " " + member;
  }
  return members.empty() ? text : text + "it has" + members + "\n";
}

std::string describeDefinition(const types::Program& program, const types::Def& def) {
  const std::string comment = def.doc.empty() ? "" : def.doc + "\n";
  return def.name + " : " + types::print(program, def.type) + "\n" + comment;
}

std::string describeLogic(const std::string& name) {
  const bool is_and = name == "&&";
  return fmt::format(
      "{} : bool -> bool -> bool\n{}; evaluates its second operand only if the first "
      "one is {}. Part of the language.\n",
      name, is_and ? "And" : "Or", is_and);
}

}  // namespace

std::optional<std::string> documentation(const types::Program& program, const std::string& name) {
  const std::vector<const types::Def*> found = definitionsOf(program, name);
  const bool is_exact = !found.empty() && found[0]->name == name;
  if (!is_exact) {
    if (auto text = describeDeclaration(program, declared(program.tree, name))) return text;
  }
  if (isLogicOperator(name)) return describeLogic(name);
  std::string text;
  for (const types::Def* def : found) {
    text += describeDefinition(program, *def);
  }
  return found.empty() ? std::nullopt : std::optional(std::move(text));
}

std::optional<std::string> documentationAt(const types::Program& program, source::Span name) {
  return describeDeclaration(program, declaredAt(program.tree, name));
}

std::string documentationOfFile(const types::Program& program, source::FileId file) {
  std::map<uint32_t, const types::Def*> definitions;  // by the place of the name
  for (const types::Def& def : program.defs) {
    if (def.span.file == file) definitions[def.span.begin] = &def;
  }
  std::map<uint32_t, const syntax::Decl*> declarations;
  for (const syntax::Decl& decl : program.tree.decls) {
    if (decl.span.file == file) declarations.emplace(decl.span.begin, &decl);
  }
  std::string text;
  uint32_t end = 0;  // of the last one: those within are its members
  for (const auto& [begin, decl] : declarations) {
    if (begin < end) continue;
    end = decl->span.end;
    if (decl->is_local) continue;
    const auto* function = std::get_if<syntax::FunctionDecl>(&decl->node);
    std::optional<std::string> entry;
    if (function == nullptr) {
      const syntax::Identifier* name = nameOf(*decl);
      if (name != nullptr) entry = describeDeclaration(program, {decl, name->name});
    } else if (const auto def = definitions.find(function->function.name.span.begin);
               def != definitions.end()) {
      entry = describeDefinition(program, *def->second);
    }
    if (entry) text += (text.empty() ? "" : "\n") + *entry;
  }
  return text;
}

bool isLogicOperator(const std::string& name) { return name == "&&" || name == "||"; }

std::string bareName(const std::string& name) {
  const size_t open = name.find('(');
  const bool is_last_part = open == 0 || (open != std::string::npos && name[open - 1] == '.');
  if (!is_last_part || name.back() != ')' || name.size() < open + 3) return name;
  return name.substr(0, open) + name.substr(open + 1, name.size() - open - 2);
}

bool isImport(const types::Program& program, const std::string& name) {
  const syntax::Decl* found = declared(program.tree, name).declaration;
  const auto* module = found ? std::get_if<syntax::ModuleDecl>(&found->node) : nullptr;
  return module != nullptr &&
         std::holds_alternative<syntax::ModuleImport>(program.tree.modules[module->body].node);
}

std::optional<source::Span> declarationOf(const types::Program& program, const std::string& name) {
  const syntax::Decl* found = declared(program.tree, name).declaration;
  return found == nullptr ? std::nullopt : std::optional(found->span);
}

}  // namespace halo::session
