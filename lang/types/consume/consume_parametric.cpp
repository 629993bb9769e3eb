// A function cannot make values of an unknown type: a value of its type parameter `b` comes from
// its arguments. Where those can only get it by calling functions whose results are `*`, the result
// of the call is `*`, too: `xs |> copy`, `(f >-> copy) x`. (Reynolds, Types, Abstraction and
// Parametric Polymorphism, 1983; Futhark's checker has the same rule.)
#include "lang/types/consume/call_walk.h"

namespace halo::types {

namespace {

size_t occurrences(const Program& program, TypeId type, TypeParamId param) {
  if (!type) return 0;
  if (auto* array = std::get_if<ArrayType>(&program.types[type])) {
    return occurrences(program, array->element, param);
  }
  if (auto* function = std::get_if<FunctionType>(&program.types[type])) {
    return occurrences(program, function->parameter, param) +
           occurrences(program, function->result, param);
  }
  size_t count = 0;
  if (auto* other = std::get_if<ParamType>(&program.types[type])) {
    count = other->parameter == param ? 1 : 0;
    for (TypeId argument : other->types) count += occurrences(program, argument, param);
  }
  for (const Part& part : partsOf(program, type)) count += occurrences(program, part.type, param);
  return count;
}

// Whether a parameter of this type is a function that makes values of `param` out of others, which
// it leaves alone.
bool isSource(const Program& program, TypeId type, TypeParamId param) {
  auto* function = std::get_if<FunctionType>(&program.types[type]);
  for (; function; function = std::get_if<FunctionType>(&program.types[type])) {
    if (function->consumes || occurrences(program, function->parameter, param) > 0) return false;
    type = function->result;
  }
  auto* result = std::get_if<ParamType>(&program.types[type]);
  return result && result->parameter == param;
}

}  // namespace

// Whether the argument is a function that gives a `*`.
bool CallWalk::makesUnique(const Argument& argument) const {
  const FunctionType* function = functionType(typeOf(argument.expr));
  if (!function) return false;
  size_t parameters = 1;
  for (; functionType(function->result); ++parameters) function = functionType(function->result);
  bool is_known = argument.value && argument.value->closure &&
                  argument.value->closure->parameters == parameters;
  return is_known ? argument.value->closure->result.all : function->unique_result.all;
}

// The stars of a call's result that follow from the types of its arguments, added to `stars`.
void CallWalk::addParametricStars(const Callee& callee, const std::vector<Argument>& arguments,
                                  Uniqueness& stars) const {
  if (!callee.declared || stars.all) return;
  TypeId whole = resultType(callee.declared, arguments.size());
  auto isFresh = [&](TypeParamId param) {
    if (program_.type_params[param].is_abstract || occurrences(program_, whole, param) != 1) {
      return false;
    }
    TypeId type = callee.declared;
    bool has_source = false;
    for (const Argument& argument : arguments) {
      const FunctionType* function = functionType(type);
      if (!function) return false;
      TypeId parameter = function->parameter;
      type = function->result;
      if (occurrences(program_, parameter, param) == 0) continue;
      if (!isSource(program_, parameter, param) || !makesUnique(argument)) return false;
      has_source = true;
    }
    return has_source;
  };
  auto add = [&](auto& self, TypeId type, Uniqueness& of) -> void {
    if (auto* param = std::get_if<ParamType>(&program_.types[type])) {
      of.all = of.all || isFresh(param->parameter);
    } else if (const RecordType* record = recordType(type); record && !of.all) {
      for (size_t i = 0; i < record->names.size(); ++i) {
        Uniqueness part = of.part(record->names[i]);
        self(self, record->fields[i], part);
        if (!of.part(record->names[i]).any()) of.add(record->names[i], std::move(part));
      }
    }
  };
  if (!functionType(whole)) add(add, whole, stars);
}

}  // namespace halo::types
