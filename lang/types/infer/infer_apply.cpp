// Application. A whole spine `f x y z` at once. Arguments that are functions are inferred last, so
// that lambdas meet parameters whose types the data have settled (`map (\x -> x.0) xs`).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "lang/syntax/application.h"
#include "lang/syntax/print/printer.h"
#include "lang/types/declare/former.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_apply.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/report.h"
#include "lang/types/sizes/size_of.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

namespace {

std::string nameOf(const Tree& tree, ExprId expr) {
  const ExprNode& node = tree.exprs[expr].node;
  auto* variable = std::get_if<Variable>(&node);
  if (!variable) return "";
  std::string name;
  for (const std::string& part : variable->name.qualifiers) name += part + ".";
  return name + variable->name.name;
}

std::string describeArgument(const Callee& callee, size_t position) {
  if (callee.name.empty()) return "the argument";
  return fmt::format("argument {} of `{}`", position + 1, callee.name);
}

// Of a function that takes one tuple of `given` parts and gives no function: their number, else 0.
size_t tupleOf(Inference& inference, TypeRef function, size_t given) {
  const auto* found = inference.as<InferFunction>(function);
  if (found == nullptr || given < 2 || inference.isUnknown(found->result)) return 0;
  const auto* tuple = inference.as<InferRecord>(found->parameter);
  if (tuple == nullptr || tuple->names.empty() || tuple->names[0] != "0") return 0;
  if (inference.as<InferFunction>(found->result) != nullptr) return 0;
  return tuple->fields.size() == given ? given : 0;
}

// Whether it is an argument without parentheses around it.
bool isAtom(const ExprNode& node) {
  return std::holds_alternative<Number>(node) || std::holds_alternative<BoolLiteral>(node) ||
         std::holds_alternative<StringLiteral>(node) || std::holds_alternative<Variable>(node) ||
         std::holds_alternative<TupleExpr>(node) || std::holds_alternative<RecordExpr>(node) ||
         std::holds_alternative<ArrayExpr>(node) || std::holds_alternative<Project>(node) ||
         std::holds_alternative<IndexExpr>(node) || std::holds_alternative<OperatorSection>(node) ||
         std::holds_alternative<ProjectSection>(node) ||
         std::holds_alternative<IndexSection>(node) || std::holds_alternative<PathSection>(node) ||
         std::holds_alternative<Parenthesised>(node);
}

// The values with `between` them; letters where they are long.
template <typename Spelling>
std::string listed(const std::vector<ExprId>& values, const char* between, Spelling spelled) {
  constexpr size_t kMaxShown = 40;
  std::string written, letters;
  for (size_t i = 0; i < values.size(); ++i) {
    const char* before = i == 0 ? "" : between;
    written += before + spelled(values[i]);
    letters += fmt::format("{}{}", before, static_cast<char>('a' + i % 26));
  }
  const bool is_long = written.size() > kMaxShown || written.find('\n') != std::string::npos;
  return is_long ? letters : written;
}

std::string asTuple(const Tree& tree, const std::vector<ExprId>& arguments) {
  return "(" + listed(arguments, ", ", [&](ExprId expr) { return print(tree, expr); }) + ")";
}

std::string asArguments(const Tree& tree, const std::vector<ExprId>& parts) {
  return listed(parts, " ", [&](ExprId expr) {
    const std::string text = print(tree, expr);
    return isAtom(tree.exprs[expr].node) ? text : "(" + text + ")";
  });
}

// An operator in front of its operands stands in parentheses.
std::string asFunction(const std::string& name) {
  const char last = name.back();
  const bool is_word =
      std::isalnum(static_cast<unsigned char>(last)) || last == '_' || last == '\'';
  return is_word ? name : "(" + name + ")";
}

// `f x y` for a function of `(a, b)`.
void reportSpreadTuple(diag::Sink& sink, const Callee& callee, const std::string& tuple,
                       size_t parts, Span span) {
  const std::string name = callee.name.empty() ? "this function" : "`" + callee.name + "`";
  auto& diagnostic = sink.error(
      Code::too_many_arguments, span,
      fmt::format("{} takes one tuple of {} values, {} arguments are given", name, parts, parts));
  const std::string function = callee.name.empty() ? "f" : callee.name;
  diagnostic.notes.push_back(fmt::format("help: write `{} {}`", function, tuple));
}

}  // namespace

TypeRef ApplyInferrer::inferApply(ExprId expr) {
  auto [head, nodes, arguments] = applicationChain(program_.tree, expr);
  const size_t fields = pending_.fields.size();
  TypeRef function = exprs_.infer(head);
  nodes.back() = ExprId();  // exprs_.infer() records the outermost
  const Callee callee{nameOf(program_.tree, head), span(head)};
  const TypeRef result = applyAll(function, arguments, nodes, callee);
  // The field of `xs |> (.f)` has its sizes before anything else meets it.
  if (pending_.fields.size() > fields && inference_.isOpen(result)) exprs_.settleFields(fields);
  return applyHiding(head, arguments, nodes, callee).value_or(result);
}

// `nodes` are the applications that the arguments belong to, or none where there is no such node.
TypeRef ApplyInferrer::applyAll(TypeRef function, const std::vector<ExprId>& arguments,
                                const std::vector<ExprId>& nodes, Callee callee) {
  callee.function = function;
  callee.given = arguments.size();
  if (const size_t parts = tupleOf(inference_, function, arguments.size()); parts > 0) {
    for (ExprId argument : arguments) exprs_.infer(argument);
    reportSpreadTuple(sink_, callee, asTuple(program_.tree, arguments), parts, span(arguments[1]));
    return poison();
  }
  std::vector<Waiting> waiting;
  std::vector<TypeRef> partial;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (inference_.isUnknown(function)) inferWaiting(waiting, callee);
    if (inference_.isUnknown(function)) {
      TypeRef parameter = inference_.unknown(span(arguments[i]));
      TypeRef result = inference_.unknown(callee.span);
      const TypeRef needed = inference_.function({parameter, false, {}, result, {}});
      if (const MaybeMismatch mismatch = comparison_.compare(callee.span, function, needed)) {
        helpForWords(comparison_.report(callee.span, function, needed, *mismatch, "the function"),
                     arguments[i]);
        inferWaiting(waiting, callee);
        return reportNotFunction(poison(), i, arguments, callee);
      }
    }
    auto* found = inference_.as<InferFunction>(function);
    if (!found) {
      inferWaiting(waiting, callee);
      return reportNotFunction(function, i, arguments, callee);
    }
    InferFunction step = *found;
    if (step.parameter_name) {
      checkArgument(arguments[i], step.parameter, i, callee);
    } else {
      waiting.push_back({arguments[i], step.parameter, i});
    }
    function = afterArgument(step, arguments[i], callee.span);
    partial.push_back(function);
  }
  inferWaiting(waiting, callee);
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i]) continue;
    inferred_[nodes[i]] = partial[i];
    pending_.types.emplace_back(nodes[i], partial[i]);
  }
  return callee.has_wrong_argument ? poison() : limitSizes(function, callee.span);
}

void ApplyInferrer::checkArgument(ExprId argument, TypeRef parameter, size_t position,
                                  Callee& callee) {
  const TypeRef found = exprs_.infer(argument, parameter);
  if (callee.has_wrong_argument) return;
  const MaybeMismatch mismatch = comparison_.compare(span(argument), found, parameter);
  if (!mismatch) return;
  callee.has_wrong_argument = true;
  if (reportGatheredArguments(argument, parameter, callee)) return;
  auto& diagnostic = comparison_.report(span(argument), found, parameter, *mismatch,
                                        describeArgument(callee, position));
  if (position + 1 < callee.given) helpForCount(diagnostic, callee);
  if (inference_.rowOf(found)) inference_.unify(found, poison());  // no more is needed of it
}

// `reduce (+) xs`: one too few of a function whose last argument is an array.
void ApplyInferrer::helpForCount(diag::Diagnostic& diagnostic, const Callee& callee) {
  size_t takes = 0;
  bool is_array = false;
  for (auto* step = inference_.as<InferFunction>(callee.function); step != nullptr;
       step = inference_.as<InferFunction>(step->result)) {
    is_array = inference_.as<InferArray>(step->parameter) != nullptr;
    ++takes;
  }
  if (callee.name.empty() || takes < 3 || callee.given + 1 != takes || !is_array) return;
  diagnostic.notes.push_back(
      fmt::format("help: `{}` takes {} arguments, {} are given", callee.name, takes, callee.given));
}

// Can a value of the one type be one of the other, as far as their outermost forms say?
bool ApplyInferrer::couldFit(TypeRef found, TypeRef parameter) {
  auto isOpen = [&](TypeRef type) {
    return inference_.isUnknown(type) || inference_.as<InferParam>(type) ||
           inference_.as<Poison>(type);
  };
  auto areBoth = [&](auto form) {
    using Form = decltype(form);
    return inference_.as<Form>(found) != nullptr && inference_.as<Form>(parameter) != nullptr;
  };
  if (isOpen(found) || isOpen(parameter)) return true;
  const auto scalar = inference_.asScalar(parameter);
  if (scalar) return inference_.asScalar(found) == scalar;
  return areBoth(InferArray{}) || areBoth(InferRecord{}) || areBoth(InferFunction{}) ||
         areBoth(InferSum{});
}

// Does the function take the parts of a tuple, one by one and no others?
bool ApplyInferrer::takesEach(TypeRef function, const std::vector<ExprId>& parts) {
  for (ExprId part : parts) {
    const auto* step = inference_.as<InferFunction>(function);
    if (step == nullptr || !couldFit(inferred_[part], step->parameter)) return false;
    function = step->result;
  }
  return inference_.as<InferFunction>(function) == nullptr;
}

// `f(x, y)` for a function of `x` and `y`.
bool ApplyInferrer::reportGatheredArguments(ExprId argument, TypeRef parameter,
                                            const Callee& callee) {
  const auto* tuple = std::get_if<TupleExpr>(&program_.tree.exprs[argument].node);
  const bool is_record = inference_.isUnknown(parameter) || inference_.as<InferRecord>(parameter) ||
                         inference_.as<InferParam>(parameter);
  if (tuple == nullptr || tuple->elements.size() < 2 || is_record) return false;
  if (callee.name.empty() || callee.given != 1) return false;
  if (!takesEach(callee.function, tuple->elements)) return false;
  sink_
      .error(Code::type_mismatch, span(argument),
             fmt::format("{} is a tuple, but `{}` is needed", describeArgument(callee, 0),
                         inference_.print(parameter)))
      .notes.push_back(fmt::format("help: several arguments are written `{} {}`",
                                   asFunction(callee.name),
                                   asArguments(program_.tree, tuple->elements)));
  return true;
}

// Data, functions, then data whose type is a function's result: the weights of `vjp`, so that wrong
// weights are marked, not the function.
void ApplyInferrer::inferWaiting(std::vector<Waiting>& waiting, Callee& callee) {
  auto isFunction = [&](const Waiting& argument) {
    return inference_.as<InferFunction>(argument.parameter) != nullptr ||
           std::holds_alternative<Lambda>(program_.tree.exprs[argument.expr].node);
  };
  auto isOfResult = [&](const Waiting& argument) {
    return std::any_of(waiting.begin(), waiting.end(), [&](const Waiting& other) {
      return isResultAlone(other.parameter, argument.parameter);
    });
  };
  std::array<std::vector<const Waiting*>, 3> rounds;
  for (const Waiting& argument : waiting) {
    rounds[isFunction(argument) ? 1 : isOfResult(argument) ? 2 : 0].push_back(&argument);
  }
  for (const auto& round : rounds) {
    for (const Waiting* argument : round) {
      checkArgument(argument->expr, argument->parameter, argument->position, callee);
    }
  }
  waiting.clear();
}

// Does `type` contain the unknown result of the function, which its parameter does not?
bool ApplyInferrer::isResultAlone(TypeRef function, TypeRef type) {
  const auto* found = inference_.as<InferFunction>(function);
  if (found == nullptr || !inference_.isUnknown(found->result)) return false;
  const TypeRef result = inference_.resolve(found->result);
  return inference_.occurs(result, type) && !inference_.occurs(result, found->parameter);
}

// The type of the result, with the argument's value put for the parameter's name and new names for
// the sizes that only the result knows.
TypeRef ApplyInferrer::afterArgument(const InferFunction& function, ExprId argument, Span span) {
  Substitution values;
  if (function.parameter_name) nameArgument(function, argument, values);
  for (BinderId existential : function.existentials) {
    BinderId binder = names_.newSizeBinder(program_.binders[existential].name, span);
    values.sizes.emplace_back(existential, binderSize(binder));
  }
  return inference_.instantiate(function.result, values);
}

// The substitute of the parameter's name: the argument itself if it is simple, else a name that is
// bound to it before the call.
void ApplyInferrer::nameArgument(const InferFunction& function, ExprId argument,
                                 Substitution& values) {
  BinderId parameter = *function.parameter_name;
  const std::string name = program_.binders[parameter].name;
  if (inference_.asScalar(function.parameter) == prim::ScalarType::kI64) {
    auto size = sizes_.sizeOf(argument);
    if (!size || isTooComplex(*size)) {
      BinderId binder = names_.newSizeBinder(name, span(argument));
      context_.size_order.named_arguments[argument] = binder;
      auto known = sizes_.sizeOf(argument, SizeExpressions::Following::kExpressions);
      if (known && !isTooComplex(*known)) inference_.define(binder, *known);
      size = binderSize(binder);
    }
    values.sizes.emplace_back(parameter, std::move(*size));
    return;
  }
  auto value = sizes_.operandOf(argument);
  auto* expression = value ? std::get_if<SizeExprId>(&*value) : nullptr;
  if (!expression) {
    BinderId binder = names_.newBinder(name, span(argument), inferred_[argument]);
    context_.size_order.named_arguments[argument] = binder;
    values.values.emplace_back(parameter, inference_.sizeVariable(binder, inferred_[argument]));
  } else {
    values.values.emplace_back(parameter, *expression);
  }
}

// `a and b` applies `a`.
void ApplyInferrer::helpForWords(diag::Diagnostic& diagnostic, ExprId argument) {
  const std::string word = nameOf(program_.tree, argument);
  if (word != "and" && word != "or") return;
  diagnostic.notes.push_back(
      fmt::format("help: of two conditions that is `a {} b`", word == "and" ? "&&" : "||"));
}

TypeRef ApplyInferrer::reportNotFunction(TypeRef function, size_t given,
                                         const std::vector<ExprId>& arguments,
                                         const Callee& callee) {
  bool is_poison = inference_.as<Poison>(function) != nullptr;
  for (size_t i = given; i < arguments.size(); ++i) exprs_.infer(arguments[i]);
  if (is_poison) return poison();
  std::string name = callee.name.empty() ? "this expression" : "`" + callee.name + "`";
  if (given == 0) {
    auto& diagnostic = sink_.error(Code::not_a_function, callee.span,
                                   fmt::format("{} is applied to an argument, but has type `{}`",
                                               name, inference_.print(function)));
    helpForWords(diagnostic, arguments[0]);
    if (inference_.as<InferArray>(function)) {
      diagnostic.notes.emplace_back("help: an element is `xs[i]`");
    }
  } else {
    auto& diagnostic = sink_.error(Code::too_many_arguments, span(arguments[given]),
                                   fmt::format("{} takes {} argument{}, {} are given", name, given,
                                               given == 1 ? "" : "s", arguments.size()));
    const auto def = names_.findDef({{}, callee.name, callee.span});
    const bool is_prelude = def && program_.defs[*def].is_prelude;
    const std::string_view call = is_prelude ? callOf(callee.name) : std::string_view();
    if (!call.empty()) diagnostic.notes.emplace_back(call);
  }
  return poison();
}

// Sizes that have grown out of hand get a name of their own. So do those that would have to be
// evaluated: the value's shape shows them.
TypeRef ApplyInferrer::limitSizes(TypeRef type, Span span) {
  if (auto* record = inference_.as<InferRecord>(type)) {
    InferRecord copy = *record;
    for (TypeRef& field : copy.fields) field = limitSizes(field, span);
    return copy.fields == inference_.as<InferRecord>(type)->fields
               ? type
               : inference_.record(std::move(copy));
  }
  auto* array = inference_.as<InferArray>(type);
  if (!array) return type;
  InferArray copy = *array;
  TypeRef element = limitSizes(copy.element, span);
  Size size = inference_.resolve(copy.size);
  bool too_complex = isTooComplex(size);
  bool is_named = too_complex || inference_.hasExpression(size);
  if (element == copy.element && !is_named) return type;
  if (is_named) {
    BinderId binder = names_.newSizeBinder("k", span);
    if (!too_complex) {
      inference_.define(binder, size);
      context_.size_order.expressions.push_back(binder);
    }
    copy.size = binderSize(binder);
  }
  return inference_.array(std::move(copy.size), element);
}

}  // namespace halo::types
