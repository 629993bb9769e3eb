// Name resolution: values, types and modules by qualified names, new names, the type of each use.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/types/part.h"

namespace halo::types {

class Names : CheckerPart {
 public:
  explicit Names(const CheckerParts& parts)
      : CheckerPart(parts), on_demand_(parts.on_demand), sizes_(parts.sizes), exprs_(parts.exprs) {}

  void reportUnknownType(const syntax::QualifiedName& name);
  const Value* findValue(const syntax::QualifiedName& name) const;
  std::optional<DefId> findDef(const syntax::QualifiedName& name) const;
  const TypeAbbreviation* findType(const syntax::QualifiedName& name) const;
  const Module* findModule(const std::vector<std::string>& path) const;
  // Whether the name is a value where an outer scope has a module of that name.
  bool hidesModule(const syntax::QualifiedName& name) const;
  const ModuleType* findModuleType(const syntax::QualifiedName& name) const;
  const LocalValue* findLocal(const std::string& name) const;
  void note(const syntax::QualifiedName& name, const Span& definition);
  void reportUnknownName(const syntax::QualifiedName& name);
  void reportUnknownModule(const syntax::QualifiedName& name);
  void reportUnknownModuleType(const syntax::QualifiedName& name);
  BinderId newBinder(const std::string& name, Span span, TypeRef type);
  BinderId newSizeBinder(const std::string& name, Span span);
  TypeRef useDef(ExprId expr, DefId def);
  TypeRef instantiate(const Scheme& scheme, Span span);
  std::optional<TypeRef> useName(ExprId expr, const syntax::QualifiedName& name);
  // How many parts of `r.a.b` name the value; the others are fields of it. 0: unknown.
  size_t valueLength(const syntax::QualifiedName& name) const;
  TypeRef inferLocalOpen(const syntax::LocalOpen& node, TypeRef hint);

 private:
  std::optional<Span> definedBelow(const syntax::QualifiedName& name) const;
  void helpForUnknown(diag::Diagnostic& diagnostic, const syntax::QualifiedName& name) const;
  std::string membersNamed(const std::string& name) const;
  // The same where only a module with members will do.
  const ModuleScope* findMembers(const std::vector<std::string>& path) const;
  void noteQualifiers(const syntax::QualifiedName& name);
  // `m.(e)`: the names of m hide all others until `closeModule`. False: reported.
  bool openModule(const syntax::QualifiedName& module);
  void closeModule();
  bool followsBroken(const syntax::QualifiedName& name) const;
  std::vector<std::string> visible() const;
  std::vector<std::string> ownValues() const;
  std::vector<std::string> ownTypes() const;
  std::vector<std::string> visibleModules() const;
  TypeRef useValue(ExprId expr, const Value& value);
  TypeRef useCurrent(ExprId expr);
  TypeRef useLocal(ExprId expr, const LocalValue& local);

  OnDemand& on_demand_;
  SizeExpressions& sizes_;
  ExprInferrer& exprs_;
  std::vector<size_t> opened_;  // by open `m.(e)`: how many locals came before
};

}  // namespace halo::types
