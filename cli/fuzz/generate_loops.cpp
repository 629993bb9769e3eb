// Names and loops around expressions of any type.
#include "cli/fuzz/general_parts.h"

namespace halo::fuzz {

Node LoopGenerator::let(const Type& type, int budget) {
  const Type bound = valueType();
  Node value = expr(bound, budget - 1);
  const Scope scope = mark();
  const std::string name = bind(bound);
  Node body = expr(type, budget - 1);
  leave(scope);
  return {type, "(let " + name + " = $ in $)", {std::move(value), std::move(body)}};
}

// An array whose size only running tells.
Node LoopGenerator::letFiltered(const Type& type, int budget) {
  const std::string length = fresh("l");
  const Type item = elementType();
  const std::string from = anySize();
  Node value;
  if (item == scalar("i64") && oneIn(3)) {
    value = {item,
             oneIn(2) ? "(spreadOut $)" : "(replIota (map (% 4) $))",
             {expr(array(from, item), budget - 2)}};
  } else {
    value = {item,
             oneIn(2) ? "(filter $ $)" : "(keep $ $)",
             {lambda({item}, scalar("bool"), budget - 2), expr(array(from, item), budget - 2)}};
  }
  const bool counted = oneIn(4);
  if (counted) {
    value = {item,
             "(keepBoth $ $)",
             {lambda({item}, scalar("bool"), budget - 2), expr(array(from, item), budget - 2)}};
  }
  const Scope scope = mark();
  const std::string name = bind(array(length, item));
  const std::string count = counted ? ", " + bind(scalar("i64"), "k") + ": i64" : "";
  sizes_.push_back(length);
  Node body = expr(type, budget - 1);
  leave(scope);
  return {
      type,
      "(let [" + length + "] (" + name + ": [" + length + "]" + text(item) + count + ") = $ in $)",
      {std::move(value), std::move(body)}};
}

// One of several arrays, each of its own size.
Node LoopGenerator::letOneOf(const Type& type, int budget) {
  const Type item = elementType();
  const std::string length = fresh("l"), one = anySize(), two = anySize();
  const bool is_matched = oneIn(2);
  Node which = expr(scalar(is_matched ? "i64" : "bool"), budget - 2);
  Node first = expr(array(one, item), budget - 2), second = expr(array(two, item), budget - 2);
  Node third = expr(array(one, item), budget - 2);
  const Scope scope = mark();
  const std::string name = bind(array(length, item));
  sizes_.push_back(length);
  Node body = expr(type, budget - 1);
  leave(scope);
  const std::string head = "(let [" + length + "] (" + name + ": [" + length + "]" + text(item);
  if (is_matched) {
    return {
        type,
        head + ") = match $ % 3 case 0 -> $ ++ $ case 1 -> ($)[::2] case _ -> [] in $)",
        {std::move(which), std::move(first), std::move(second), std::move(third), std::move(body)}};
  }
  return {type,
          head + ") = if $ then $ else $ in $)",
          {std::move(which), std::move(first), std::move(second), std::move(body)}};
}

// A record in a loop, of which an array is overwritten in place and the other part exchanged.
Node LoopGenerator::recordLoop(const Type& type, int budget) {
  const Type item = elementType();
  const std::string size = anySize(), record = fresh("r"), i = fresh("i");
  const Type whole{Type::Kind::kRecord, "", {array(size, item), type}};
  Node start = expr(whole.parts[0], budget - 2), other = expr(type, budget - 1);
  const Scope scope = mark();
  variables_.push_back({record + "." + field(0), whole.parts[0]});
  variables_.push_back({record + "." + field(1), type});
  variables_.push_back({i, scalar("i64")});
  Node element = expr(item, budget - 2), next = expr(type, budget - 1);
  leave(scope);
  const std::string at = field(0) + "[" + i + "]";
  return {type,
          "(loop (" + record + ": *" + text(whole) + ") = {" + field(0) + " = copy $, " + field(1) +
              " = copy $} for " + i + " < " + size + " do let e = copy $ let o = copy $ let " +
              record + " = " + record + " with " + at + " = e in " + record + " with " + field(1) +
              " = o)." + field(1),
          {std::move(start), std::move(other), std::move(element), std::move(next)}};
}

// Half of an array until few are left, whose number then is a size.
Node LoopGenerator::shrinkingLoop(const Type& type, int budget) {
  const Type item = elementType();
  const std::string length = fresh("l"), name = fresh("g");
  Node start = expr(array(anySize(), item), budget - 2);
  const Scope scope = mark();
  const std::string left = bind(array(length, item));
  sizes_.push_back(length);
  Node body = expr(type, budget - 1);
  leave(scope);
  const std::string part = oneIn(2) ? "take (length " + name + " / 2) " + name : name + "[::2]";
  return {type,
          "(let [" + length + "] (" + left + ": [" + length + "]" + text(item) + ") = loop (" +
              name + ": []" + text(item) + ") = $ while length " + name + " > 2 do " + part +
              " in $)",
          {std::move(start), std::move(body)}};
}

Node LoopGenerator::loop(const Type& type, int budget) {
  Node start = expr(type, budget - 1);
  const bool over_array = oneIn(3);
  const Type item = over_array ? elementType() : scalar("i64");
  const std::string length = anySize();
  Node source = over_array ? expr(array(length, item), budget - 2) : literal(scalar("i64"));
  const Scope scope = mark();
  const std::string carried = bind(type, "acc"), index = bind(item, "i");
  Node body = expr(type, budget - 1);
  leave(scope);
  return {type,
          "(loop " + carried + " = $ for " + index + (over_array ? " in " : " < ") + "$ do $)",
          {std::move(start), std::move(source), std::move(body)}};
}

// Bounded by a counter in addition to the condition.
Node LoopGenerator::whileLoop(const Type& type, int budget) {
  Node start = expr(type, budget - 1);
  const Scope scope = mark();
  const std::string carried = bind(type, "acc"), steps = bind(scalar("i64"), "j");
  Node condition = expr(scalar("bool"), budget - 2), body = expr(type, budget - 1);
  leave(scope);
  return {type,
          "(loop (" + carried + ", " + steps + ") = ($, 0i64) while " + steps +
              " < 4 && $ do ($, " + steps + " + 1)).0",
          {std::move(start), std::move(condition), std::move(body)}};
}

}  // namespace halo::fuzz
