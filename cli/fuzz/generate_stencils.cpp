// Stencils of one to three dimensions, steps of them, pads and slides.
#include <algorithm>
#include <array>

#include "cli/fuzz/array_parts.h"

namespace halo::fuzz {

namespace {

size_t rankOf(const Type& type) {
  size_t rank = 0;
  for (const Type* at = &type; at->isArray(); at = &at->element()) ++rank;
  return rank;
}

// The element behind `rank` dimensions, and an array of these dimensions with other elements.
const Type& behind(const Type& type, size_t rank) {
  return rank == 0 ? type : behind(type.element(), rank - 1);
}
Type ofShape(const Type& type, size_t rank, const Type& element) {
  return rank == 0 ? element : array(type.name, ofShape(type.element(), rank - 1, element));
}

}  // namespace

std::string StencilGenerator::boundary(const Type& element) {
  static const std::array<const char*, 3> kPlain = {"#clamp", "#mirror", "#wrap"};
  if (!oneIn(3)) return pick(kPlain);
  return "(#constant " + text(element.isScalar() ? literal(element) : product(element, 0)) + ")";
}

std::string StencilGenerator::boundaries(const Type& element, size_t rank) {
  std::string out = boundary(element);
  if (rank == 1) return out;
  for (size_t i = 1; i < rank; ++i) out += ", " + boundary(element);
  return "(" + out + ")";
}

// Near ones mostly; the same twice and far outside now and then. Those of an axis that is not
// known have a `$`.
std::string StencilGenerator::offsets(size_t rank, size_t count, bool is_known) {
  const size_t unknown = is_known ? rank : below(rank);
  std::string out = "[";
  for (size_t i = 0; i < count; ++i) {
    out += i > 0 ? ", " : "";
    out += rank > 1 ? "(" : "";
    for (size_t axis = 0; axis < rank; ++axis) {
      const int64_t reach = oneIn(20) ? 30 : oneIn(4) ? 4 : 1;
      const int64_t offset =
          static_cast<int64_t>(below(2 * static_cast<uint64_t>(reach) + 1)) - reach;
      out += axis > 0 ? ", " : "";
      out += axis == unknown ? "$" : std::to_string(offset);
    }
    out += rank > 1 ? ")" : "";
  }
  return out + "]";
}

// Some neighbours by name, so that they are used; or a sum with weights; or anything.
Node StencilGenerator::cell(const Type& from, size_t count, const Type& result, int budget) {
  const std::string v = variables_.back().name;
  if (from.isInteger() && result == from && oneIn(3)) {
    std::string weights;
    for (size_t i = 0; i < count; ++i) {
      weights += (i > 0 ? ", " : "") + std::to_string(below(3)) + from.name;
    }
    return {result, "(reduce (+) 0 (map2 (*) [" + weights + "] " + v + "))", {}};
  }
  if (from == scalar("f32") && result == from && oneIn(3)) {  // exact: small whole numbers
    return {result, "(f32.sum (map (\\y -> 0.25f32 * f32.i64 (i64.f32 y % 16)) " + v + "))", {}};
  }
  if (from.kind == Type::Kind::kSum) {
    const Scope scope = mark();
    const std::string payload = bind(from.parts[0], "y");
    Node other = expr(result, budget);
    leave(scope);
    return {result,
            "(match " + v + "[" + std::to_string(below(count)) + "] case #a " + payload +
                " -> $ case #b y -> y)",
            {std::move(other)}};
  }
  if (oneIn(3)) return expr(result, budget);
  const Scope scope = mark();
  std::string names;
  for (size_t i = 0; i < count; ++i) {
    const std::string name = bind(from, "y");
    names += "let " + name + " = " + v + "[" + std::to_string(i) + "] ";
  }
  Node body = expr(result, budget);
  leave(scope);
  return {result, "(" + names + "in $)", {std::move(body)}};
}

Node StencilGenerator::stencil(const Type& type, int budget) {
  const size_t rank = 1 + below(std::min<size_t>(rankOf(type), 3));
  const Type& result = behind(type, rank);
  const Type from = oneIn(10)  ? Type{Type::Kind::kSum, "", {scalarType(), result}}
                    : oneIn(4) ? tuple({scalarType(), scalarType()})
                    : oneIn(2) && result.isScalar() ? result
                                                    : scalarType();
  const Type invariant = scalarType();
  const bool is_alone = oneIn(3), is_known = !oneIn(4);
  const size_t count = 1 + below(oneIn(5) ? 9 : 4);
  const std::string name = "stencil_" + std::to_string(rank) + "d";
  Node node{type, "(" + (oneIn(2) ? name : name + "_with " + boundaries(from, rank)) + " ", {}};
  node.text += offsets(rank, count, is_known) + " $ " + (is_alone ? "rep ()" : "$") + " $)";
  if (is_alone)
    node.text.replace(node.text.find("rep ()"), 6,
                      "(" + std::string(rank > 1 ? "replicate " + type.name + " " : "") +
                          (rank > 2   ? "(replicate " + type.element().name + " (rep ()))"
                           : rank > 1 ? "(rep ())"
                                      : "rep ()") +
                          ")");
  for (size_t i = 0; !is_known && i < count; ++i) node.children.push_back(leaf(scalar("i64")));
  const Scope scope = mark();
  const std::string at = is_alone ? "_" : bind(invariant, "c");
  const Type neighbours = array(std::to_string(count), from);
  const std::string v = bind(neighbours, "v");
  Node body = cell(from, count, result, budget - 1);
  leave(scope);
  node.children.push_back(
      {result, "(\\" + at + " (" + v + ": " + text(neighbours) + ") -> $)", {std::move(body)}});
  if (!is_alone) node.children.push_back(expr(ofShape(type, rank, invariant), budget - 2));
  node.children.push_back(expr(ofShape(type, rank, from), budget - 1));
  return node;
}

// The same stencil several times, which the engines may do in tiles.
Node StencilGenerator::steps(const Type& type, int budget) {
  const size_t rank = std::min<size_t>(rankOf(type), 3);
  const Type& item = behind(type, rank);
  if (!item.isScalar()) return stencil(type, budget);
  Node start = expr(type, budget - 1);
  const size_t count = 2 + below(4);
  const Scope scope = mark();
  const std::string carried = bind(type, "acc");
  const std::string v = bind(array(std::to_string(count), item), "v");
  Node body = cell(item, count, item, 2);
  leave(scope);
  const std::string times = std::to_string(below(9));
  return {type,
          "(loop " + carried + " = $ for _i < " + times + " do stencil_" + std::to_string(rank) +
              "d_with " + boundaries(item, rank) + " " + offsets(rank, count, true) + " (\\_ (" +
              v + ": [" + std::to_string(count) + "]" + text(item) + ") -> $) " + carried + " " +
              carried + ")",
          {std::move(start), std::move(body)}};
}

// Windows of three over an array grown by one on each side, or by two in front; in two dimensions
// windows of two by three.
Node StencilGenerator::slid(const Type& type, int budget) {
  const Type from = scalarType();
  if (rankOf(type) > 1 && oneIn(2)) {
    const Type& item = behind(type, 2);
    const std::string pad = "(pad_2d 1 0 1 1 " + boundaries(from, 2) + " $)";
    return {type,
            "(map (map $) (slide_2d 2 1 3 1 " + pad + ") :> " + text(type) + ")",
            {lambda({array("2", array("3", from))}, item, budget - 1),
             expr(ofShape(type, 2, from), budget - 1)}};
  }
  const std::string pad = std::string(oneIn(2) ? "1 1 " : "2 0 ") + boundary(from);
  return {type,
          "(map $ (slide_1d 3 1 (pad_1d " + pad + " $)) :> " + text(type) + ")",
          {lambda({array("3", from)}, type.element(), budget - 1),
           expr(array(type.name, from), budget - 1)}};
}

}  // namespace halo::fuzz
