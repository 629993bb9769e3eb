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

std::optional<source::Span> declaredAt(const Environment& environment,
                                       std::vector<std::string> path) {
  if (path.empty()) return std::nullopt;
  const std::string name = std::move(path.back());
  path.pop_back();
  const ModuleScope* scope = moduleIn(environment.scope.get(), path);
  if (scope == nullptr) return std::nullopt;
  if (const auto type = scope->types.find(name); type != scope->types.end()) {
    return type->second.span;
  }
  if (const auto module = scope->modules.find(name); module != scope->modules.end()) {
    return module->second.span;
  }
  const auto type = scope->module_types.find(name);
  return type == scope->module_types.end() ? std::nullopt : std::optional(type->second->span);
}

}  // namespace halo::types
