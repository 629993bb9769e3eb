// Application: arguments, those that the callee consumes, and the memory that the result may share
// with the rest.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/consume/call_walk.h"
#include "lang/types/consume/star_misfit.h"
#include "lang/types/consume/walks.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

// `(f >-> g) x` applies the operator to three arguments.
Alias CallWalk::evalApply(ExprId expr) {
  std::vector<ExprId> arguments;
  ExprId head = expr;
  for (;;) {
    if (auto* apply = std::get_if<Apply>(&node(head))) {
      if (state_.pipes.contains(head)) rejectConsumingPipe(*apply);
      arguments.push_back(apply->argument);
      head = apply->function;
    } else if (auto* parens = std::get_if<Parenthesised>(&node(head))) {
      head = parens->value;
    } else {
      break;
    }
  }
  auto* binary = std::get_if<Binary>(&node(head));
  TypeId type;
  Alias function = binary ? evalOperator(head, type) : Alias();
  if (binary && type) {
    arguments.push_back(binary->rhs);
    arguments.push_back(binary->lhs);
  } else {
    function = eval(head);
    type = typeOf(head);
  }
  std::reverse(arguments.begin(), arguments.end());
  return call(expr, calleeOf(head, function, type), arguments, false);
}

// `|>` is a function of `a -> b`, which is none that consumes.
void CallWalk::rejectConsumingPipe(const Apply& pipe) {
  const FunctionType* function = functionType(typeOf(pipe.function));
  if (!function || !parameterStars(*function).any()) return;
  error(Code::uniqueness, span(pipe.function),
        fmt::format("this function has type `{}`: it consumes what a pipe only passes on",
                    print(program_, typeOf(pipe.function))))
      .notes.push_back("help: write an application, `f xs` for `xs |> f`");
}

CallWalk::Callee CallWalk::calleeOf(ExprId head, const Alias& value, TypeId type) const {
  Callee callee{value, type, typeOfDefinition(head), 0};
  const auto& used = program_.use_of.at(head);
  auto* target = used ? std::get_if<DefTarget>(&used->target) : nullptr;
  if (target) callee.parameters = program_.defs[target->def].parameters.size();
  if (value && value->closure) callee.parameters = value->closure->parameters;
  return callee;
}

// Of a definition, or a field of one, as it is declared; none: of anything else.
TypeId CallWalk::typeOfDefinition(ExprId expr) const {
  if (auto* parens = std::get_if<Parenthesised>(&node(expr)))
    return typeOfDefinition(parens->value);
  if (auto* project = std::get_if<Project>(&node(expr))) {
    const RecordType* record = recordType(typeOfDefinition(project->record));
    for (size_t i = 0; record && i < record->names.size(); ++i) {
      if (record->names[i] == project->field.name) return record->fields[i];
    }
    return {};
  }
  const auto& used = program_.use_of.at(expr);
  if (!used || !std::holds_alternative<DefTarget>(used->target)) return {};
  return program_.defs[std::get<DefTarget>(used->target).def].type;
}

// The meaning of an operator: a definition, a local function, or nothing that could share.
Alias CallWalk::evalOperator(ExprId expr, TypeId& type) {
  const auto& used = program_.use_of.at(expr);
  if (!used) return {};
  if (auto* def = std::get_if<DefTarget>(&used->target)) {
    type = program_.defs[def->def].type;
    return {};
  }
  auto* local = std::get_if<LocalTarget>(&used->target);
  if (!local) return {};
  type = program_.binders[local->binder].type;
  return useVariable(expr);
}

Alias CallWalk::evalBinary(ExprId expr, const Binary& node) {
  TypeId type;
  Alias function = evalOperator(expr, type);
  if (type) return call(expr, calleeOf(expr, function, type), {node.lhs, node.rhs}, true);
  ExprWalk(state_).evalFirst(node.lhs);
  eval(node.rhs);
  return {};
}

Alias CallWalk::evalSection(ExprId expr, const OperatorSection& node) {
  TypeId type;
  Alias function = evalOperator(expr, type);
  if (node.rhs) type = resultType(type, 1);
  Alias made = call(expr, {function, type, {}, 0}, {node.lhs ? node.lhs : node.rhs}, true);
  return node.lhs ? made : leaf(rootsOf(made));
}

Alias CallWalk::call(ExprId expr, const Callee& callee, const std::vector<ExprId>& exprs,
                     bool in_order) {
  std::vector<Argument> arguments = argumentsOf(callee.type, exprs);
  size_t mark = consumed_order_.size();
  evalArguments(arguments, in_order);
  useRoots(rootsOf(callee.value), expr, mark);
  if (consumed_order_.size() != mark) checkSharing(arguments, callee.value);
  return resultOf(expr, callee, arguments);
}

std::vector<CallWalk::Argument> CallWalk::argumentsOf(TypeId type,
                                                      const std::vector<ExprId>& exprs) const {
  std::vector<Argument> arguments;
  for (ExprId expr : exprs) {
    Argument argument{expr, {}, {}, {}, {}, {}};
    if (auto* function = functionType(type)) {
      argument.parameter = function->parameter;
      argument.stars = parameterStars(*function);
      type = function->result;
    } else {
      type = TypeId();
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

// ---- arguments

void CallWalk::evalArgument(Argument& argument) {
  ExprId inner = argument.expr;
  while (auto* parens = std::get_if<Parenthesised>(&node(inner))) inner = parens->value;
  bool is_ready = state_.ready && state_.ready->expr == argument.expr;
  bool is_lambda = !is_ready && std::holds_alternative<Lambda>(node(inner));
  const Making making{consumed_order_.size(), roots_.size()};
  argument.value = is_lambda ? FunctionWalk(state_).evalLambda(inner)
                             : ExprWalk(state_).evalFirst(argument.expr);
  if (!mayCall(typeOf(argument.expr))) return;
  checkFunction(span(argument.expr), typeOf(argument.expr), argument.parameter, argument.value);
  rejectConsumed(making, span(argument.expr));
}

// Operands of an operator are evaluated from left to right, arguments of a function from right to
// left, as Futhark does it. Each is consumed behind its evaluation. So `f xs[0] xs` uses xs too
// late if f consumes it. Halo runs arguments from left to right: no value may be passed on that the
// evaluation of another argument has consumed.
void CallWalk::evalArguments(std::vector<Argument>& arguments, bool in_order) {
  const size_t count = arguments.size();
  std::vector<const Argument*> evaluated;
  for (size_t i = 0; i < count; ++i) {
    Argument& argument = arguments[in_order ? i : count - 1 - i];
    const size_t mark = consumed_order_.size();
    if (std::holds_alternative<Variable>(node(argument.expr))) rejectTwice(argument, evaluated);
    evalArgument(argument);
    for (const Argument* other : evaluated) {
      useRoots(rootsOf(other->value), other->expr, mark);
    }
    evaluated.push_back(&argument);
    consumeArgument(argument);
  }
}

// `f xs xs`: this message tells more than that of any other use of a consumed array.
void CallWalk::rejectTwice(const Argument& variable,
                           const std::vector<const Argument*>& evaluated) {
  const Roots roots = rootsOf(lookUp(variable.expr));
  for (const Argument* other : evaluated) {
    if (auto root = common(roots, other->consumed)) {
      reportSharedArgument(*root, span(variable.expr), *other);
    }
  }
}

// Roots of the starred parts, and of the rest.
void CallWalk::split(TypeId type, const Alias& value, const Uniqueness& stars, Split& split) {
  if (!value) return;
  if (type && hasParts(program_, type)) {
    std::vector<Part> parts = partsOf(program_, type);
    for (size_t i = 0; i < parts.size(); ++i) {
      this->split(parts[i].type, partOf(value, i), starsOf(stars, parts[i]), split);
    }
    return;
  }
  Roots roots = rootsOf(value);
  if (!stars.all || functionType(type)) {
    split.kept.insert(split.kept.end(), roots.begin(), roots.end());
    return;
  }
  for (int root : roots) {
    bool is_twice =
        std::find(split.consumed.begin(), split.consumed.end(), root) != split.consumed.end();
    if (is_twice) split.twice = root;
  }
  split.consumed.insert(split.consumed.end(), roots.begin(), roots.end());
}

void CallWalk::consumeArgument(Argument& argument) {
  if (!argument.value) return;
  if (!argument.stars.any()) {
    argument.kept = rootsOf(argument.value);
    return;
  }
  Split parts;
  split(typeOf(argument.expr), argument.value, argument.stars, parts);
  argument.consumed = Roots(std::move(parts.consumed));
  argument.kept = Roots(std::move(parts.kept));
  if (!parts.twice) parts.twice = common(argument.consumed, argument.kept);
  if (parts.twice) reportSharedArgument(*parts.twice, span(argument.expr), argument);
  if (argument.consumed.empty()) return;
  consume(argument.consumed, span(argument.expr), nameOf(argument.expr));
}

void CallWalk::checkSharing(const std::vector<Argument>& arguments, const Alias& function) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].consumed.empty()) continue;
    if (auto root = common(arguments[i].consumed, rootsOf(function))) {
      reportSharedArgument(*root, span(arguments[i].expr), arguments[i]);
    }
    for (size_t j = 0; j < arguments.size(); ++j) {
      if (j == i || (j < i && !arguments[j].consumed.empty())) continue;
      auto root = common(arguments[i].consumed, arguments[j].kept);
      if (!root) root = common(arguments[i].consumed, arguments[j].consumed);
      if (root) reportSharedArgument(*root, span(arguments[j].expr), arguments[i]);
    }
  }
}

void CallWalk::reportSharedArgument(int root, Span span, const Argument& consumer) {
  if (!reported_.insert(root).second) return;
  diag::Diagnostic& diagnostic = error(
      Code::consumed, span,
      fmt::format("{} is consumed by this call, but it gets it a second time", describe(root)));
  if (!(this->span(consumer.expr) == span)) {
    diagnostic.labels.push_back({this->span(consumer.expr), "consumed here"});
  }
  labelOrigin(diagnostic, root);
}

// ---- results

// Parts without a star may share with every argument that is left, and with the function's
// captures; and so with each other.
Alias CallWalk::resultOf(ExprId expr, const Callee& callee,
                         const std::vector<Argument>& arguments) {
  const Alias& function = callee.value;
  TypeId result = typeOf(expr);
  if (!sharing_.mayShare(result)) return {};
  Roots shared = rootsOf(function);
  for (const Argument& argument : arguments) shared = unite(shared, argument.kept);
  std::optional<Closure> closure = function ? function->closure : std::nullopt;
  if (functionType(result)) {
    // Every call of the result may return values that have been evaluated already.
    bool holds = callee.parameters > 0 && arguments.size() >= callee.parameters;
    if (holds) shared = unite(shared, Roots(newRoot("", span(expr))));
    AliasNode made{std::move(shared), {}, {}};
    if (closure && closure->parameters > arguments.size()) {
      made.closure = Closure{closure->parameters - arguments.size(), closure->result};
    }
    return std::make_shared<const AliasNode>(std::move(made));
  }
  const FunctionType* last = functionType(resultType(callee.type, arguments.size() - 1));
  Uniqueness stars = last ? last->unique_result : Uniqueness();
  if (closure && closure->parameters == arguments.size()) stars = closure->result;
  addParametricStars(callee, arguments, stars);
  if (stars.all) return {};
  if (shared.empty() && hasParts(program_, result)) {
    shared = Roots(newRoot("", span(expr)));
  }
  return sharing_.spread(result, shared, stars);
}

}  // namespace halo::types
