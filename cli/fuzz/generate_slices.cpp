// Parts of arrays, read and overwritten: with strides, backwards, columns, rows; some bounds fail.
#include <array>

#include "cli/fuzz/array_parts.h"

namespace halo::fuzz {

Node SliceGenerator::sliced(const Type& type, int budget) {
  const std::string& size = type.name;
  const std::string as = " :> " + text(type) + ")", z = fresh("z");
  switch (below(5)) {
    case 0:  // backwards
      if (type.element().isArray() && oneIn(2)) {
        return {type, "(let " + z + " = $ in " + z + "[::-1, ::-1]" + as, {expr(type, budget - 1)}};
      }
      return {type, "(($)[::-1]" + as, {expr(type, budget - 1)}};
    case 1:  // every second of twice as many, from the last one
      return {type,
              "(let " + z + " = $ ++ $ in " + z + "[2 * " + size + " - 1::-2]" + as,
              {expr(type, budget - 1), expr(type, budget - 1)}};
    case 2: {  // from any index; past the end now and then
      const std::string other = anySize(), from = fresh("lo");
      return {type,
              "(let " + from + " = $ " + (oneIn(6) ? "" : "% (" + other + " + 1) ") +
                  "in ($ ++ $)[" + from + ":" + from + " + " + size + "]" + as,
              {expr(scalar("i64"), budget - 2), expr(type, budget - 1),
               expr(array(other, type.element()), budget - 2)}};
    }
    case 3: {  // from there on down
      const std::string from = fresh("hi");
      return {type,
              "(let " + from + " = " + size + " - 1 + $ % 4 in ($ ++ $)[" + from + ":" + from +
                  " - " + size + ":-1]" + as,
              {expr(scalar("i64"), budget - 2), expr(type, budget - 1),
               expr(array("3", type.element()), budget - 2)}};
    }
    default: {  // a column
      const std::string columns = anySize();
      return {type,
              "(let " + z + " = $ in if " + columns + " > 0 then " + z + "[:, $ % " + columns +
                  "] else $)",
              {expr(array(size, array(columns, type.element())), budget - 1),
               expr(scalar("i64"), budget - 2), expr(type, budget - 2)}};
    }
  }
}

Node SliceGenerator::updatedPart(const Type& type, int budget) {
  const std::string& size = type.name;
  const std::string z = fresh("z"), q = fresh("q");
  const std::string start = "(let " + q + " = $ let " + z + " = copy $ in ";
  if (type.element().isArray() && oneIn(2)) {
    const Type& row = type.element();
    const std::string inside = size + " > 0 && " + row.name + " > 0";
    if (oneIn(2)) {  // a column
      return {type,
              "(let " + z + " = copy $ in if " + inside + " then " + z + " with [:, $ % " +
                  row.name + "] = $ else " + z + ")",
              {expr(type, budget - 1), expr(scalar("i64"), budget - 2),
               expr(array(size, row.element()), budget - 1)}};
    }
    return {type,
            "(let " + z + " = copy $ in if " + inside + " then " + z + " with [$ % " + size +
                ", $ % " + row.name + "] = copy $ else " + z + ")",
            {expr(type, budget - 1), expr(scalar("i64"), budget - 2),
             expr(scalar("i64"), budget - 2), expr(row.element(), budget - 1)}};
  }
  static constexpr std::array<const char*, 4> kParts = {"[::2]", "[1::3]", "[::-1]", "[::-2]"};
  const std::string part = pick(kParts);
  if (oneIn(3)) {  // by name
    return {type,
            "(let " + z + " = copy $ let " + z + "[$ % (" + size + " + 1)] = copy $ in " + z + ")",
            {expr(type, budget - 1), expr(scalar("i64"), budget - 2),
             expr(type.element(), budget - 1)}};
  }
  return {type,
          start + "if " + size + " < 2 then " + z + " else " + z + " with " + part + " = " + q +
              part + ")",
          {expr(type, budget - 1), expr(type, budget - 1)}};
}

}  // namespace halo::fuzz
