// Tables of names, the stack of scopes, the stack of local names.
#include "lang/types/declare/scope.h"

namespace halo::types {

void ModuleScope::add(const std::string& name, Value value) {
  modules.erase(name);
  values[name] = std::move(value);
}

void ModuleScope::add(const std::string& name, TypeAbbreviation type) {
  types[name] = std::move(type);
}

void ModuleScope::add(const std::string& name, Module module) {
  values.erase(name);
  modules[name] = std::move(module);
}

void ModuleScope::add(const std::string& name, std::shared_ptr<const ModuleType> type) {
  module_types[name] = std::move(type);
}

void ModuleScope::addAll(const ModuleScope& other) {
  for (const auto& [name, value] : other.values) add(name, value);
  for (const auto& [name, type] : other.types) add(name, type);
  for (const auto& [name, module] : other.modules) add(name, module);
  for (const auto& [name, type] : other.module_types) add(name, type);
}

void ModuleScope::addBelow(const ModuleScope& other) {
  for (const auto& [name, value] : other.values) {
    if (!modules.contains(name)) values.try_emplace(name, value);
  }
  for (const auto& [name, type] : other.types) types.try_emplace(name, type);
  for (const auto& [name, module] : other.modules) {
    if (!values.contains(name)) modules.try_emplace(name, module);
  }
  for (const auto& [name, type] : other.module_types) module_types.try_emplace(name, type);
}

size_t ModuleScope::size() const {
  return values.size() + types.size() + modules.size() + module_types.size();
}

// ---- the stack of scopes

namespace {

constexpr size_t kSmall = 32;

}  // namespace

ScopeStack::ScopeStack(const Scopes& captured) {
  for (const auto& scope : captured) push(scope);
}

void ScopeStack::push() { push(std::make_shared<ModuleScope>()); }

void ScopeStack::push(std::shared_ptr<const ModuleScope> scope) {
  frames_.push_back({std::move(scope), nullptr});
}

std::shared_ptr<const ModuleScope> ScopeStack::pop() {
  std::shared_ptr<const ModuleScope> scope = frames_.back().exported;
  if (!scope) scope = frames_.back().is_layer ? merged() : frames_.back().visible;
  while (frames_.back().is_layer) frames_.pop_back();
  frames_.pop_back();
  return scope;
}

// All layers of the innermost scope in one.
std::shared_ptr<ModuleScope> ScopeStack::merged() const {
  size_t lowest = frames_.size() - 1;
  while (frames_[lowest].is_layer) --lowest;
  auto scope = std::make_shared<ModuleScope>(*frames_[lowest].visible);
  for (size_t i = lowest + 1; i < frames_.size(); ++i) scope->addAll(*frames_[i].visible);
  return scope;
}

Scopes ScopeStack::capture() const {
  Scopes scopes;
  for (const Frame& frame : frames_) scopes.push_back(frame.visible);
  return scopes;
}

void ScopeStack::open(const ModuleScope& module, bool is_local) {
  if (is_local) keepApart();
  changed().addAll(module);
  if (!is_local && frames_.back().exported) frames_.back().exported->addAll(module);
}

void ScopeStack::include(std::shared_ptr<const ModuleScope> members) {
  Frame& top = frames_.back();
  const bool is_plain = !top.is_layer && !top.exported;
  const bool are_owned = top.visible.use_count() == 1 && members.use_count() == 1;
  if (!is_plain || !are_owned || members->size() <= top.visible->size()) {
    return open(*members, false);
  }
  std::swap(top.visible, members);
  changed().addBelow(*members);
}

// Scopes made here are not const objects; one whose count is 1 has no other owner.
ModuleScope& ScopeStack::changed() {
  if (frames_.back().visible.use_count() > 1) {
    if (frames_.back().visible->size() < kSmall) {
      frames_.back().visible = std::make_shared<ModuleScope>(*frames_.back().visible);
    } else {
      addLayer();
    }
  }
  return const_cast<ModuleScope&>(*frames_.back().visible);
}

void ScopeStack::addLayer() {
  Frame layer{std::make_shared<ModuleScope>(), std::move(frames_.back().exported), true};
  while (frames_.back().is_layer) {
    const Frame& below = frames_[frames_.size() - 2];
    if (below.visible->size() > 2 * frames_.back().visible->size()) break;
    auto both = std::make_shared<ModuleScope>(*below.visible);
    both->addAll(*frames_.back().visible);
    frames_.pop_back();
    frames_.back().visible = std::move(both);
  }
  frames_.push_back(std::move(layer));
}

// From now on some names are seen here only.
void ScopeStack::keepApart() {
  if (!frames_.back().exported) frames_.back().exported = merged();
}

// ---- local names

void LocalScope::popTo(size_t mark) {
  while (values_.size() > mark) {
    by_name_[values_.back().name].pop_back();
    values_.pop_back();
  }
}

void LocalScope::add(LocalValue value) {
  by_name_[value.name].push_back(values_.size());
  values_.push_back(std::move(value));
}

const LocalValue* LocalScope::find(const std::string& name) const {
  auto found = by_name_.find(name);
  if (found == by_name_.end() || found->second.empty()) return nullptr;
  return &values_[found->second.back()];
}

std::vector<std::string> LocalScope::names() const {
  std::vector<std::string> names;
  for (const LocalValue& value : values_) names.push_back(value.name);
  return names;
}

}  // namespace halo::types
