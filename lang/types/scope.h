// Names at top level and inside definitions. Modules are immutable once complete and shared between
// environments; local variables form a stack.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/types/inference.h"

namespace halo::types {

// `type t [n] 'a = ..`: `order` says for each parameter, in the order written, whether it is a
// size.
struct TypeAbbreviation {
  std::vector<BinderId> size_parameters;
  std::vector<TypeParamId> type_parameters;
  TypeId type;
};

struct ModuleScope {
  std::unordered_map<std::string, DefId> values;
  std::unordered_map<std::string, TypeAbbreviation> types;
  std::unordered_map<std::string, std::shared_ptr<const ModuleScope>> modules;

  // Everything of `other`, shadowing what is here: `open`.
  void addAll(const ModuleScope& other);
};

// A local function with its own parameters, made anew at each use.
struct LocalScheme {
  std::vector<TypeParamId> type_parameters;
  std::vector<BinderId> size_parameters;
};

struct LocalValue {
  std::string name;
  BinderId binder;
  TypeRef type;
  LocalScheme scheme;
};

class LocalScope {
 public:
  size_t mark() const { return values_.size(); }
  void popTo(size_t mark);
  void add(LocalValue value);
  const LocalValue* find(const std::string& name) const;
  std::vector<std::string> names() const;

  // Type parameters in scope, innermost last.
  std::vector<std::pair<std::string, TypeParamId>> type_params;

 private:
  std::vector<LocalValue> values_;
  std::unordered_map<std::string, std::vector<size_t>> by_name_;
};

}  // namespace halo::types
