// Signature ascription: a module as a module type shows it, and whether it fits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/types/part.h"

namespace halo::types {

class SignatureMatcher : CheckerPart {
 public:
  explicit SignatureMatcher(const CheckerParts& parts)
      : CheckerPart(parts),
        on_demand_(parts.on_demand),
        names_(parts.names),
        elaborator_(parts.elaborator),
        modules_(parts.modules),
        sizes_(parts.sizes),
        declarations_(parts.declarations) {}

  // A module as a module type shows it.
  enum class Ascription {
    kNone,         // no module is given: abstract types are new, values have no body
    kTransparent,  // abstract types are those of the module
    kOpaque,       // abstract types are new, values are the module's
  };
  struct Refinement {  // `with a.t = ..`
    std::vector<std::string> path;
    TypeAbbreviation type;
    syntax::QualifiedName name;
    bool is_used = false;
  };
  struct SignatureMatch {
    Ascription ascription;
    Span span;             // of the module, for messages
    bool compare = false;  // whether the module fits is not known yet
    bool fits = true;
    std::vector<std::string> path = {};  // of nested modules
    std::vector<Refinement> refinements = {};
    bool types_fit = true;  // else values do not, either: that follows
    std::vector<std::pair<std::string, Span>> missing = {};  // values of the innermost module type
  };
  Module ascribe(const Module& module, syntax::ModuleTypeId type, Span span);
  bool checkModuleType(syntax::ModuleTypeId type);
  Module matchSignature(const Module* module, syntax::ModuleTypeId type, SignatureMatch& match);
  syntax::TypeExprId copyOf(syntax::TypeExprId type);

 private:
  Module matchNamed(const Module* module, const syntax::ModuleTypeName& name,
                    SignatureMatch& match);
  Module matchWith(const Module* module, const syntax::ModuleTypeWith& with, SignatureMatch& match);
  Module matchArrow(const Module* module, const syntax::ModuleTypeArrow& arrow,
                    SignatureMatch& match);
  Module matchBody(const Module* module, const syntax::ModuleTypeBody& body, SignatureMatch& match);
  void matchSpec(const Module* module, syntax::SpecId spec, SignatureMatch& match);
  void matchType(const Module* module, const syntax::TypeSpec& spec, SignatureMatch& match);
  void matchValue(const Module* module, const syntax::ValDecl& spec, SignatureMatch& match);
  void reportMissing(SignatureMatch& match);
  void requireNamedSizes(const Scheme& scheme, const syntax::ValDecl& spec);
  void matchModule(const Module* module, const syntax::ModuleSpec& spec, SignatureMatch& match);
  void fitParameters(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                     const syntax::Identifier& name, SignatureMatch& match);
  void fitAbstract(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                   const syntax::Identifier& name, SignatureMatch& match);
  void fitSizes(const TypeAbbreviation& found, const syntax::Identifier& name,
                SignatureMatch& match);
  bool fitRefinement(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                     const syntax::Identifier& name, SignatureMatch& match);
  void fitManifest(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                   const syntax::Identifier& name, SignatureMatch& match);
  void fitValue(const Value& found, const Scheme& needed, const syntax::ValDecl& spec,
                SignatureMatch& match);
  void doesNotFit(SignatureMatch& match, Span where, std::string message);
  std::string shown(const SignatureMatch& match, const std::string& name) const;
  syntax::TypeExprId ownType(syntax::TypeExprId type);
  Refinement* refinementOf(const std::string& name, SignatureMatch& match);
  void noteRefined(const syntax::ModuleSpec& spec, const SignatureMatch& match);

  OnDemand& on_demand_;
  Names& names_;
  TypeElaborator& elaborator_;
  ModuleEvaluator& modules_;
  SizeExpressions& sizes_;
  Declarations& declarations_;
};

}  // namespace halo::types
