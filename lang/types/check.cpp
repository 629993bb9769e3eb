// The public side: environments, and extending them by a file.
#include "lang/types/check.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "lang/base/stack.h"
#include "lang/base/threads.h"
#include "lang/syntax/copy.h"
#include "lang/types/checker.h"
#include "lang/types/declare/unused.h"

namespace halo::types {

EnvironmentRef emptyEnvironment() {
  auto environment = std::make_shared<Environment>();
  for (prim::ScalarType type : prim::kAllScalarTypes) {
    environment->program.types.add(ScalarTypeNode{type});
  }
  environment->program.type_params.add({"acc", {}, syntax::Lift::kSize, true});
  return environment;
}

EnvironmentRef preludeOnDemand(const source::Files& files,
                               const std::vector<source::FileId>& parts) {
  auto environment = std::make_shared<Environment>(*emptyEnvironment());
  environment->prelude = std::make_shared<Prelude>(files, parts);
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

std::shared_ptr<Environment> startFrom(const Environment& base, syntax::Tree tree) {
  auto extended = std::make_shared<Environment>();
  copyAllButTree(base.program, extended->program);
  extended->program.tree = std::move(tree);
  extended->scope = base.scope;
  extended->files = base.files;
  extended->imports = base.imports;
  extended->constants = base.constants;
  extended->constant_sizes = base.constant_sizes;
  extended->lifted = base.lifted;
  extended->hiding_copies = base.hiding_copies;
  extended->prelude = base.prelude;
  extended->on_demand = base.on_demand;
  extended->name_uses = base.name_uses;
  return extended;
}

void addAll(const diag::Sink& from, diag::Sink& to) {
  for (const diag::Diagnostic& diagnostic : from.all()) to.add(diagnostic);
}

// Whether abstract types may come up: the tree has such nodes that `base` does not have.
bool mayHideTypes(const syntax::Tree& tree, const syntax::Tree& base) {
  if (tree.module_types.size() > base.module_types.size()) return true;
  for (size_t i = base.modules.size(); i < tree.modules.size(); ++i) {
    const syntax::ModuleNode& node = tree.modules[syntax::ModuleExprId(i)].node;
    if (std::holds_alternative<syntax::ModuleApply>(node)) return true;
  }
  return false;
}

// The opaque world: a tree of its own, since checking rewrites it. Nothing but the base is common
// to both worlds, so another thread checks that of a long file at the same time.
class OpaqueWorld {
 public:
  OpaqueWorld(const Environment& base, const syntax::Tree& tree, const syntax::File& file,
              const CheckOptions& options)
      : extended_(startFrom(base, base.program.tree)), copy_{file.file, {}, {}}, options_(options) {
    for (syntax::DeclId declaration : file.declarations) {
      copy_.declarations.push_back(syntax::copyDecl(tree, declaration, extended_->program.tree));
    }
    // So many declarations take some milliseconds, the start of a thread far less.
    constexpr size_t kLong = 1000;
    if (copy_.declarations.size() >= kLong) {
      thread_ = base::startThread([this] { base::onLargeStack([this] { check(); }); });
    }
    if (!isAtWork()) check();
  }
  ~OpaqueWorld() { wait(); }
  OpaqueWorld(const OpaqueWorld&) = delete;
  OpaqueWorld& operator=(const OpaqueWorld&) = delete;

  bool isAtWork() const { return thread_.joinable(); }
  void wait() {
    if (isAtWork()) thread_.join();
  }
  // After `wait`.
  const diag::Sink& said() const { return sink_; }
  std::shared_ptr<const Environment> environment() const { return extended_; }

 private:
  void check() { Checker(*extended_, World::kOpaque, options_, sink_).checkFile(copy_); }

  std::shared_ptr<Environment> extended_;
  syntax::File copy_;
  const CheckOptions& options_;
  diag::Sink sink_;
  std::thread thread_;
};

}  // namespace

EnvironmentRef extend(const EnvironmentRef& base, syntax::Tree tree, const syntax::File& file,
                      const CheckOptions& options, diag::Sink& sink) {
  std::optional<OpaqueWorld> opaque;
  if (!options.is_prelude && (base->opaque || mayHideTypes(tree, base->program.tree))) {
    opaque.emplace(base->opaque ? *base->opaque : *base, tree, file, options);
    if (!opaque->isAtWork() && opaque->said().hasErrors()) {
      addAll(opaque->said(), sink);
      return nullptr;
    }
  }
  diag::Sink unused;
  if (options.warns) warnOfUnused(tree, file, unused);
  std::shared_ptr<Environment> extended = startFrom(*base, std::move(tree));
  // The checks of consumption ask whether there is another world.
  if (opaque) extended->opaque = opaque->environment();
  CheckOptions again = options;
  again.warns = options.warns && !opaque;  // users see the opaque world
  diag::Sink said;
  Checker(*extended, World::kTransparent, again, said).checkFile(file);
  if (opaque) {
    opaque->wait();
    addAll(opaque->said(), sink);
    if (opaque->said().hasErrors()) return nullptr;
  }
  addAll(said, sink);
  if (said.hasErrors()) return nullptr;
  addAll(unused, sink);
  return extended;
}

const Program& program(const Environment& environment) { return environment.program; }

// A parametric module without an application is checked in the opaque world alone.
std::vector<NameUse> nameUses(const Environment& environment) {
  std::vector<NameUse> all = environment.name_uses;
  if (!environment.opaque) return all;
  const std::vector<NameUse>& more = environment.opaque->name_uses;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const Environment& opaqueWorld(const Environment& environment) {
  return environment.opaque ? *environment.opaque : environment;
}

bool isImported(const Environment& environment, const std::string& name) {
  return environment.files.count(name) > 0;
}

syntax::Tree treeOf(const Environment& environment) { return environment.program.tree; }

namespace {

void addVisible(const PreludeBody& prelude, std::vector<std::string>& names) {
  for (const std::string& name : namesOf(prelude, NameKind::kValue)) names.push_back(name);
  for (const std::string& module : namesOf(prelude, NameKind::kModule)) {
    const auto place = findMember(prelude, NameKind::kModule, module);
    for (const std::string& member : namesOf(*place->entry().members, NameKind::kValue)) {
      names.push_back(module + "." + member);
    }
  }
}

}  // namespace

std::vector<std::string> visibleNames(const Environment& environment) {
  std::vector<std::string> names;
  for (const auto& [name, value] : environment.scope->values) names.push_back(name);
  if (environment.prelude) addVisible(*environment.prelude->end().body, names);
  for (const auto& [name, module] : environment.scope->modules) {
    if (!module.scope) continue;
    for (const auto& [member, value] : module.scope->values) names.push_back(name + "." + member);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace halo::types
