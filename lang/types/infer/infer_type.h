// Types and sizes while one declaration is inferred: like TypeNode, with unknowns. `Inference`
// (inference.h) makes, looks at and solves them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lang/types/intern.h"
#include "lang/types/sizes/size.h"

namespace halo::types {

using TypeRef = base::Id<struct InferTypeTag>;

// Which types an unknown may become: one bit per scalar type, and one for everything else.
using RowId = base::Id<struct RowTag>;
using SizeExprId = base::Id<struct SizeExprTag>;
using Allowed = uint16_t;
inline constexpr Allowed kAnyType = 0xffff;
constexpr Allowed allow(prim::ScalarType type) {
  return static_cast<Allowed>(1u << static_cast<unsigned>(type));
}
Allowed allowedWhere(bool (*predicate)(prim::ScalarType));
Allowed allowedAt(prim::Operands operands);

struct UnknownType {
  TypeRef solution;  // none yet
  Allowed allowed = kAnyType;
  Span origin;
  syntax::Lift lift = syntax::Lift::kFull;  // kNone, kSize: not a function
  RowId row;  // a sum with at least these constructors; none: no such sum
};
struct InferArray {
  Size size;
  TypeRef element;
};
// The order of a record's fields: numbers first, by value, so that `{0 = .., .., 10 = ..}` is a
// tuple.
bool isFieldBefore(const std::string& a, const std::string& b);
struct InferRecord {
  std::vector<std::string> names;
  std::vector<TypeRef> fields;
};
struct InferFunction {
  TypeRef parameter;
  bool consumes = false;
  std::optional<BinderId> parameter_name;
  TypeRef result;
  std::vector<BinderId> existentials;
  Uniqueness unique_parameter = {}, unique_result = {};
};
// A type parameter, or an abstract type with its arguments.
struct InferParam {
  TypeParamId parameter;
  std::vector<TypeRef> types;
  std::vector<Size> sizes;
};
struct InferSum {  // constructors in alphabetical order
  std::vector<std::string> constructors;
  std::vector<std::vector<TypeRef>> payloads;

  std::optional<size_t> find(const std::string& constructor) const;
};
struct Poison {};  // some error was reported: fits everything
// The known part of a sum of unknown type: it has these constructors, and maybe more.
struct Row {
  std::vector<std::pair<std::string, std::vector<TypeRef>>> constructors;
};
using InferNode = std::variant<UnknownType, ScalarTypeNode, InferArray, InferRecord, InferFunction,
                               InferParam, InferSum, Poison>;

// A size that is no polynomial, or a value within it: `f x` in `[f x]t` (size_expression.cpp).
// Those with the same head and parts are the same.
using SizeOperand = std::variant<Size, SizeExprId>;  // a Size if it is an i64
struct SizeExpr {
  std::string head;                  // the node without its parts
  std::optional<BinderId> variable;  // a local one
  std::vector<SizeOperand> parts;
  ExprId prototype;  // how it is written, but for its parts; none for variables
  TypeRef type;
  std::vector<TypeRef> type_arguments;  // of the name it uses
  std::vector<Size> size_arguments;
  bool is_written = true;  // the prototype is exactly this
  bool is_open = false;    // has unknowns
  bool is_cheap = true;    // takes no time to evaluate again
  size_t weight = 1;
};

struct Substitution {
  std::vector<std::pair<TypeParamId, TypeRef>> types;
  std::vector<std::pair<BinderId, Size>> sizes;
  std::vector<std::pair<BinderId, SizeExprId>> values = {};  // for names that are no i64

  bool empty() const { return types.empty() && sizes.empty() && values.empty(); }
};

// Why two types do not fit: the innermost difference.
struct Mismatch {
  enum class Kind { kType, kSize, kInfinite, kLift } kind = Kind::kType;
  TypeRef found, needed;         // kType, kInfinite, kLift
  Size found_size, needed_size;  // kSize
  Span span;                     // of an equation that was postponed, else none
};
using MaybeMismatch = std::optional<Mismatch>;

}  // namespace halo::types
