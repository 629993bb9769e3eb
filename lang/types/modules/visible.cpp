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

}  // namespace halo::types
