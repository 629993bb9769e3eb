// Which given constants an entry reaches, how a definition becomes one, and growing in place.
#include "lang/types/sizes/given.h"

#include <algorithm>
#include <unordered_set>

#include "lang/syntax/visit.h"
#include "lang/types/checker.h"

namespace halo::types {

namespace {

class Reach {
 public:
  explicit Reach(const Program& program) : program_(program) {}

  std::vector<DefId> given(DefId entry) {
    visit(entry);
    // Sizes that are expressions stand in types: all of them count.
    for (const SizeNode& size : program_.sizes) {
      if (auto* expression = std::get_if<SizeExpression>(&size)) todo_.push_back(expression->value);
    }
    while (!todo_.empty()) {
      const ExprId expr = todo_.back();
      todo_.pop_back();
      if (const auto& use = program_.use_of.at(expr)) {
        if (auto* target = std::get_if<DefTarget>(&use->target)) visit(target->def);
      }
      syntax::forEachChild(program_.tree.exprs[expr].node,
                           [&](ExprId child) { todo_.push_back(child); });
    }
    std::sort(given_.begin(), given_.end());
    return given_;
  }

 private:
  void visit(DefId id) {
    if (!seen_.insert(id).second) return;
    const Def& def = program_.defs[id];
    if (isGiven(def)) given_.push_back(id);
    if (def.body.valid()) todo_.push_back(def.body);
  }

  const Program& program_;
  std::unordered_set<DefId> seen_;
  std::vector<ExprId> todo_;
  std::vector<DefId> given_;
};

// A type with the extents of a value of it.
class Shaped {
 public:
  Shaped(Program& program, const std::vector<std::vector<int64_t>>& leaves)
      : program_(program), leaves_(leaves) {}

  TypeId of(TypeId id, size_t axis = 0) {
    const TypeNode node = program_.types[id];  // adding moves nodes
    if (auto* array = std::get_if<ArrayType>(&node)) return ofArray(id, *array, axis);
    if (auto* record = std::get_if<RecordType>(&node)) {
      RecordType shaped = *record;
      for (TypeId& field : shaped.fields) field = of(field, axis);
      return program_.types.add(std::move(shaped));
    }
    next_ += leaves(program_, id).size();
    return id;
  }

 private:
  TypeId ofArray(TypeId id, const ArrayType& array, size_t axis) {
    const size_t leaf = next_;
    const TypeId element = of(array.element, axis + 1);
    if (next_ == leaf) return id;  // of units: no component shows how many there are
    const SizeId size = program_.sizes.add(SizeConst{leaves_[leaf][axis]});
    return program_.types.add(ArrayType{size, element});
  }

  Program& program_;
  const std::vector<std::vector<int64_t>>& leaves_;
  size_t next_ = 0;
};

// The environment to change: itself if it has no other owner.
// It is a constant to all others.
std::shared_ptr<Environment> owned(EnvironmentRef& environment) {
  const bool is_mine = environment.use_count() == 1;
  auto changed = is_mine ? std::const_pointer_cast<Environment>(environment)
                         : std::make_shared<Environment>(*environment);
  environment = changed;
  return changed;
}

void restore(Environment& environment, const Mark& mark) {
  environment.scope = mark.scope;
  environment.files = mark.files;
  environment.imports = mark.imports;
  environment.opaque = mark.opaque;
  for (size_t i = mark.defs; i < environment.program.defs.size(); ++i) {
    Def& def = environment.program.defs[DefId(i)];
    if (!def.is_prelude) def = {};  // definitions checked on demand stay
  }
}

}  // namespace

bool isGiven(const Def& def) {
  return !def.body.valid() && !def.built_in && def.parameters.empty() && def.type.valid();
}

std::vector<DefId> givenFor(const Program& program, DefId entry) {
  const bool is_any = std::any_of(program.defs.begin(), program.defs.end(), isGiven);
  return is_any ? Reach(program).given(entry) : std::vector<DefId>{};
}

Mark mark(const Environment& environment) {
  return {environment.scope, environment.files, environment.imports, environment.opaque,
          environment.program.defs.size()};
}

void rewind(EnvironmentRef& environment, const Mark& mark) { restore(*owned(environment), mark); }

namespace {

// Abstract types need a second world, of which `extend` checks a copy.
bool growTwoWorlds(EnvironmentRef& environment, const Parse& parse, const CheckOptions& options,
                   diag::Sink& sink) {
  const size_t errors = sink.errorCount();
  syntax::Tree tree = treeOf(*environment);
  const syntax::File file = parse(tree);
  if (sink.errorCount() != errors) return false;
  EnvironmentRef extended = extend(environment, std::move(tree), file, options, sink);
  if (extended == nullptr) return false;
  environment = std::move(extended);
  return true;
}

}  // namespace

bool grow(EnvironmentRef& environment, const Parse& parse, const CheckOptions& options,
          diag::Sink& sink) {
  if (environment->opaque) return growTwoWorlds(environment, parse, options, sink);
  const size_t errors = sink.errorCount();
  const std::shared_ptr<Environment> changed = owned(environment);
  const Mark before = mark(*changed);
  const syntax::File file = parse(changed->program.tree);
  if (sink.errorCount() == errors) {
    Checker(*changed, World::kTransparent, options, sink).checkFile(file);
  }
  if (sink.errorCount() == errors) return true;
  restore(*changed, before);
  return false;
}

void giveValue(EnvironmentRef& environment, DefId constant,
               const std::vector<std::vector<int64_t>>& leaves) {
  const std::shared_ptr<Environment> changed = owned(environment);
  const TypeId type = Shaped(changed->program, leaves).of(changed->program.defs[constant].type);
  Def& def = changed->program.defs[constant];
  def.type = def.result = type;
  def.body = {};
}

void forgetImports(EnvironmentRef& environment) {
  if (environment->files.empty()) return;
  const std::shared_ptr<Environment> changed = owned(environment);
  changed->files.clear();
  if (changed->opaque) {
    EnvironmentRef opaque = changed->opaque;
    forgetImports(opaque);
    changed->opaque = std::move(opaque);
  }
}

std::optional<DefId> findValue(const Environment& environment, const std::string& name) {
  const ModuleScope* scope = environment.scope.get();
  size_t at = 0;
  for (size_t point = 0; (point = name.find('.', at)) != std::string::npos; at = point + 1) {
    const auto module = scope->modules.find(name.substr(at, point - at));
    if (module == scope->modules.end() || !module->second.scope) return std::nullopt;
    scope = module->second.scope.get();
  }
  const auto value = scope->values.find(name.substr(at));
  if (value == scope->values.end()) return std::nullopt;
  return value->second.def;
}

}  // namespace halo::types
