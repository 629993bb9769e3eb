// Applications whose arguments bring sizes that the function or other arguments must know.
#include <algorithm>
#include <utility>

#include "lang/base/match.h"
#include "lang/syntax/application.h"
#include "lang/syntax/visit.h"
#include "lang/types/sizes/size_scopes.h"

namespace halo::types {

using namespace syntax;

// Evaluating it later, or not at all, makes no difference.
bool SizeScopes::isValue(ExprId expr) {
  const ExprNode& node = program_.tree.exprs[expr].node;
  if (auto* inner = std::get_if<Parenthesised>(&node)) return isValue(inner->value);
  if (auto* inner = std::get_if<Attributed>(&node)) return isValue(inner->value);
  if (auto* section = std::get_if<OperatorSection>(&node)) {
    return isValue(section->lhs ? section->lhs : section->rhs);
  }
  if (auto* apply = std::get_if<Apply>(&node)) {
    TypeId type = program_.type_of.at(expr);
    bool is_partial = type && std::holds_alternative<FunctionType>(program_.types[type]);
    const bool is_named = named_.count(apply->argument) > 0;  // `gen k`, whose type mentions a name
    return is_partial && !is_named && isValue(apply->function) && isValue(apply->argument);
  }
  if (std::holds_alternative<Variable>(node)) {  // a constant may bring the size of its value
    const auto& use = program_.use_of.at(expr);
    auto* target = use ? std::get_if<DefTarget>(&use->target) : nullptr;
    TypeId type = program_.type_of.at(expr);
    return !target || !type || std::holds_alternative<FunctionType>(program_.types[type]) ||
           sizesOf(type).empty();
  }
  return std::holds_alternative<Lambda>(node) || std::holds_alternative<Number>(node) ||
         std::holds_alternative<BoolLiteral>(node) || std::holds_alternative<ProjectSection>(node);
}

ExprId SizeScopes::copyOf(ExprId expr, ExprNode node) {
  ExprId copy = program_.tree.exprs.add({std::move(node), program_.tree.exprs[expr].span});
  const TypeId type = program_.type_of.at(expr);  // first: the table may move when it grows
  program_.type_of[copy] = type;
  return copy;
}

// A new variable for the value of `operand`.
SizeScopes::Bound SizeScopes::bindBefore(ExprId operand) {
  const Span span = program_.tree.exprs[operand].span;
  const TypeId type = program_.type_of.at(operand);
  auto named = named_.find(operand);
  BinderId binder =
      named != named_.end() ? named->second : program_.binders.add({"arg", span, type});
  const std::string name = program_.binders[binder].name;
  PatternId pattern = program_.tree.patterns.add({PatternName{{name, span}}, span});
  program_.pattern_type[pattern] = type;
  program_.binder_of[pattern] = binder;
  ExprId variable = copyOf(operand, Variable{{{}, name, span}});
  program_.use_of[variable] = Use{LocalTarget{binder}, {}, {}};
  return {pattern, operand, variable};
}

// Walks the operands that compute something, in the order given. If one of them brings a size that
// others may need, it and those before it are bound by `let`s. `expr` becomes the outermost, and
// `rebuild` makes its body from the operands' replacements. False: nothing to bind.
bool SizeScopes::walkOperands(ExprId expr, const std::vector<ExprId>& operands, size_t least,
                              const Rebuild& rebuild) {
  auto computes = [&](ExprId operand) { return !isValue(operand) || named_.count(operand) > 0; };
  size_t entered = order_.size();
  size_t bound = least;  // operands before this index are bound
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!computes(operands[i])) continue;
    walk(operands[i]);
    auto named = named_.find(operands[i]);
    if (named != named_.end()) know(named->second);
    bool brings = !program_.binds.at(operands[i]).empty() || named != named_.end();
    if (brings) bound = i + 1;
  }
  std::vector<Bound> lets;
  std::vector<ExprId> replaced = operands;
  for (size_t i = 0; i < bound; ++i) {
    if (!computes(operands[i])) continue;
    lets.push_back(bindBefore(operands[i]));
    replaced[i] = lets.back().variable;
    know(program_.binder_of.at(lets.back().pattern));
  }
  if (lets.empty()) return false;
  ExprId body = rebuild(replaced);
  walk(body);
  for (size_t i = lets.size(); i-- > 0;) {
    Let let{{}, lets[i].pattern, lets[i].operand, body};
    if (i == 0) {
      rewritten_.emplace_back(expr, std::exchange(program_.tree.exprs[expr].node, std::move(let)));
    } else {
      body = copyOf(expr, std::move(let));
      markWalked(body);
      leave(body, entered);
    }
  }
  return true;
}

void SizeScopes::walkApply(ExprId expr) {
  const ApplicationChain chain = applicationChain(program_.tree, expr);
  bool last_first = argument_first_.count(expr) > 0;
  std::vector<ExprId> ordered = chain.arguments;
  if (last_first) std::rotate(ordered.begin(), ordered.end() - 1, ordered.end());
  bool others_compute =
      !isValue(chain.function) ||
      std::any_of(ordered.begin() + 1, ordered.end(), [&](ExprId e) { return !isValue(e); });
  auto rebuild = [&](std::vector<ExprId> replaced) {
    if (last_first) std::rotate(replaced.begin(), replaced.begin() + 1, replaced.end());
    ExprId function = chain.function;
    for (size_t i = 0; i < chain.nodes.size(); ++i) {
      function = copyOf(chain.nodes[i], Apply{function, replaced[i]});
    }
    return function;
  };
  if (walkOperands(expr, ordered, last_first && others_compute ? 1 : 0, rebuild)) return;
  walk(chain.function);
  for (ExprId argument : chain.arguments) walk(argument);
}

}  // namespace halo::types
