// What checked files have declared. A later file extends a copy of it (check.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/types/check.h"
#include "lang/types/declare/scope.h"

namespace halo::types {

// A function with lifted type parameters, as written, and its surroundings (hiding_types.cpp).
struct LiftedFunction {
  syntax::DeclId decl;
  Scopes scopes;
  std::optional<PreludePlace> prelude;
  std::vector<std::string> module_names;
};

class Environment {
 public:
  Program program;
  std::shared_ptr<const ModuleScope> scope = std::make_shared<ModuleScope>();
  // The scopes of imported files, by the path that CheckOptions::import_as gave them.
  std::unordered_map<std::string, std::shared_ptr<const ModuleScope>> files;
  // The imports of each checked file: the body of a parametric module is checked again at every
  // application, also by other files.
  std::unordered_map<source::FileId, ImportNames> imports;
  std::unordered_map<DefId, int64_t> constants;  // `def n = 10`: usable as a size
  // The sizes in the type of a constant that it alone knows, and their expressions in uses.
  std::unordered_map<DefId, std::vector<std::pair<BinderId, ExprId>>> constant_sizes;
  std::unordered_map<DefId, LiftedFunction> lifted;
  // Their copies for types that hide sizes, by the form of these; none where there can be no copy.
  std::unordered_map<std::string, std::optional<DefId>> hiding_copies;
  // Functions that sizes call, by what they say (size_functions.cpp); none that cannot stand alone.
  std::unordered_map<std::string, std::optional<DefId>> size_functions;
  std::unordered_map<DefId, std::string> size_meanings;  // the same for all types
  // The prelude, checked on demand, and its checked parts by the numbers of its entries.
  std::shared_ptr<const Prelude> prelude;
  struct {
    std::unordered_map<uint32_t, Value> values;
    std::unordered_map<uint32_t, TypeAbbreviation> types;
    std::unordered_map<uint32_t, Module> modules;
    std::unordered_map<uint32_t, std::shared_ptr<const ModuleType>> module_types;
  } on_demand;
  std::vector<NameUse> name_uses;
  // The same declarations with abstract types opaque (README, two worlds); none while there is no
  // difference.
  std::shared_ptr<const Environment> opaque;
};

}  // namespace halo::types
