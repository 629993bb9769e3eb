// Findings of a declaration's inference that can be written down only when all unknowns are solved.
#pragma once

#include <utility>
#include <vector>

#include "lang/types/infer/inference.h"

namespace halo::types {

using syntax::Identifier;

struct PendingUse {
  ExprId expr;
  Target target;
  std::vector<TypeRef> types;
  std::vector<Size> sizes;
};
struct PendingOperator {  // an overloaded operator, resolved by the type of its operands
  ExprId expr;
  prim::Op op;
  TypeRef operand;
};
struct PendingLiteral {
  ExprId expr;
  TypeRef type;
  bool is_negated;  // `-128i8`: the magnitude alone would not fit
};
struct PendingField {  // `x.f` where the type of x is not known yet
  TypeRef record;
  Identifier field;
  TypeRef type;
};
struct PendingFunction {
  ExprId expr;
  LocalFunction function;
  TypeRef result;
};
struct Pending {
  std::vector<std::pair<ExprId, TypeRef>> types;
  std::vector<std::pair<PatternId, TypeRef>> pattern_types;
  std::vector<std::pair<BinderId, TypeRef>> binder_types;
  std::vector<std::pair<ExprId, TypeRef>> coercions;
  std::vector<PendingUse> uses;
  std::vector<PendingOperator> operators;
  std::vector<PendingLiteral> literals;
  std::vector<PendingField> fields;
  std::vector<PendingFunction> functions;
  std::vector<TypeRef> overloaded;
  std::vector<std::pair<TypeRef, Span>> sums;  // from a constructor alone: must become known
  std::vector<TypeRef> results;  // of functions, where the sizes that the body has stand for `[]`
  std::vector<Size> annotated;   // the `[]` of annotations: the program must determine them
  // Sizes that are 0 if nothing tells them: `let [k] (xs: [k]t) = []`, and those of a constructor
  // that a value does not have, `#foo [1] : #foo ([]t) | #bar ([]t)`.
  std::vector<Size> untold;
  // `xs :> [n]t` where nothing tells the size of xs yet: it is n if nothing ever does.
  std::vector<std::pair<Size, Size>> coerced;
  std::vector<ExprId> holes;
  std::vector<ExprId> matches;
  std::vector<PatternId> irrefutable;
  std::vector<std::pair<ExprId, ExprId>> negative_patterns;  // `-1`: the Unary, its Number
};

}  // namespace halo::types
