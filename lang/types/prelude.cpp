// The tables of the prelude's names, and finding what one means at a place.
#include "lang/types/prelude.h"

#include <algorithm>

#include "lang/base/match.h"

namespace halo::types {

using namespace syntax;

Prelude::Prelude(Tree tree, const File& file) : tree_(std::move(tree)) {
  for (DeclId declaration : file.declarations) add(top_, declaration);
}

void Prelude::add(PreludeBody& body, DeclId declaration) {
  PreludeEntry entry{NameKind::kValue, {}, declaration};
  const size_t position = body.entries.size();
  base::match(
      tree_.decls[declaration].node,
      [&](const FunctionDecl& decl) { entry.name = decl.function.name.name; },
      [&](const ValDecl& decl) { entry.name = decl.name.name; },
      [&](const TypeDecl& decl) { entry.kind = NameKind::kType, entry.name = decl.name.name; },
      [&](const ModuleTypeDecl& decl) {
        entry.kind = NameKind::kModuleType, entry.name = decl.name.name;
      },
      [&](const ModuleDecl& decl) { addModule(body, decl, entry); },
      [&](const OpenDecl& decl) {
        auto* module = std::get_if<ModuleName>(&tree_.modules[decl.module].node);
        HALO_CHECK(module && module->name.qualifiers.empty(), "the prelude opens modules by name");
        const auto found = find({&body, position}, NameKind::kModule, module->name.name);
        HALO_CHECK(found, "the prelude opens an unknown module");
        entry.kind = NameKind::kOpen, entry.members = found->entry().members;
        body.opens.push_back(position);
      },
      [&](const ImportDecl&) { HALO_UNREACHABLE("the prelude imports nothing"); });
  if (!entry.name.empty()) body.by_name[entry.name].push_back(position);
  body.entries.push_back(std::move(entry));
}

void Prelude::addModule(PreludeBody& body, const ModuleDecl& module, PreludeEntry& entry) {
  auto* written = std::get_if<ModuleBody>(&tree_.modules[module.body].node);
  HALO_CHECK(written && module.parameters.empty() && !module.type,
             "the prelude's modules are bodies");
  auto members = std::make_unique<PreludeBody>();
  members->path = body.path;
  members->path.push_back(module.name.name);
  members->around = &body;
  members->position = body.entries.size();
  for (DeclId declaration : written->declarations) add(*members, declaration);
  entry.kind = NameKind::kModule, entry.name = module.name.name;
  entry.members = members.get();
  modules_.push_back(std::move(members));
}

namespace {

std::optional<PreludePlace> findAbove(const PreludeBody& body, size_t end, NameKind kind,
                                      const std::string& name) {
  std::optional<size_t> own;
  if (auto named = body.by_name.find(name); named != body.by_name.end()) {
    for (size_t position : named->second) {
      if (position < end && body.entries[position].kind == kind) own = position;
    }
  }
  for (size_t i = body.opens.size(); i-- > 0;) {
    const size_t position = body.opens[i];
    if (position >= end) continue;
    if (own && position < *own) break;
    if (auto found = findMember(*body.entries[position].members, kind, name)) return found;
  }
  return own ? std::optional(PreludePlace{&body, *own}) : std::nullopt;
}

}  // namespace

std::optional<PreludePlace> findMember(const PreludeBody& body, NameKind kind,
                                       const std::string& name) {
  return findAbove(body, body.entries.size(), kind, name);
}

std::optional<PreludePlace> find(PreludePlace from, NameKind kind, const std::string& name) {
  while (from.body != nullptr) {
    if (auto found = findAbove(*from.body, from.position, kind, name)) return found;
    from = {from.body->around, from.body->position};
  }
  return std::nullopt;
}

std::vector<std::string> namesOf(const PreludeBody& body, NameKind kind) {
  std::vector<std::string> names;
  for (const PreludeEntry& entry : body.entries) {
    if (entry.kind == kind) names.push_back(entry.name);
    if (entry.kind != NameKind::kOpen) continue;
    std::vector<std::string> opened = namesOf(*entry.members, kind);
    names.insert(names.end(), opened.begin(), opened.end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace halo::types
