// Module expressions: bodies, imports, and applications of parametric modules, which are checked
// anew for each argument.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/types/part.h"

namespace halo::types {

class ModuleEvaluator : CheckerPart {
 public:
  explicit ModuleEvaluator(const CheckerParts& parts)
      : CheckerPart(parts),
        on_demand_(parts.on_demand),
        names_(parts.names),
        signatures_(parts.signatures),
        declarations_(parts.declarations) {}

  void declareModule(const syntax::ModuleDecl& node, bool is_local);
  void declareModuleType(const syntax::ModuleTypeDecl& node, bool is_local);
  void declareOpen(const syntax::OpenDecl& open, bool is_local);
  void declareImport(const syntax::ImportDecl& import);
  Module apply(const ParametricModule& function, const Module& argument, Span span);
  Module unknownModule(const syntax::ModuleParameter& parameter);
  bool isTooMuch(Span span);  // and reports it
  syntax::ModuleExprId copyOf(syntax::ModuleExprId module);

 private:
  Module evaluate(syntax::ModuleExprId id);
  Module evaluateBody(const syntax::ModuleBody& body);
  Module parametricModule(const std::vector<syntax::ModuleParameter>& parameters,
                          syntax::ModuleTypeId result, syntax::ModuleExprId body);
  void checkParametric(const std::vector<syntax::ModuleParameter>& parameters,
                       syntax::ModuleTypeId result, syntax::ModuleExprId body);
  Module applyBody(const WrittenModule& written, Span span);
  Module import(const std::string& path, Span span);

  OnDemand& on_demand_;
  Names& names_;
  SignatureMatcher& signatures_;
  Declarations& declarations_;
  size_t copied_ = 0;  // nodes of modules and module types, checked anew
  bool is_too_much_reported_ = false;
};

}  // namespace halo::types
