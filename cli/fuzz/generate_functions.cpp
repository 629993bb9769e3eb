// Expressions with functions of their own: closures, functions in records, functions that return
// functions, functions of any size, functions that consume.
#include "cli/fuzz/general_parts.h"

namespace halo::fuzz {

Node FunctionGenerator::withFunction(const Type& type, int budget) {
  switch (below(5)) {
    case 4:
      return held(type, budget);
    case 0:
      return sizedFunction(type, budget);
    case 1:
      return curried(type, budget);
    case 2:
      return owning(type, budget);
    default:
      return localFunction(type, budget);
  }
}

// Called twice, alone or out of a record.
Node FunctionGenerator::localFunction(const Type& type, int budget) {
  const Type parameter = valueType(), result = valueType();
  const std::string function = fresh("f");
  Scope scope = mark();
  const std::string x = bind(parameter, "x");
  Node body = expr(result, budget - 2);
  leave(scope);
  Node first = expr(parameter, budget - 2), second = expr(parameter, budget - 2);
  scope = mark();
  const std::string a = bind(result), b = bind(result);
  Node rest = expr(type, budget - 1);
  leave(scope);
  const std::string called = oneIn(2) ? function : "{g = " + function + ", h = 1i32}.g";
  return {type,
          "(let " + function + " (" + x + ": " + text(parameter) + "): " + text(result) +
              " = $ let " + a + " = " + function + " $ let " + b + " = (" + called + ") $ in $)",
          {std::move(body), std::move(first), std::move(second), std::move(rest)}};
}

// Of arrays of any size, used for two sizes.
Node FunctionGenerator::sizedFunction(const Type& type, int budget) {
  const Type item = elementType(), other = elementType();
  const std::string function = fresh("f"), size = fresh("s");
  Scope scope = mark();
  const std::string x = bind(array(size, item), "x");
  sizes_.push_back(size);
  Node body = expr(array(size, other), budget - 2);
  leave(scope);
  const std::string one = anySize(), two = anySize();
  Node first = expr(array(one, item), budget - 2), second = expr(array(two, item), budget - 2);
  scope = mark();
  const std::string a = bind(array(one, other)), b = bind(array(two, other));
  Node rest = expr(type, budget - 1);
  leave(scope);
  const std::string head =
      " [" + size + "] (" + x + ": [" + size + "]" + text(item) + "): [" + size + "]";
  return {type,
          "(let " + function + head + text(other) + " = $ let " + a + " = " + function + " $ let " +
              b + " = " + function + " $ in $)",
          {std::move(body), std::move(first), std::move(second), std::move(rest)}};
}

// A function that returns one, given to another in part.
Node FunctionGenerator::curried(const Type& type, int budget) {
  const Type first = valueType(), second = scalarType();
  Node function = lambda({first, second}, type, budget - 2);
  const std::string name = fresh("f");
  if (oneIn(2)) {
    return {type,
            "(let " + name + " = $ in apply (" + name + " $) $)",
            {std::move(function), expr(first, budget - 2), expr(second, budget - 2)}};
  }
  return {type,
          "(let " + name + " = $ in ($ |> (" + name + " $ >-> id)))",
          {std::move(function), expr(second, budget - 2), expr(first, budget - 2)}};
}

// A function that overwrites its argument.
Node FunctionGenerator::owning(const Type& type, int budget) {
  const Type item = elementType();
  const std::string size = anySize(), function = fresh("f");
  const Type whole = array(size, item);
  Scope scope = mark();
  const std::string x = bind(whole, "x");
  variables_.pop_back();  // consumed: the new element is made without it
  Node element = expr(item, budget - 2);
  leave(scope);
  Node given = expr(whole, budget - 2);
  scope = mark();
  const std::string made = bind(whole);
  Node rest = expr(type, budget - 1);
  leave(scope);
  return {type,
          "(let " + function + " (" + x + ": *" + text(whole) + "): *" + text(whole) +
              " = if null " + x + " then " + x + " else " + x + " with [0] = copy $ let " + made +
              " = " + function + " (copy $) in $)",
          {std::move(element), std::move(given), std::move(rest)}};
}

// A function that overwrites an argument of a partial application, which consumed it. Each call
// begins with the value as it was.
Node FunctionGenerator::held(const Type& type, int budget) {
  const Type item = elementType();
  const std::string size = anySize(), function = fresh("f"), g = fresh("g"), y = fresh("y");
  const Type whole = array(size, item);
  const std::string x = fresh("x");
  Node nothing = leaf(item), written = expr(item, budget - 2);
  Node given = expr(whole, budget - 2), before = expr(item, budget - 3);
  const Scope scope = mark();
  const std::string made = bind(array("2", item));
  Node rest = expr(type, budget - 1);
  leave(scope);
  const std::string calls = oneIn(2) ? "map " + g + " [0, 1]" : "[" + g + " 0, " + g + " 1]";
  return {type,
          "(let " + function + " (" + x + ": *" + text(whole) + ") (i: i64): " + text(item) +
              " = if null " + x + " then $ else copy (" + x + " with [0] = copy $)[i % " + size +
              "] let " + g + " = " + function + " (let " + y + " = copy $ in if null " + y +
              " then " + y + " else " + y + " with [" + size + " - 1] = copy $) let " + made +
              " = " + calls + " in $)",
          {std::move(nothing), std::move(written), std::move(given), std::move(before),
           std::move(rest)}};
}

}  // namespace halo::fuzz
