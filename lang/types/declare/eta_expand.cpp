// Definitions whose value is a function get parameters.
#include <fmt/format.h>

#include "lang/types/declare/declare.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"

namespace halo::types {

using namespace syntax;

// `def sum = reduce (+) 0` becomes `def sum x1 = reduce (+) 0 x1`, and a lambda's parameters become
// the definition's. Only functions with parameters are polymorphic in sizes, and entries need all
// of theirs (`entry main k = map (+ k)`).
void Declarations::etaExpand(FunctionParts& parts, CurrentDef& def) {
  if (!inference_.as<InferFunction>(def.info.result)) return;
  Tree& tree = program_.tree;
  ExprId body = parts.body;
  while (auto* inner = std::get_if<Parenthesised>(&tree.exprs[body].node)) body = inner->value;
  if (auto* lambda = std::get_if<Lambda>(&tree.exprs[body].node)) {
    const Lambda inner = *lambda;
    parts.body = inner.body;
    for (PatternId parameter : inner.parameters) {
      parts.parameters.push_back(parameter);
      def.info.result = inference_.as<InferFunction>(def.info.result)->result;
    }
    if (def.is_entry) etaExpand(parts, def);  // `entry f = \x -> \y -> e`
    return;
  }
  Span where = span(parts.body);
  TypeRef type = def.info.result;
  size_t first_binder = program_.binders.size();
  while (auto* found = inference_.as<InferFunction>(type)) {
    InferFunction function = *found;
    std::string name = fmt::format("x{}", parts.parameters.size() + 1);
    PatternId pattern = tree.patterns.add({PatternName{{name, where}}, where});
    exprs_.bind(pattern, function.parameter, Anonymous::kUnknown);
    BinderId binder = program_.binder_of[pattern];
    ExprId argument = tree.exprs.add({Variable{{{}, name, where}}, where});
    inferred_[argument] = function.parameter;
    pending_.types.emplace_back(argument, function.parameter);
    pending_.uses.push_back({argument, LocalTarget{binder}, {}, {}});
    parts.parameters.push_back(pattern);
    parts.body = tree.exprs.add({Apply{parts.body, argument}, where});
    const Substitution values = valuesAt(function, binder, where);
    type = inference_.instantiate(function.result, values);
    inferred_[parts.body] = type;
    pending_.types.emplace_back(parts.body, type);
  }
  def.info.type = withStarsOf(
      def.info.type,
      closeFunction(parts, type, first_binder, def.info.size_parameters, Reach::kCallers));
  def.info.result = type;
  def.type = def.info.type;
}

// What the names in a function's type stand for when its argument is `binder`.
Substitution Declarations::valuesAt(const InferFunction& function, BinderId binder, Span where) {
  Substitution values;
  if (function.parameter_name) {
    if (inference_.asScalar(function.parameter) == prim::ScalarType::kI64) {
      values.sizes.emplace_back(*function.parameter_name, binderSize(binder));
    } else {
      values.values.emplace_back(*function.parameter_name,
                                 inference_.sizeVariable(binder, function.parameter));
    }
  }
  for (BinderId existential : function.existentials) {
    const std::string existential_name = program_.binders[existential].name;
    values.sizes.emplace_back(existential,
                              binderSize(names_.newSizeBinder(existential_name, where)));
  }
  return values;
}

// `type` with the stars of another function type of as many parameters.
TypeRef Declarations::withStarsOf(TypeRef starred, TypeRef type) {
  auto* from = inference_.as<InferFunction>(starred);
  auto* to = inference_.as<InferFunction>(type);
  if (!from || !to) return type;
  InferFunction copy = *to;
  copy.consumes = from->consumes;
  copy.unique_parameter = from->unique_parameter;
  copy.unique_result = from->unique_result;
  copy.result = withStarsOf(from->result, copy.result);
  return inference_.function(std::move(copy));
}

}  // namespace halo::types
