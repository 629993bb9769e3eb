// A checked program: the tree, flat declarations with unique names, and the side tables that hold
// everything inference found out. The interpreter and lowering read this and infer nothing.
//
// Conventions
// - Every variable bound anywhere (parameters, let, loop, size parameters, sizes that an expression
//   binds) is a Binder. Names are gone: uses point to binders or definitions.
// - Sizes are i64-valued expressions over binders. A size parameter is a binder of type i64.
// - A use of a polymorphic name carries its type and size arguments, complete and in the order of
//   the definition's parameters. They mention only names in scope at the use, so they can be
//   evaluated right there.
// - Some expressions have sizes that only their value knows (`xs[a:b]`, `filter`, an `if` whose
//   branches differ): `binds` lists the binders that evaluating the expression defines, found by
//   matching the expression's type against the value's shape.
//   A binder stays known to everything evaluated after it in the same function body, branch or loop
//   body; an outer expression whose type still mentions it repeats it in its own `binds`.
// - No inference variable is left: undetermined ones have their default (i32, f64).
// - The tree is elaborated where that makes evaluation simple: `x |> f` and `f <| x` are
//   applications; `map f (filter p xs)` is `let arg = filter p xs in map f arg`, because the use of
//   `map` needs the size; `replicate (f x) 0` is `let n = f x in replicate n 0`; a definition
//   without parameters that is a function gets some (`def s = reduce (+) 0`); `r.f` is a Project.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lang/prim/prim.h"
#include "lang/syntax/ast.h"
#include "lang/types/consume/uniqueness.h"

namespace halo::types {

using source::Span;
using syntax::ExprId;
using syntax::PatternId;
using TypeId = base::Id<struct TypeTag>;
using SizeId = base::Id<struct SizeTag>;
using BinderId = base::Id<struct BinderTag>;
using TypeParamId = base::Id<struct TypeParamTag>;
using DefId = base::Id<struct DefTag>;

// ---- sizes and types

struct SizeConst {
  int64_t value;
};
struct SizeBinder {
  BinderId binder;
};
enum class SizeOp { kAdd, kSub, kMul };
struct SizeArith {
  SizeOp op;
  SizeId lhs, rhs;
};
// Anything else, `[f x]t`: a checked expression of type i64 whose names are in scope; evaluated
// right where the size is needed.
struct SizeExpression {
  ExprId value;
};
using SizeNode = std::variant<SizeConst, SizeBinder, SizeArith, SizeExpression>;

struct ScalarTypeNode {
  prim::ScalarType scalar;
};
struct ArrayType {  // one dimension; a matrix is an array of arrays
  SizeId size;
  TypeId element;
};
struct RecordType {  // tuples have names "0", "1", ..; records alphabetical
  std::vector<std::string> names;
  std::vector<TypeId> fields;
};
struct FunctionType {
  TypeId parameter;
  bool consumes = false;                   // `*t` parameter
  std::optional<BinderId> parameter_name;  // a size in `result` may mention it
  TypeId result;
  std::vector<BinderId> existentials;  // sizes in `result` that only the result knows
  // Stars: of the parameter (`consumes`: there are some), and of a result that is no function.
  Uniqueness unique_parameter = {}, unique_result = {};
};
// A rigid type parameter of an enclosing definition. While a module with abstract types is checked
// from outside (README, two worlds): an abstract type with its arguments. Engines never see those.
struct ParamType {
  TypeParamId parameter;
  std::vector<TypeId> types;
  std::vector<SizeId> sizes;
};
// `#foo i32 | #bar`: constructors in alphabetical order. At run time a tag and slots for the scalar
// leaves of the payloads; see SumLayout. The tag is the constructor's number, see tagType; none if
// there is only one.
struct SumType {
  std::vector<std::string> constructors;
  std::vector<std::vector<TypeId>> payloads;
};
using TypeNode =
    std::variant<ScalarTypeNode, ArrayType, RecordType, FunctionType, ParamType, SumType>;

// ---- meanings of names

struct Binder {
  std::string name;
  Span span;
  TypeId type;
};
struct TypeParam {
  std::string name;
  Span span;
  syntax::Lift lift = syntax::Lift::kNone;
  bool is_abstract = false;  // a type of a module, hidden by its type
};

enum class Intrinsic {
#define INTRINSIC(id, names) id,
#include "lang/types/intrinsic.def"
#undef INTRINSIC
};
struct PrimMeaning {  // `f32.sqrt`, `i32.+`
  prim::Op op;
  prim::ScalarType type;
};
struct ConvertMeaning {  // `f32.i64`, `f32.to_bits`
  prim::ConvertKind kind;
  prim::ScalarType from, to;
};
using BuiltIn = std::variant<Intrinsic, PrimMeaning, ConvertMeaning>;

// A definition of the program or the prelude after elaboration: modules are gone, the name is
// qualified and unique (`f32.sum`).
struct Def {
  std::string name;
  Span span;  // of the name
  std::vector<TypeParamId> type_parameters;
  std::vector<BinderId> size_parameters;
  std::vector<PatternId> parameters;  // empty: a constant, evaluated at most once
  TypeId type;                        // of the whole: a function type if there are parameters
  TypeId result;                      // of the body
  ExprId body;                        // none for a built-in
  std::optional<BuiltIn> built_in;
  bool is_entry = false;
  bool is_recursive = false;
  bool is_prelude = false;
  std::string doc;
};

// The function of a `let f ..` expression.
struct LocalFunction {
  BinderId binder;
  std::vector<TypeParamId> type_parameters;
  std::vector<BinderId> size_parameters;
  TypeId result;
};

struct LocalTarget {
  BinderId binder;
};
struct DefTarget {
  DefId def;
};
struct EqualityTarget {  // `==` `!=` on anything but scalars
  bool negated;
};
enum class Logic { kAnd, kOr };  // short-circuit
struct LogicTarget {
  Logic logic;
};
using Target = std::variant<LocalTarget, DefTarget, PrimMeaning, EqualityTarget, LogicTarget>;

// A use of a name or operator: nodes Variable, Unary, Binary, OperatorSection.
struct Use {
  Target target = LocalTarget{};
  std::vector<TypeId> type_arguments;
  std::vector<SizeId> size_arguments;
};

struct Program {
  syntax::Tree tree;
  base::Store<TypeNode, TypeId> types;
  base::Store<SizeNode, SizeId> sizes;
  base::Store<Binder, BinderId> binders;
  base::Store<TypeParam, TypeParamId> type_params;
  base::Store<Def, DefId> defs;  // in dependency order; a definition sees earlier ones (and itself)

  // by expression
  base::PagedTable<TypeId, ExprId> type_of;
  base::PagedTable<std::optional<Use>, ExprId> use_of;
  base::PagedTable<std::optional<prim::Scalar>, ExprId> literal_of;  // Number, and in patterns
                                                                     // the Unary around it
  base::PagedTable<std::vector<BinderId>, ExprId> binds;             // see above
  base::PagedTable<std::vector<BinderId>, ExprId> size_names;        // Let / Loop `[n]`, in order
  base::PagedTable<std::optional<LocalFunction>, ExprId> local_function;  // LetFunction
  base::PagedTable<BinderId, ExprId> loop_variable;                       // Loop with LoopFor
  base::PagedTable<TypeId, ExprId> coerced_to;  // Coerce, Ascribe: its type
  // A carried array whose size changes from step to step. Binders of the sizes in the type of the
  // loop's pattern, bound anew by each step's value (and by the initial one).
  base::PagedTable<std::vector<BinderId>, ExprId> loop_sizes;
  // by pattern
  base::PagedTable<TypeId, PatternId> pattern_type;
  base::PagedTable<BinderId, PatternId> binder_of;  // PatternName

  std::optional<DefId> findEntry(const std::string& name) const;
  std::vector<DefId> entries() const;
};

// ---- questions about types, used by interpreter, lowering and the session

// Scalar leaves of a type from left to right, each with its array dimensions, outermost first.
// Of a sum: the tag if there is one, then the slots. Type parameters and functions have no leaves
// here: callers substitute them first.
struct Leaf {
  prim::ScalarType scalar;
  std::vector<SizeId> shape;
};
std::vector<Leaf> leaves(const Program& program, TypeId type);

// Where the payloads of a sum live. The leaves of one payload take different slots, equal leaves of
// different constructors share one; slots are in order of first use, constructors alphabetical.
// Keys say which leaves share: scalars of one type do. An array in a payload has a slot of its own
// (slotKeys), because sizes that are equal in one place may differ in another.
struct SumLayout {
  std::vector<size_t> slots;                      // for each slot, the number of its key
  std::vector<std::vector<size_t>> slot_of_leaf;  // by constructor, by leaf of its payload
};
struct SlotLeaf {
  prim::ScalarType scalar;
  bool is_array;  // within the payload
};
std::vector<std::vector<size_t>> slotKeys(const std::vector<std::vector<SlotLeaf>>& payloads);
// `keys[c][l]` identifies leaf l of constructor c; equal numbers may share.
SumLayout layoutOf(const std::vector<std::vector<size_t>>& keys);
// u8, or u16 for more than 256 constructors; none for a single one.
std::optional<prim::ScalarType> tagType(size_t constructors);

std::string print(const Program& program, TypeId type);
std::string print(const Program& program, SizeId size);
// Stage `types`: every definition with its full type, and the type of each binder.
std::string print(const Program& program);

}  // namespace halo::types
