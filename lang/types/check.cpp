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

namespace {

// The caller brings the tree, which is the larger part.
void copyAllButTree(const Program& from, Program& to) {
  to.types = from.types;
  to.sizes = from.sizes;
  to.binders = from.binders;
  to.type_params = from.type_params;
  to.defs = from.defs;
  to.type_of = from.type_of;
  to.use_of = from.use_of;
  to.literal_of = from.literal_of;
  to.binds = from.binds;
  to.size_names = from.size_names;
  to.local_function = from.local_function;
  to.loop_variable = from.loop_variable;
  to.coerced_to = from.coerced_to;
  to.loop_sizes = from.loop_sizes;
  to.pattern_type = from.pattern_type;
  to.binder_of = from.binder_of;
}

}  // namespace

EnvironmentRef extend(const EnvironmentRef& base, syntax::Tree tree, const syntax::File& file,
                      const CheckOptions& options, diag::Sink& sink) {
  auto extended = std::make_shared<Environment>();
  copyAllButTree(base->program, extended->program);
  extended->program.tree = std::move(tree);
  extended->scope = base->scope;
  extended->constants = base->constants;
  extended->result_aliases = base->result_aliases;
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
