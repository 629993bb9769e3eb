// Sum types: constructors, `match`, and patterns that may fail. A constructor alone says only that
// its type has it: an unknown sum, which unification completes.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/declare/declare.h"
#include "lang/types/infer/infer_apply.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/infer/infer_loop.h"
#include "lang/types/report.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

TypeRef ExprInferrer::inferConstructor(ExprId expr, const Constructor& node, TypeRef hint) {
  const std::string& name = node.name.name;
  const InferSum* hinted = hint ? inference_.as<InferSum>(hint) : nullptr;
  auto index = hinted ? hinted->find(name) : std::nullopt;
  if (index && hinted->payloads[*index].size() == node.arguments.size()) {
    SizePairs sizes;  // the hint fixes no size
    TypeRef type = loops_.withUnknownSizes(hint, sizes);
    const std::vector<TypeRef> payload = inference_.as<InferSum>(type)->payloads[*index];
    for (size_t i = 0; i < payload.size(); ++i) {
      check(node.arguments[i], payload[i], fmt::format("argument {} of `#{}`", i + 1, name));
    }
    return type;
  }
  std::vector<TypeRef> payload;
  for (ExprId argument : node.arguments) payload.push_back(infer(argument));
  return newSum(name, std::move(payload), span(expr));
}

TypeRef ExprInferrer::newSum(const std::string& constructor, std::vector<TypeRef> payload,
                             Span span) {
  TypeRef type = inference_.unknownSum(constructor, std::move(payload), span);
  pending_.sums.emplace_back(type, span);
  return type;
}

// ---- match

TypeRef ExprInferrer::inferMatch(ExprId expr, const MatchExpr& node, TypeRef hint) {
  TypeRef scrutinee = infer(node.scrutinee);
  TypeRef result;
  bool fits = true;
  for (const MatchCase& option : node.cases) {
    size_t mark = locals_.mark();
    size_t first_binder = program_.binders.size();
    TypeRef pattern = patternType(option.pattern, Anonymous::kUnknown);
    inference_.current_span = span(option.pattern);
    TypeRef bound = scrutinee;
    if (auto mismatch = inference_.unify(pattern, scrutinee)) {
      comparison_.report(span(option.pattern), pattern, scrutinee, *mismatch, "this pattern");
      bound = poison();
    }
    bind(option.pattern, bound, Anonymous::kUnknown);
    TypeRef body = infer(option.body, hint ? hint : result);
    locals_.popTo(mark);
    body = declarations_.leaveScope(body, first_binder);
    inference_.limitLift(body, Lift::kSize);
    if (!result) {
      result = body;
      continue;
    }
    MaybeMismatch mismatch;
    inference_.current_span = span(expr);
    TypeRef joined = join(result, body, span(expr), mismatch);
    if (mismatch) comparison_.report(span(option.body), body, result, *mismatch, "this case");
    fits = fits && !mismatch;
    if (!mismatch) result = joined;
  }
  pending_.matches.push_back(expr);
  return fits ? applications_.limitSizes(result, span(expr)) : poison();
}

// ---- patterns

TypeRef ExprInferrer::constructorPatternType(PatternId pattern, const PatternConstructor& node,
                                             Anonymous mode) {
  std::vector<TypeRef> payload;
  for (PatternId part : node.payload) payload.push_back(patternType(part, mode));
  return newSum(node.name.name, std::move(payload), span(pattern));
}

TypeRef ExprInferrer::literalPatternType(const PatternLiteral& literal) {
  TypeRef type = infer(literal.value);
  if (auto* unary = std::get_if<Unary>(&program_.tree.exprs[literal.value].node)) {
    pending_.negative_patterns.emplace_back(literal.value, unary->operand);
  }
  return type;
}

void ExprInferrer::bindConstructor(const PatternConstructor& node, TypeRef type, Anonymous mode) {
  std::vector<TypeRef> payload;
  if (auto* sum = inference_.as<InferSum>(type)) {
    if (auto place = sum->find(node.name.name)) payload = sum->payloads[*place];
  } else if (const Row* row = inference_.rowOf(type)) {
    for (const auto& [name, types] : row->constructors) {
      if (name == node.name.name) payload = types;
    }
  }
  payload.resize(node.payload.size(), poison());
  for (size_t i = 0; i < payload.size(); ++i) bind(node.payload[i], payload[i], mode);
}

// Parameters and `let`: no value may fail to match.
void ExprInferrer::bindAlways(PatternId pattern, TypeRef type, Anonymous mode) {
  bind(pattern, type, mode);
  pending_.irrefutable.push_back(pattern);
}

// The constructors of a value must all be known in the end.
void ExprInferrer::rejectOpenSums() {
  for (const auto& [type, span] : std::exchange(pending_.sums, {})) {
    if (!inference_.rowOf(type)) continue;
    if (!context_.hasFollowingErrors()) {
      sink_.error(Code::ambiguous_type, span,
                  fmt::format("the type of this value is only known to be `{}`, annotate it",
                              inference_.print(type)));
    }
    inference_.unify(type, poison());
  }
}

}  // namespace halo::types
