// Names in scopes, and declarations of the prelude that are checked because a name was looked up.
//
// Such a declaration is checked by a Checker of its own in the middle of another one's work. Both
// write to the same Program, whose stores only grow.
#include <fmt/format.h>

#include "lang/types/checker.h"
#include "lang/types/infer/derivatives.h"

namespace halo::types {

// The definitions of the declaration at `place`.
std::shared_ptr<const ModuleScope> Checker::checkOnDemand(PreludePlace place) const {
  static const CheckOptions kOptions{.is_prelude = true, .mark_entries = false};
  diag::Sink sink;
  Checker checker(environment_, World::kTransparent, kOptions, sink);
  checker.scopes_ = ScopeStack();
  checker.scopes_.push();
  checker.prelude_ = place;
  checker.module_names_ = place.body->path;
  checker.module_depth_ = static_cast<int>(place.body->path.size());
  checker.declare(environment_.prelude->parse(place.entry(), program_.tree));
  HALO_CHECK(!sink.hasErrors(), "a declaration of the prelude has errors");
  return checker.scopes_.pop();
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

const Value* Checker::valueAt(PreludePlace place) const {
  return entryOf(environment_.on_demand.values, place.entry().number,
                 [&] { return checkOnDemand(place)->values.at(place.entry().name); });
}

const TypeAbbreviation* Checker::typeAt(PreludePlace place) const {
  return entryOf(environment_.on_demand.types, place.entry().number,
                 [&] { return checkOnDemand(place)->types.at(place.entry().name); });
}

const Module* Checker::moduleAt(PreludePlace place) const {
  return entryOf(environment_.on_demand.modules, place.entry().number, [&] {
    auto scope = std::make_shared<ModuleScope>();
    scope->unchecked = place.entry().members;
    return Module{std::move(scope), nullptr, place.entry().span};
  });
}

const ModuleType* Checker::moduleTypeAt(PreludePlace place) const {
  return entryOf(environment_.on_demand.module_types, place.entry().number,
                 [&] { return checkOnDemand(place)->module_types.at(place.entry().name); })
      ->get();
}

// ---- in one scope

const Value* Checker::valueIn(const ModuleScope& scope, const std::string& name) const {
  auto found = scope.values.find(name);
  if (found != scope.values.end()) return &found->second;
  if (scope.unchecked == nullptr) return nullptr;
  auto place = findMember(*scope.unchecked, NameKind::kValue, name);
  return place ? valueAt(*place) : nullptr;
}

const TypeAbbreviation* Checker::typeIn(const ModuleScope& scope, const std::string& name) const {
  auto found = scope.types.find(name);
  if (found != scope.types.end()) return &found->second;
  if (scope.unchecked == nullptr) return nullptr;
  auto place = findMember(*scope.unchecked, NameKind::kType, name);
  return place ? typeAt(*place) : nullptr;
}

const Module* Checker::moduleIn(const ModuleScope& scope, const std::string& name) const {
  auto found = scope.modules.find(name);
  if (found != scope.modules.end()) return &found->second;
  if (scope.unchecked == nullptr) return nullptr;
  auto place = findMember(*scope.unchecked, NameKind::kModule, name);
  return place ? moduleAt(*place) : nullptr;
}

const ModuleType* Checker::moduleTypeIn(const ModuleScope& scope, const std::string& name) const {
  auto found = scope.module_types.find(name);
  return found == scope.module_types.end() ? nullptr : found->second.get();
}

// Whether the scope has it, without checking it.
bool Checker::declaresIn(const ModuleScope& scope, NameKind kind, const std::string& name) const {
  if (kind == NameKind::kValue && scope.values.count(name) > 0) return true;
  if (kind == NameKind::kModule && scope.modules.count(name) > 0) return true;
  return scope.unchecked != nullptr && findMember(*scope.unchecked, kind, name);
}

std::vector<std::string> Checker::valuesIn(const ModuleScope& scope) const {
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
ModuleScope Checker::complete(const ModuleScope& scope) const {
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

const Value* Checker::preludeValue(const std::string& name) const {
  auto place = prelude_ ? find(*prelude_, NameKind::kValue, name) : std::nullopt;
  return place ? valueAt(*place) : nullptr;
}

const TypeAbbreviation* Checker::preludeType(const std::string& name) const {
  auto place = prelude_ ? find(*prelude_, NameKind::kType, name) : std::nullopt;
  return place ? typeAt(*place) : nullptr;
}

const Module* Checker::preludeModule(const std::string& name) const {
  auto place = prelude_ ? find(*prelude_, NameKind::kModule, name) : std::nullopt;
  return place ? moduleAt(*place) : nullptr;
}

const ModuleType* Checker::preludeModuleType(const std::string& name) const {
  auto place = prelude_ ? find(*prelude_, NameKind::kModuleType, name) : std::nullopt;
  return place ? moduleTypeAt(*place) : nullptr;
}

std::vector<std::string> Checker::preludeNames(NameKind kind) const {
  return prelude_ ? namesOf(*prelude_->body, kind) : std::vector<std::string>();
}

// `%` and `**` on floats are definitions of the prelude, which engines find by name.
void Checker::needMeaningOf(const PrimMeaning& meaning) const {
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
void Checker::needDerivatives() const {
  if (!environment_.prelude || !hasDerivatives(program_)) return;
  for (size_t i = 0; i < program_.defs.size(); ++i) {  // a found name adds definitions
    const Def& def = program_.defs[DefId(i)];
    if (!def.is_prelude || def.built_in) continue;
    const std::string name = def.name;
    needValue(partialsName(name));
    needValue(insteadName(name));
  }
}

// If the prelude has it.
void Checker::needValue(const std::string& name) const {
  const auto place = find(environment_.prelude->end(), NameKind::kValue, name);
  if (place) valueAt(*place);
}

}  // namespace halo::types
