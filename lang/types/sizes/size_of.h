// Sizes that expressions stand for, and sizes of constants.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/types/part.h"

namespace halo::types {

class SizeExpressions : CheckerPart {
 public:
  explicit SizeExpressions(const CheckerParts& parts)
      : CheckerPart(parts), names_(parts.names), exprs_(parts.exprs) {}

  enum class Following { kPolynomials, kExpressions };  // the followed links
  void nameConstantSizes(DefId id);
  Size sizeInUse(DefId constant, BinderId size, Span span);
  std::optional<Size> sizeOf(ExprId expr, Following following = Following::kPolynomials,
                             int depth = 0);
  std::optional<SizeOperand> operandOf(ExprId expr, int depth = 0);
  ExprId withoutParentheses(ExprId expr) const;

 private:
  struct SizeHead {
    std::string text;
    bool is_cheap;
    bool has_use;  // its use has its meaning
  };
  struct Facts {
    TypeRef type;
    std::optional<Target> target;
    std::vector<TypeRef> types;
    std::vector<Size> sizes;
  };
  ExprId constantSizeOf(DefId constant, BinderId size);
  std::optional<Substitution> boundBy(const syntax::Let& let, Following following, int depth);
  std::optional<Size> sizeOfLet(const syntax::Let& let, Following following, int depth);
  std::optional<SizeExprId> expressionOf(ExprId expr, int depth);
  std::optional<SizeHead> headOf(ExprId expr, const syntax::ExprNode& node);
  Facts factsOf(ExprId expr, bool has_use);
  bool isI64(ExprId expr);
  bool isClosed(ExprId expr);
  bool isBuiltInOperator(ExprId expr, const syntax::QualifiedName& op);

  Names& names_;
  ExprInferrer& exprs_;
};

}  // namespace halo::types
