// Names in scopes, and declarations of the prelude that are checked because a name was looked up.
//
// Such a declaration is checked by a Checker of its own in the middle of another one's work. Both
// write to the same Program, whose stores only grow.
#include <fmt/format.h>

#include "lang/types/checker.h"
#include "lang/types/infer/derivatives.h"
#include "lang/types/modules/on_demand.h"
#include "lang/types/sorts.h"

namespace halo::types {

// The definitions of the declaration at `place`.
std::shared_ptr<const ModuleScope> OnDemand::checkOnDemand(PreludePlace place) const {
  static const CheckOptions kOptions{.is_prelude = true, .mark_entries = false};
  diag::Sink sink;
  const int depth = static_cast<int>(place.body->path.size());
  Checker checker(environment_, World::kTransparent, kOptions, sink);
  auto scope = checker.declareAt({place, place.body->path, depth, {}}, {},
                                 environment_.prelude->parse(place.entry(), program_.tree));
  HALO_CHECK(!sink.hasErrors(), "a declaration of the prelude has errors");
  return scope;
}

namespace {

// The entry of a table; made by `make` if it is not there. `make` may add others.
template <class Table, class Make>
const typename Table::mapped_type* entryOf(Table& table, uint32_t number, const Make& make) {
  auto found = table.find(number);
  if (found == table.end()) found = table.emplace(number, make()).first;
  return &found->second;
}

}  // namespace

const Value* OnDemand::valueAt(PreludePlace place) const {
  return entryOf(environment_.on_demand.values, place.entry().number,
                 [&] { return checkOnDemand(place)->values.at(place.entry().name); });
}

const TypeAbbreviation* OnDemand::typeAt(PreludePlace place) const {
  return entryOf(environment_.on_demand.types, place.entry().number,
                 [&] { return checkOnDemand(place)->types.at(place.entry().name); });
}

const Module* OnDemand::moduleAt(PreludePlace place) const {
  return entryOf(environment_.on_demand.modules, place.entry().number, [&] {
    auto scope = std::make_shared<ModuleScope>();
    scope->unchecked = place.entry().members;
    return Module{std::move(scope), nullptr, place.entry().span};
  });
}

const ModuleType* OnDemand::moduleTypeAt(PreludePlace place) const {
  return entryOf(environment_.on_demand.module_types, place.entry().number,
                 [&] { return checkOnDemand(place)->module_types.at(place.entry().name); })
      ->get();
}

// ---- in one scope

const Value* OnDemand::valueIn(const ModuleScope& scope, const std::string& name) const {
  auto found = scope.values.find(name);
  if (found != scope.values.end()) return &found->second;
  if (scope.unchecked == nullptr) return nullptr;
  auto place = findMember(*scope.unchecked, NameKind::kValue, name);
  return place ? valueAt(*place) : nullptr;
}

const TypeAbbreviation* OnDemand::typeIn(const ModuleScope& scope, const std::string& name) const {
  auto found = scope.types.find(name);
  if (found != scope.types.end()) return &found->second;
  if (scope.unchecked == nullptr) return nullptr;
  auto place = findMember(*scope.unchecked, NameKind::kType, name);
  return place ? typeAt(*place) : nullptr;
}

const Module* OnDemand::moduleIn(const ModuleScope& scope, const std::string& name) const {
  auto found = scope.modules.find(name);
  if (found != scope.modules.end()) return &found->second;
  if (scope.unchecked == nullptr) return nullptr;
  auto place = findMember(*scope.unchecked, NameKind::kModule, name);
  return place ? moduleAt(*place) : nullptr;
}

const ModuleType* OnDemand::moduleTypeIn(const ModuleScope& scope, const std::string& name) const {
  auto found = scope.module_types.find(name);
  if (found != scope.module_types.end()) return found->second.get();
  if (scope.unchecked == nullptr) return nullptr;
  auto place = findMember(*scope.unchecked, NameKind::kModuleType, name);
  return place ? moduleTypeAt(*place) : nullptr;
}

// Whether the scope has it, without checking it.
bool OnDemand::declaresIn(const ModuleScope& scope, NameKind kind, const std::string& name) const {
  if (kind == NameKind::kValue && scope.values.count(name) > 0) return true;
  if (kind == NameKind::kModule && scope.modules.count(name) > 0) return true;
  return scope.unchecked != nullptr && findMember(*scope.unchecked, kind, name);
}

std::vector<std::string> OnDemand::valuesIn(const ModuleScope& scope) const {
  std::vector<std::string> names;
  for (const auto& [name, value] : scope.values) names.push_back(name);
  if (scope.unchecked != nullptr) {
    for (std::string& name : namesOf(*scope.unchecked, NameKind::kValue)) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

// The scope with everything that it declares: `open` copies it.
ModuleScope OnDemand::complete(const ModuleScope& scope) const {
  ModuleScope all = scope;
  if (scope.unchecked == nullptr) return all;
  for (const std::string& name : namesOf(*scope.unchecked, NameKind::kValue)) {
    all.add(name, *valueIn(scope, name));
  }
  for (const std::string& name : namesOf(*scope.unchecked, NameKind::kType)) {
    all.add(name, *typeIn(scope, name));
  }
  for (const std::string& name : namesOf(*scope.unchecked, NameKind::kModule)) {
    all.add(name, *moduleIn(scope, name));
  }
  all.unchecked = nullptr;
  return all;
}

// ---- at the end of all scopes

const Value* OnDemand::preludeValue(const std::string& name) const {
  auto place =
      context_.where.prelude ? find(*context_.where.prelude, NameKind::kValue, name) : std::nullopt;
  return place ? valueAt(*place) : nullptr;
}

const TypeAbbreviation* OnDemand::preludeType(const std::string& name) const {
  auto place =
      context_.where.prelude ? find(*context_.where.prelude, NameKind::kType, name) : std::nullopt;
  return place ? typeAt(*place) : nullptr;
}

const Module* OnDemand::preludeModule(const std::string& name) const {
  auto place = context_.where.prelude ? find(*context_.where.prelude, NameKind::kModule, name)
                                      : std::nullopt;
  return place ? moduleAt(*place) : nullptr;
}

const ModuleType* OnDemand::preludeModuleType(const std::string& name) const {
  auto place = context_.where.prelude ? find(*context_.where.prelude, NameKind::kModuleType, name)
                                      : std::nullopt;
  return place ? moduleTypeAt(*place) : nullptr;
}

std::vector<std::string> OnDemand::preludeNames(NameKind kind) const {
  return context_.where.prelude ? namesOf(*context_.where.prelude->body, kind)
                                : std::vector<std::string>();
}

// As a module, `module m = import "/prelude/array"`.
Module OnDemand::wholePrelude() const {
  auto scope = std::make_shared<ModuleScope>();
  if (context_.where.prelude) scope->unchecked = context_.where.prelude->body;
  return {std::move(scope), nullptr};
}

// `%` and `**` on floats are definitions of the prelude, which engines find by name.
void OnDemand::needMeaningOf(const PrimMeaning& meaning) const {
  const bool is_library = meaning.op == prim::Op::kPow || meaning.op == prim::Op::kMod;
  if (!is_library || !prim::isFloat(meaning.type) || !environment_.prelude) return;
  const std::string name = meaning.op == prim::Op::kPow ? "pow_" : "fmod_";
  std::vector<prim::ScalarType> types = {meaning.type};
  if (meaning.type == prim::ScalarType::kF16) types.push_back(prim::ScalarType::kF32);
  for (prim::ScalarType type : types) {
    auto place =
        find(environment_.prelude->end(), NameKind::kValue, name + std::string(prim::name(type)));
    if (place) valueAt(*place);
  }
}

// How the definitions that a program uses are differentiated, which engines find by name.
void OnDemand::needDerivatives() const {
  if (!environment_.prelude || !hasDerivatives(program_)) return;
  for (size_t i = 0; i < program_.defs.size(); ++i) {  // a found name adds definitions
    const Def& def = program_.defs[DefId(i)];
    if (!def.is_prelude || def.built_in) continue;
    const std::string name = def.name;
    needValue(partialsName(name));
    needValue(insteadName(name));
  }
}

// How the sorts that a program uses sort rows, which engines find by name.
void OnDemand::needRowSorts() const {
  if (!environment_.prelude) return;
  for (size_t i = 0; i < program_.defs.size(); ++i) {
    const Def& def = program_.defs[DefId(i)];
    if (isSort(def)) needValue(rowSortOf(def));
  }
}

// If the prelude has it.
void OnDemand::needValue(const std::string& name) const {
  const auto place = find(environment_.prelude->end(), NameKind::kValue, name);
  if (place) valueAt(*place);
}

}  // namespace halo::types
