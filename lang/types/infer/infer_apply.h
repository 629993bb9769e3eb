// Applications and operators.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/types/part.h"

namespace halo::types {

// Where an argument goes, for messages.
struct Callee {
  std::string name;  // may be empty
  Span span;
  bool has_wrong_argument = false;  // the rest, and the result, follow from it: they stay silent
  TypeRef function = {};            // before its first argument
  size_t given = 0;                 // arguments
};

class ApplyInferrer : CheckerPart {
 public:
  explicit ApplyInferrer(const CheckerParts& parts)
      : CheckerPart(parts),
        names_(parts.names),
        comparison_(parts.comparison),
        sizes_(parts.sizes),
        exprs_(parts.exprs),
        declarations_(parts.declarations) {}

  TypeRef inferApply(ExprId expr);
  TypeRef limitSizes(TypeRef type, Span span);
  std::optional<LiftedFunction> liftedFunction(syntax::DeclId id);
  TypeRef inferBinary(ExprId expr, const syntax::Binary& binary, TypeRef hint);
  TypeRef inferUnary(ExprId expr, const syntax::Unary& unary, TypeRef hint);
  TypeRef inferSection(ExprId expr, const syntax::OperatorSection& section);
  TypeRef operatorFunction(ExprId expr, const std::string& symbol, Span span);
  bool requireOperand(Span span, TypeRef found, TypeRef operand, const std::string& symbol,
                      bool is_text = false);

 private:
  struct Waiting {
    ExprId expr;
    TypeRef parameter;
    size_t position;
  };
  TypeRef applyAll(TypeRef function, const std::vector<ExprId>& arguments,
                   const std::vector<ExprId>& nodes, Callee callee);
  void checkArgument(ExprId argument, TypeRef parameter, size_t position, Callee& callee);
  bool couldFit(TypeRef found, TypeRef parameter);
  bool takesEach(TypeRef function, const std::vector<ExprId>& parts);
  bool reportGatheredArguments(ExprId argument, TypeRef parameter, const Callee& callee);
  void inferWaiting(std::vector<Waiting>& waiting, Callee& callee);
  bool isResultAlone(TypeRef function, TypeRef type);
  TypeRef afterArgument(const InferFunction& function, ExprId argument, Span span);
  void nameArgument(const InferFunction& function, ExprId argument, Substitution& values);
  void helpForWords(diag::Diagnostic& diagnostic, ExprId argument);
  void helpForCount(diag::Diagnostic& diagnostic, const Callee& callee);
  TypeRef reportNotFunction(TypeRef function, size_t given, const std::vector<ExprId>& arguments,
                            const Callee& callee);
  std::optional<DefId> hidingCopy(const LiftedFunction& function,
                                  std::vector<syntax::TypeParameter> parameters,
                                  std::vector<std::pair<std::string, syntax::TypeExprId>> hiding,
                                  bool is_prelude);
  std::optional<DefId> hidingDefinition(const PendingUse& use, const std::vector<BinderId>& sizes);
  std::optional<TypeRef> applyHiding(ExprId head, const std::vector<ExprId>& arguments,
                                     const std::vector<ExprId>& nodes, const Callee& callee);
  void reportExistentialComposition(ExprId first);
  bool givesNewSizes(ExprId function);
  void writeComposition(ExprId expr, ExprId first, ExprId second);
  void rejectBareShift(const std::string& symbol, Span span);
  TypeRef inferBuiltInBinary(ExprId expr, prim::Op op, const syntax::Binary& binary, TypeRef hint);
  TypeRef resultOf(prim::Op op, TypeRef operand);
  std::optional<std::string> pipeOf(const syntax::QualifiedName& op) const;

  Names& names_;
  Comparison& comparison_;
  SizeExpressions& sizes_;
  ExprInferrer& exprs_;
  Declarations& declarations_;
};

}  // namespace halo::types
