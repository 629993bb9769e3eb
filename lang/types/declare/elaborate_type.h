// From type expressions to types, with the sizes that `[]` stands for; declared types.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/types/part.h"

namespace halo::types {

class TypeElaborator : CheckerPart {
 public:
  explicit TypeElaborator(const CheckerParts& parts)
      : CheckerPart(parts),
        names_(parts.names),
        signatures_(parts.signatures),
        sizes_(parts.sizes),
        exprs_(parts.exprs),
        declarations_(parts.declarations),
        finisher_(parts.finisher) {}

  void declareType(const syntax::TypeDecl& node, bool is_local);
  // `declared`: how lifted the declaration says it is; none: as its definition is.
  TypeAbbreviation elaborateAbbreviation(const syntax::Identifier& name,
                                         const std::vector<syntax::TypeParameter>& parameters,
                                         syntax::TypeExprId type,
                                         std::optional<syntax::Lift> declared);
  TypeAbbreviation abstractType(const syntax::Identifier& name,
                                const std::vector<syntax::TypeParameter>& parameters,
                                syntax::Lift lift);
  Scheme elaborateScheme(const std::vector<syntax::TypeParameter>& parameters,
                         syntax::TypeExprId type);
  TypeRef elaborate(syntax::TypeExprId type, Anonymous mode);
  Size anonymousSize(Span span, Anonymous mode);

 private:
  struct ParameterSizes {
    std::vector<BinderId>* sizes;
    Anonymous mode;
  };
  void checkAbbreviation(const syntax::Identifier& name, const TypeAbbreviation& abbreviation,
                         syntax::TypeExprId type, std::optional<syntax::Lift> declared);
  void finishTables();
  TypeRef elaborateName(const syntax::TypeName& name, Anonymous mode);
  void rejectSameName(const syntax::Identifier& name, syntax::TypeExprId rest);
  TypeRef elaborateFunction(const syntax::TypeFunction& function, Anonymous mode);
  TypeRef elaborateRecord(const syntax::TypeRecord& record, Span span, Anonymous mode);
  TypeRef elementOf(syntax::TypeExprId written, Anonymous mode);
  syntax::Lift writtenLift(syntax::TypeExprId type) const;
  TypeRef elaborateExistential(const syntax::TypeExistential& node, Anonymous mode);
  TypeRef elaborateSum(const syntax::TypeSum& sum, Anonymous mode);
  bool fitsArguments(const TypeAbbreviation& abbreviation, const syntax::TypeName& name);
  TypeRef typeArgument(TypeParamId parameter, syntax::Lift lift, syntax::TypeExprId argument,
                       Anonymous mode);
  TypeRef applyAbbreviation(TypeAbbreviation abbreviation, const syntax::TypeName& name,
                            Anonymous mode);
  Size annotatedSize(ExprId size);
  void close(ExprId expr, ExprId body);  // sizes/size_functions.cpp
  std::optional<DefId> sizeFunction(ExprId body, const std::vector<std::string>& names);
  std::string meaningOf(ExprId body, const std::vector<std::string>& names) const;
  bool makesSizes(ExprId expr, size_t first_binder);

  Names& names_;
  SignatureMatcher& signatures_;
  SizeExpressions& sizes_;
  ExprInferrer& exprs_;
  Declarations& declarations_;
  Finisher& finisher_;
  int payload_depth_ = 0;  // of the type that is elaborated
  // In a function type: where the `[]` of its parameters go.
  std::optional<ParameterSizes> parameter_sizes_;
};

}  // namespace halo::types
