// The parts of the checker. Each has a header with the parts that it calls; all share the Context.
#pragma once

#include "lang/types/context.h"

namespace halo::types {

class OnDemand;
class Names;
class Comparison;
class TypeElaborator;
class ModuleEvaluator;
class SignatureMatcher;
class SizeExpressions;
class ExprInferrer;
class ApplyInferrer;
class ArrayInferrer;
class LoopInferrer;
class Declarations;
class Finisher;

struct CheckerParts {
  Context& context;
  OnDemand& on_demand;
  Names& names;
  Comparison& comparison;
  TypeElaborator& elaborator;
  ModuleEvaluator& modules;
  SignatureMatcher& signatures;
  SizeExpressions& sizes;
  ExprInferrer& exprs;
  ApplyInferrer& applications;
  ArrayInferrer& arrays;
  LoopInferrer& loops;
  Declarations& declarations;
  Finisher& finisher;
};

class CheckerPart {
 protected:
  using SizePairs = Inference::SizePairs;

  explicit CheckerPart(const CheckerParts& parts)
      : context_(parts.context),
        environment_(context_.environment),
        program_(environment_.program),
        options_(context_.options),
        sink_(context_.sink),
        inference_(context_.inference),
        pending_(context_.pending),
        inferred_(context_.inferred),
        scopes_(context_.scopes),
        locals_(context_.locals),
        current_(context_.current) {}

  Span span(ExprId expr) const { return program_.tree.exprs[expr].span; }
  Span span(PatternId pattern) const { return program_.tree.patterns[pattern].span; }
  TypeRef i64() { return inference_.scalar(prim::ScalarType::kI64); }
  TypeRef unit() { return inference_.tuple({}); }
  TypeRef boolean() { return inference_.scalar(prim::ScalarType::kBool); }
  TypeRef poison() { return inference_.poison(); }
  bool isInferred(ExprId expr) const { return inferred_.at(expr).valid(); }

  Context& context_;
  Environment& environment_;
  Program& program_;
  const CheckOptions& options_;
  diag::Sink& sink_;
  Inference& inference_;
  Pending& pending_;
  base::PagedTable<TypeRef, ExprId>& inferred_;
  ScopeStack& scopes_;
  LocalScope& locals_;
  std::optional<CurrentDef>& current_;
};

}  // namespace halo::types
