// Definitions: each is checked as a whole, in several ways if the first one is rejected.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/types/part.h"

namespace halo::types {

class Declarations : CheckerPart {
 public:
  explicit Declarations(const CheckerParts& parts)
      : CheckerPart(parts),
        on_demand_(parts.on_demand),
        names_(parts.names),
        comparison_(parts.comparison),
        elaborator_(parts.elaborator),
        modules_(parts.modules),
        sizes_(parts.sizes),
        exprs_(parts.exprs),
        applications_(parts.applications),
        finisher_(parts.finisher) {}

  enum class Reach { kLocal, kCallers };
  void declare(syntax::DeclId id);
  void rewrite(ExprId expr, syntax::ExprNode node);
  bool isWarning() const;
  void warnOfArithmetic();
  std::optional<TypeRef> annotationOf(PatternId pattern, Anonymous mode);
  bool writeLocalFunction(ExprId expr, const syntax::Let& let);
  bool writeEtaExpansion(ExprId expr, TypeRef needed);
  void forgetDeclaration();
  FunctionInfo inferFunction(const syntax::FunctionParts& parts);
  TypeRef closeFunction(const syntax::FunctionParts& parts, TypeRef& result, size_t first_binder,
                        const std::vector<BinderId>& size_parameters, Reach reach);
  void settleUntold(const CurrentDef& def);
  void rejectInnerNames(const syntax::FunctionParts& parts, TypeRef result,
                        std::vector<BinderId> known, size_t first_binder);
  TypeRef leaveScope(TypeRef type, size_t first_binder);
  void declareTypeParameters(const std::vector<syntax::TypeParameter>& parameters,
                             FunctionInfo& info);
  std::string qualified(const std::string& name) const;

 private:
  struct Attempt {
    Inference::Order order = Inference::Order::kFormsFirst;
    bool has_shapes = false;     // of parameters without annotation
    bool parts_carried = false;  // sizes of carried arrays that meet in branches
    bool joins_open = false;     // sizes that are open in variables' types, and meet in branches
  };
  enum class Outcome { kAccepted, kRejected, kRecursive };  // kRecursive: rejected, uses itself
  struct Escaping {
    size_t first_binder;
    std::vector<BinderId> kept;  // parameters, which the caller knows
    std::vector<BinderId> existentials;
  };
  void declareFunction(syntax::DeclId id);
  std::vector<BinderId> inferParameters(const syntax::FunctionParts& parts);
  TypeRef declaredResult(const syntax::FunctionParts& parts, std::vector<BinderId> known,
                         size_t first_binder, std::vector<BinderId>& declared);
  TypeRef inferBody(const syntax::FunctionParts& parts, TypeRef result,
                    const std::vector<BinderId>& declared);
  void nameOpenSizes(const std::vector<BinderId>& fresh, const Size& begin, FunctionInfo& info);
  CurrentDef startFunction(syntax::DeclId id, const Attempt& attempt);
  Outcome checkFunction(syntax::DeclId id, const Attempt& attempt);
  bool checkOtherwise(syntax::DeclId id, const std::vector<diag::Diagnostic>& said);
  bool defineAsDeclared(syntax::DeclId id);
  void undoRewriting();
  std::vector<diag::Diagnostic> takeBack(size_t mark);
  void warnOfRejection(const diag::Diagnostic& said);
  TypeRef shapeOf(TypeRef type);
  bool findShapes(syntax::DeclId id);
  TypeRef annotated(TypeRef shape, Span where, Anonymous mode);
  void declareVal(syntax::DeclId id);
  void nameHoleSizes(const syntax::FunctionParts& parts, TypeRef result);
  void settlePayloads(TypeRef result);
  TypeRef exposeSizes(TypeRef type, Escaping& escaping);
  Size exposeSize(const Size& found, Escaping& escaping);
  TypeRef exposeInner(const InferFunction& function, const Escaping& outer);
  TypeRef expandDefinitions(TypeRef type, size_t first_binder, Reach reach);
  TypeRef withStarsOf(TypeRef starred, TypeRef type);
  void etaExpand(syntax::FunctionParts& parts, CurrentDef& def);
  Substitution valuesAt(const InferFunction& function, BinderId binder, Span where);
  void rememberConstant(DefId id, const syntax::FunctionParts& parts);
  void checkFinished(DefId id, const syntax::FunctionParts& parts, size_t errors);
  void checkEntry(const Def& def);
  void checkConsumed(DefId id, const syntax::FunctionParts& parts);
  TypeId withResultStars(TypeId type, size_t parameters, const Uniqueness& stars);
  bool isEntry(const syntax::FunctionDecl& decl, const syntax::Decl& node) const;

  OnDemand& on_demand_;
  Names& names_;
  Comparison& comparison_;
  TypeElaborator& elaborator_;
  ModuleEvaluator& modules_;
  SizeExpressions& sizes_;
  ExprInferrer& exprs_;
  ApplyInferrer& applications_;
  Finisher& finisher_;
  Rewritten rewritten_;  // of the declaration, in order
};

}  // namespace halo::types
