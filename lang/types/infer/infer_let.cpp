// Inference of `let`: runs of them, the scope of each, values, and local functions.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/declare/declare.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/sizes/size_of.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

// Runs of `let` are walked, not recursed into: programs written by machines have thousands.
TypeRef ExprInferrer::inferLets(ExprId expr, TypeRef hint) {
  size_t mark = locals_.mark();
  std::vector<ExprId> lets;
  for (;;) {
    const ExprNode node = program_.tree.exprs[expr].node;
    auto* let = std::get_if<Let>(&node);
    if (let && current_ && current_->has_shapes && declarations_.writeLocalFunction(expr, *let))
      continue;
    if (let) {
      inferLetValue(expr, *let);
      lets.push_back(expr);
      expr = let->body;
    } else if (auto* function = std::get_if<LetFunction>(&node)) {
      inferLetFunction(expr, *function);
      lets.push_back(expr);
      expr = function->body;
    } else {
      break;
    }
  }
  TypeRef type = infer(expr, hint);
  locals_.popTo(mark);
  for (ExprId let : lets) endScopeOf(let);
  for (size_t i = 1; i < lets.size(); ++i) {  // infer() records the first
    inferred_[lets[i]] = type;
    pending_.types.emplace_back(lets[i], type);
  }
  return type;
}

void ExprInferrer::endScopeOf(ExprId let) {
  const auto* node = std::get_if<Let>(&program_.tree.exprs[let].node);
  if (node == nullptr) return;
  for (const auto& [name, value] : namedParts(node->pattern, node->value)) {
    if (inference_.isNamed(name)) inference_.endScopeOf(name);
  }
}

// `let ((a, b), c) = ((x, y), z)` names three expressions.
std::vector<std::pair<BinderId, ExprId>> ExprInferrer::namedParts(PatternId pattern,
                                                                  ExprId value) const {
  if (const auto name = simpleName(pattern)) return {{*name, value}};
  const auto* names = std::get_if<PatternTuple>(&program_.tree.patterns[pattern].node);
  const auto* values = std::get_if<TupleExpr>(&program_.tree.exprs[value].node);
  std::vector<std::pair<BinderId, ExprId>> parts;
  if (names == nullptr || values == nullptr) return parts;
  for (size_t k = 0; k < std::min(names->elements.size(), values->elements.size()); ++k) {
    auto inner = namedParts(names->elements[k], values->elements[k]);
    parts.insert(parts.end(), inner.begin(), inner.end());
  }
  return parts;
}

void ExprInferrer::inferLetValue(ExprId expr, const Let& let) {
  // The size names are in scope of the pattern, not of the value.
  size_t mark = locals_.mark();
  declareSizeNames(expr, let.sizes);
  TypeRef pattern_type = patternType(let.pattern, Anonymous::kUnknown);
  locals_.popTo(mark);
  rejectUnusedSizes(expr, let.sizes, pattern_type);
  const std::vector<BinderId> names = program_.size_names.at(expr);
  Substitution open;  // the value is to determine them
  for (BinderId name : names) open.sizes.emplace_back(name, inference_.unknownSize(span(expr)));
  TypeRef value = infer(let.value, inference_.instantiate(pattern_type, open));
  if (requireValue(let.pattern, span(let.value), value, pattern_type, names) && names.empty() &&
      inference_.isUnknown(pattern_type)) {
    pattern_type = value;
  }
  declareSizeNames(expr, let.sizes);
  bindAlways(let.pattern, pattern_type, Anonymous::kUnknown);
  for (const auto& [name, part] : namedParts(let.pattern, let.value)) {
    if (inference_.asScalar(inferred_[part]) != prim::ScalarType::kI64) continue;
    auto size = sizes_.sizeOf(part, SizeExpressions::Following::kExpressions);
    if (size && !isTooComplex(*size)) inference_.defineNamed(name, std::move(*size));
  }
}

// `let [n] p = e`: only the type of p can determine n.
void ExprInferrer::rejectUnusedSizes(ExprId expr, const std::vector<Identifier>& names,
                                     TypeRef type) {
  if (names.empty()) return;
  const std::vector<SizeAtom> atoms = inference_.sizeAtoms(type, Inference::SizesOf::kValues);
  const std::vector<BinderId> binders = program_.size_names.at(expr);
  for (size_t i = 0; i < names.size(); ++i) {
    SizeAtom atom{false, binders[i].index};
    if (std::find(atoms.begin(), atoms.end(), atom) != atoms.end()) continue;
    sink_.error(Code::size_not_determined, names[i].span,
                fmt::format("`{}` is not the size of anything in the pattern", names[i].name));
  }
}

void ExprInferrer::inferLetFunction(ExprId expr, const LetFunction& let) {
  size_t mark = locals_.mark();
  size_t type_mark = locals_.type_params.size();
  FunctionInfo info = declarations_.inferFunction(let.function);
  locals_.popTo(mark);
  locals_.type_params.resize(type_mark);
  const Identifier& name = let.function.name;
  BinderId binder = names_.newBinder(name.name, name.span, info.type);
  locals_.add({name.name, binder, info.type, {info.type_parameters, info.size_parameters}});
  pending_.functions.push_back(
      {expr, {binder, info.type_parameters, info.size_parameters, {}}, info.result});
}

}  // namespace halo::types
