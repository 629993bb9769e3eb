// Stores only grow, so that ids stay valid: to forget is to copy the rest.
#include "lang/types/forget.h"

#include "lang/types/environment.h"
#include "lang/types/sizes/given.h"

namespace halo::types {

namespace {

template <typename T, typename IdType>
void cut(base::Store<T, IdType>& store, size_t size) {
  base::Store<T, IdType> rest;
  for (size_t i = 0; i < size; ++i) rest.add(std::move(store[IdType(i)]));
  store = std::move(rest);
}

void cutTables(Program& program, size_t exprs, size_t patterns) {
  program.type_of.truncate(exprs);
  program.use_of.truncate(exprs);
  program.literal_of.truncate(exprs);
  program.binds.truncate(exprs);
  program.size_names.truncate(exprs);
  program.local_function.truncate(exprs);
  program.loop_variable.truncate(exprs);
  program.coerced_to.truncate(exprs);
  program.loop_sizes.truncate(exprs);
  program.pattern_type.truncate(patterns);
  program.binder_of.truncate(patterns);
}

void cutStores(Program& program, const Extent& extent) {
  syntax::Tree& tree = program.tree;
  cutTables(program, extent.tree[0], extent.tree[1]);
  tree.exprs.truncate(extent.tree[0]);
  cut(tree.patterns, extent.tree[1]);
  cut(tree.types, extent.tree[2]);
  cut(tree.decls, extent.tree[3]);
  cut(tree.modules, extent.tree[4]);
  cut(tree.module_types, extent.tree[5]);
  cut(tree.specs, extent.tree[6]);
  cut(program.types, extent.entities[0]);
  cut(program.sizes, extent.entities[1]);
  cut(program.binders, extent.entities[2]);
  cut(program.type_params, extent.entities[3]);
  cut(program.defs, extent.defs);
}

// A type without its stores.
struct Loose {
  TypeNode node;
  int64_t size = 0;          // of an array
  std::vector<Loose> parts;  // element, fields, or payloads one behind the other
};

std::optional<Loose> loosened(const Program& program, TypeId id) {
  Loose loose{program.types[id], 0, {}};
  std::vector<TypeId> parts;
  if (const auto* array = std::get_if<ArrayType>(&loose.node)) {
    const auto* size = std::get_if<SizeConst>(&program.sizes[array->size]);
    if (size == nullptr) return std::nullopt;
    loose.size = size->value;
    parts = {array->element};
  } else if (const auto* record = std::get_if<RecordType>(&loose.node)) {
    parts = record->fields;
  } else if (const auto* sum = std::get_if<SumType>(&loose.node)) {
    for (const auto& payload : sum->payloads) {
      parts.insert(parts.end(), payload.begin(), payload.end());
    }
  } else if (!std::holds_alternative<ScalarTypeNode>(loose.node)) {
    return std::nullopt;
  }
  for (TypeId part : parts) {
    auto inner = loosened(program, part);
    if (!inner) return std::nullopt;
    loose.parts.push_back(std::move(*inner));
  }
  return loose;
}

TypeId fastened(Program& program, Loose loose) {
  std::vector<TypeId> parts;
  for (Loose& part : loose.parts) parts.push_back(fastened(program, std::move(part)));
  if (auto* array = std::get_if<ArrayType>(&loose.node)) {
    *array = {program.sizes.add(SizeConst{loose.size}), parts[0]};
  } else if (auto* record = std::get_if<RecordType>(&loose.node)) {
    record->fields = std::move(parts);
  } else if (auto* sum = std::get_if<SumType>(&loose.node)) {
    size_t next = 0;
    for (auto& payload : sum->payloads) {
      for (TypeId& field : payload) field = parts[next++];
    }
  }
  return program.types.add(std::move(loose.node));
}

}  // namespace

Extent extentOf(const Environment& environment) {
  const Program& program = environment.program;
  const syntax::Tree& tree = program.tree;
  const auto& on_demand = environment.on_demand;
  return {{tree.exprs.size(), tree.patterns.size(), tree.types.size(), tree.decls.size(),
           tree.modules.size(), tree.module_types.size(), tree.specs.size()},
          {program.types.size(), program.sizes.size(), program.binders.size(),
           program.type_params.size()},
          program.defs.size(),
          on_demand.values.size() + on_demand.types.size() + on_demand.modules.size() +
              on_demand.module_types.size() + environment.files.size() + environment.lifted.size() +
              environment.hiding_copies.size()};
}

bool isLeftOver(const Environment& environment, const Extent& extent, const std::string& name) {
  if (environment.opaque != nullptr || extentOf(environment).tables != extent.tables) return false;
  const auto& defs = environment.program.defs;
  for (size_t i = extent.defs; i < defs.size(); ++i) {
    const Def& def = defs[DefId(i)];
    const bool has_failed = !def.type.valid();
    if (!has_failed && (def.is_prelude || def.name != name)) return false;
  }
  return true;
}

std::optional<DefId> forgetBehind(EnvironmentRef& environment, const Extent& extent,
                                  DefId constant) {
  const Program& whole = environment->program;
  if (environment.use_count() != 1 || !isGiven(whole.defs[constant])) return std::nullopt;
  auto type = loosened(whole, whole.defs[constant].type);
  if (!type) return std::nullopt;
  // Made as a variable one, a constant to all others.
  Environment& changed = *std::const_pointer_cast<Environment>(environment);
  Def def = changed.program.defs[constant];
  cutStores(changed.program, extent);
  const auto is_behind = [&](const auto& entry) { return entry.first.index >= extent.defs; };
  std::erase_if(changed.constants, is_behind);
  std::erase_if(changed.constant_sizes, is_behind);
  def.type = def.result = fastened(changed.program, std::move(*type));
  const std::string name = def.name;
  const DefId moved = changed.program.defs.add(std::move(def));
  auto scope = std::make_shared<ModuleScope>(*changed.scope);
  scope->add(name, Value{moved});
  changed.scope = std::move(scope);
  return moved;
}

}  // namespace halo::types
