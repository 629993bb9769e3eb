#include "lang/types/modules/visible.h"

#include "lang/types/declare/scope.h"
#include "lang/types/environment.h"

namespace halo::types {
namespace {

const ModuleScope* moduleIn(const ModuleScope* scope, const std::vector<std::string>& path) {
  for (const std::string& name : path) {
    const auto found = scope->modules.find(name);
    if (found == scope->modules.end() || !found->second.scope) return nullptr;
    scope = found->second.scope.get();
  }
  return scope;
}

void addNames(const ModuleScope& scope, VisibleNames& names) {
  for (const auto& [name, value] : scope.values) names.values.insert(name);
  for (const auto& [name, type] : scope.types) names.types.insert(name);
  for (const auto& [name, type] : scope.module_types) names.module_types.insert(name);
  for (const auto& [name, module] : scope.modules) {
    if (module.scope) names.modules.insert(name);
    if (module.parametric) names.parametric_modules.insert(name);
  }
}

source::Span nameOf(const TypeAbbreviation& type) { return type.span; }
source::Span nameOf(const Module& module) { return module.span; }
source::Span nameOf(const std::shared_ptr<const ModuleType>& type) { return type->span; }

template <typename Table>
source::Span nameIn(const Table& table, const std::string& name) {
  const auto found = table.find(name);
  return found == table.end() ? source::Span() : nameOf(found->second);
}

}  // namespace

VisibleNames visibleIn(const Environment& environment, source::FileId file,
                       const std::vector<std::string>& path) {
  std::vector<const ModuleScope*> scopes = {environment.scope.get()};
  const auto imports = environment.imports.find(file);
  if (imports != environment.imports.end()) {
    for (const auto& [written, name] : imports->second) {
      const auto found = environment.files.find(name);
      if (found != environment.files.end()) scopes.push_back(found->second.get());
    }
  }
  VisibleNames names;
  for (const ModuleScope* scope : scopes) {
    if (const ModuleScope* module = moduleIn(scope, path)) addNames(*module, names);
  }
  if (environment.prelude && path.empty()) {
    const PreludeBody& prelude = *environment.prelude->end().body;
    for (const std::string& name : namesOf(prelude, NameKind::kModule)) names.modules.insert(name);
    for (const std::string& name : namesOf(prelude, NameKind::kModuleType)) {
      names.module_types.insert(name);
    }
  }
  return names;
}

std::optional<source::Span> declaredIn(const Environment& environment,
                                       const std::vector<std::string>& module,
                                       const std::string& name) {
  const ModuleScope* scope = moduleIn(environment.scope.get(), module);
  if (scope == nullptr) return std::nullopt;
  for (const source::Span& span : {nameIn(scope->types, name), nameIn(scope->modules, name),
                                   nameIn(scope->module_types, name)}) {
    if (span.end > 0) return span;
  }
  return std::nullopt;
}

}  // namespace halo::types
