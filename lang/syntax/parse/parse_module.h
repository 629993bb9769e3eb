// Internal to the parser: modules, module types and specs.
#pragma once

#include <optional>
#include <vector>

#include "lang/syntax/parse/rules.h"

namespace halo::syntax {

class ModuleParser : Rules {
 public:
  explicit ModuleParser(Parser& parser) : Rules(parser) {}

  DeclNode moduleDecl();
  ModuleExprId moduleExpr();

 private:
  ModuleExprId moduleLambda();
  ModuleExprId moduleApplication();
  ModuleExprId moduleAtom();
  bool startsModuleAtom() const;
  ModuleParameter moduleParameter();
  ModuleTypeId moduleType();
  ModuleTypeId moduleTypeWith();
  ModuleTypeId moduleTypeAtom();
  std::vector<SpecId> specs();
  std::optional<SpecId> spec();
  SpecNode specBody();
  SpecNode nestedModuleType();
};

}  // namespace halo::syntax
