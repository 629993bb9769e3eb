// The public side: environments, and extending them by a file.
#include "lang/types/check.h"

#include <algorithm>

#include "lang/types/checker.h"

namespace halo::types {

EnvironmentRef emptyEnvironment() {
  auto environment = std::make_shared<Environment>();
  for (prim::ScalarType type : prim::kAllScalarTypes) {
    environment->program.types.add(ScalarTypeNode{type});
  }
  return environment;
}

EnvironmentRef extend(const EnvironmentRef& base, syntax::Tree tree, const syntax::File& file,
                      const CheckOptions& options, diag::Sink& sink) {
  auto extended = std::make_shared<Environment>(*base);
  extended->program.tree = std::move(tree);
  size_t errors = sink.errorCount();
  Checker(*extended, options, sink).checkFile(file);
  return sink.errorCount() == errors ? extended : nullptr;
}

const Program& program(const Environment& environment) { return environment.program; }

syntax::Tree treeOf(const Environment& environment) { return environment.program.tree; }

std::vector<std::string> visibleNames(const Environment& environment) {
  std::vector<std::string> names;
  for (const auto& [name, def] : environment.scope.values) names.push_back(name);
  for (const auto& [name, module] : environment.scope.modules) {
    for (const auto& [member, def] : module->values) names.push_back(name + "." + member);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace halo::types
