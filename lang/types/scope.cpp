// The stack of local names, and opening of modules.
#include "lang/types/scope.h"

namespace halo::types {

void ModuleScope::addAll(const ModuleScope& other) {
  for (const auto& [name, def] : other.values) values[name] = def;
  for (const auto& [name, type] : other.types) types[name] = type;
  for (const auto& [name, module] : other.modules) modules[name] = module;
}

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
