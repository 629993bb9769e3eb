// halo doc NAME: type and doc comment of a prelude definition. halo explain CODE: what a diagnostic
// means, from codes.md.
#include "cli/commands.h"

#include <cstdio>
#include <set>

#include "cli/session/prelude.h"
#include "stdlib/embedded.h"

namespace halo::cli {

namespace {

// The definition of a name: the last one hides earlier ones. A name alone also finds what modules
// have under it, because `open` may have brought it into scope.
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
bool describeDeclaration(const types::Program& program, const std::string& name) {
  const syntax::Decl* found = nullptr;
  const char* kind = "";
  for (const syntax::Decl& decl : program.tree.decls) {
    auto match = [&](const auto* node, const char* what) {
      if (node != nullptr && node->name.name == name) found = &decl, kind = what;
    };
    match(std::get_if<syntax::ModuleDecl>(&decl.node), "module");
    match(std::get_if<syntax::ModuleTypeDecl>(&decl.node), "module type");
    match(std::get_if<syntax::TypeDecl>(&decl.node), "type");
  }
  if (found == nullptr) return false;
  std::printf("%s %s\n%s\n", kind, name.c_str(), found->doc.c_str());
  std::set<std::string> members;
  for (const types::Def& def : program.defs) {
    if (def.name.starts_with(name + ".")) members.insert(def.name.substr(name.size() + 1));
  }
  std::string list;
  for (const std::string& member : members) list += " " + member;
  if (!members.empty()) std::printf("it has%s\n", list.c_str());
  return true;
}

}  // namespace

int doc(const Common& common, const std::string& name) {
  session::Session session(sessionOptions(common));
  diag::Sink sink;
  types::EnvironmentRef prelude = session::wholePrelude(session.files(), sink);
  if (prelude == nullptr) return report(common, session.files(), sink);
  const types::Program& program = types::program(*prelude);
  const std::vector<const types::Def*> found = definitionsOf(program, name);
  const bool is_exact = !found.empty() && found[0]->name == name;
  if (!is_exact && describeDeclaration(program, name)) return kOk;
  for (const types::Def* def : found) {
    std::printf("%s : %s\n%s\n", def->name.c_str(), types::print(program, def->type).c_str(),
                def->doc.c_str());
  }
  if (!found.empty()) return kOk;
  std::vector<std::string> names;
  for (const types::Def& def : program.defs) names.push_back(def.name);
  std::vector<std::string> notes;
  if (auto near = diag::didYouMean(name, names)) notes.push_back("did you mean `" + *near + "`?");
  return report(common, session.files(),
                diag::fail(diag::Code::unknown_name, {}, "the prelude has no `" + name + "`",
                           std::move(notes))
                    .value());
}

int explain(const Common& common, const std::string& code) {
  std::string number = code.starts_with("H") ? code.substr(1) : code;
  std::string_view text = stdlib::codesText();
  size_t begin = text.find("\n## " + number);
  source::Files none;
  if (begin == std::string_view::npos) {
    return report(common, none,
                  diag::fail(diag::Code::unknown_name, {}, "there is no diagnostic `" + code + "`",
                             {"codes look like `H3001`"})
                      .value());
  }
  size_t end = text.find("\n## ", begin + 1);
  std::string section(
      text.substr(begin + 1, end == std::string_view::npos ? end : end - begin - 1));
  std::printf("%s\n", section.c_str());
  return kOk;
}

}  // namespace halo::cli
