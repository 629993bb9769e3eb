// Members of scopes, and declarations of the prelude, which are checked when a name is looked up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/types/part.h"

namespace halo::types {

class OnDemand : CheckerPart {
 public:
  explicit OnDemand(const CheckerParts& parts) : CheckerPart(parts) {}

  const Value* valueIn(const ModuleScope& scope, const std::string& name) const;
  const TypeAbbreviation* typeIn(const ModuleScope& scope, const std::string& name) const;
  const Module* moduleIn(const ModuleScope& scope, const std::string& name) const;
  const ModuleType* moduleTypeIn(const ModuleScope& scope, const std::string& name) const;
  bool declaresIn(const ModuleScope& scope, NameKind kind, const std::string& name) const;
  std::vector<std::string> valuesIn(const ModuleScope& scope) const;
  ModuleScope complete(const ModuleScope& scope) const;
  const Value* preludeValue(const std::string& name) const;
  const TypeAbbreviation* preludeType(const std::string& name) const;
  const Module* preludeModule(const std::string& name) const;
  const ModuleType* preludeModuleType(const std::string& name) const;
  std::vector<std::string> preludeNames(NameKind kind) const;
  Module wholePrelude() const;
  void needMeaningOf(const PrimMeaning& meaning) const;
  void needDerivatives() const;
  void needRowSorts() const;

 private:
  std::shared_ptr<const ModuleScope> checkOnDemand(PreludePlace place) const;
  const Value* valueAt(PreludePlace place) const;
  const TypeAbbreviation* typeAt(PreludePlace place) const;
  const Module* moduleAt(PreludePlace place) const;
  const ModuleType* moduleTypeAt(PreludePlace place) const;
  void needValue(const std::string& name) const;
};

}  // namespace halo::types
