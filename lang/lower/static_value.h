// A static value, lowering's representation of an expression (design.md#from-ast-to-core). It is a
// scalar operand, an array as its scalar leaves, a record of static values, a sum, or a function
// with its captures. A sum is its constructor with the static values of the payload, or tag and
// slots. Functions, records and sums exist only here; Core never sees them.
//
// Types at this level (MonoType) are monomorphic and their sizes are Core operands, so a type is
// meaningful only where its sizes are in scope.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "lang/core/ir.h"
#include "lang/types/checked.h"

namespace halo::lower {

using core::kOne;
using core::kZero;
using core::Operand;
using core::Operands;
using core::ValueId;
using prim::ScalarType;
using source::Span;
using types::BinderId;
using types::DefId;
using types::ExprId;
using types::TypeParamId;

// ---- types

struct MonoType;
using MonoTypeRef = std::shared_ptr<const MonoType>;

struct MonoArray {  // one dimension
  Operand size;
  MonoTypeRef element;
};
struct MonoRecord {
  std::vector<std::string> names;
  std::vector<MonoTypeRef> fields;
};
// Leaves: the tag if there are several constructors, then the slots.
struct MonoSum {
  std::vector<std::string> constructors;
  std::vector<std::vector<MonoTypeRef>> payloads;
  std::vector<core::Type> slots;
  std::vector<std::vector<size_t>> slot_of_leaf;  // by constructor, by leaf of its payload

  bool hasTag() const { return constructors.size() > 1; }
  ScalarType tag() const { return *types::tagType(constructors.size()); }
  size_t number(const std::string& constructor) const;
};
struct MonoFunction {};  // the closure itself says the rest
struct MonoType {
  std::variant<ScalarType, MonoArray, MonoRecord, MonoSum, MonoFunction> node;

  const MonoArray* array() const { return std::get_if<MonoArray>(&node); }
  const MonoRecord* record() const { return std::get_if<MonoRecord>(&node); }
  const MonoSum* sum() const { return std::get_if<MonoSum>(&node); }
};

MonoTypeRef scalarType(ScalarType scalar);
MonoTypeRef arrayType(Operand size, MonoTypeRef element);
MonoTypeRef recordType(std::vector<std::string> names, std::vector<MonoTypeRef> fields);
MonoTypeRef sumType(std::vector<std::string> constructors,
                    std::vector<std::vector<MonoTypeRef>> payloads);
MonoTypeRef functionType();

bool hasFunction(const MonoTypeRef& type);
// Core types of the scalar leaves, from left to right.
std::vector<core::Type> leafTypes(const MonoTypeRef& type);
// Sizes of the nest of dimensions at the top of a type, outermost first; and the type below it.
Operands dimensions(const MonoTypeRef& type);
MonoTypeRef elementBelow(const MonoTypeRef& type, size_t dimension_count);
MonoTypeRef arrayOf(const Operands& sizes, MonoTypeRef element);

// ---- values

struct StaticValue;
struct Closure;
using ClosureRef = std::shared_ptr<const Closure>;

struct ArrayValue {
  MonoTypeRef type;  // an array; without leaves (`[n]()`) only its sizes live on
  std::vector<ValueId> leaves;
};
struct RecordValue {
  std::vector<std::string> names;
  std::vector<StaticValue> fields;
};
// Payload leaves that the constructor has no use for are zero, so sums are equal if their leaves
// are.
struct SumValue {
  MonoTypeRef type;
  Operands leaves;  // the tag if there is one, then the slots
};
struct ConstructedValue {  // the constructor is known
  MonoTypeRef type;
  size_t constructor;
  std::vector<StaticValue> payload;
};
struct StaticValue {
  std::variant<Operand, ArrayValue, RecordValue, SumValue, ConstructedValue, ClosureRef> node;

  const Operand* scalar() const { return std::get_if<Operand>(&node); }
  const ArrayValue* array() const { return std::get_if<ArrayValue>(&node); }
  const RecordValue* record() const { return std::get_if<RecordValue>(&node); }
  const SumValue* sum() const { return std::get_if<SumValue>(&node); }
  const ConstructedValue* constructed() const { return std::get_if<ConstructedValue>(&node); }
  const Closure* closure() const {
    const ClosureRef* ref = std::get_if<ClosureRef>(&node);
    return ref != nullptr ? ref->get() : nullptr;
  }
};

inline void append(Operands& to, const Operands& more) {
  to.insert(to.end(), more.begin(), more.end());
}
// Of values without ConstructedValue in them: Lowering::dynamic gives that one leaves.
void appendLeaves(const StaticValue& value, Operands& leaves);
bool hasConstructed(const StaticValue& value);
// The value of a type whose leaves are the operands from `next` on, which it moves past them.
StaticValue fromLeaves(const MonoTypeRef& type, const Operands& leaves, size_t& next);
StaticValue fromLeaves(const MonoTypeRef& type, const Operands& leaves);
StaticValue recordOf(std::vector<std::string> names, std::vector<StaticValue> fields);
const StaticValue& field(const StaticValue& record, const std::string& name);
prim::Scalar tagOf(const MonoSum& sum, size_t constructor);
// The payload of the constructor of this number, if it is the one.
std::vector<StaticValue> payloadOf(const SumValue& sum, size_t constructor);
std::vector<StaticValue> payloadIn(const StaticValue& sum, const std::string& constructor);

// ---- functions

// The meaning of binders and type parameters while some code is lowered. Code of the prelude fails
// at `site`: the application in user code that led there.
struct Frame {
  const Frame* parent = nullptr;
  bool prelude = false;
  Span site;
  std::unordered_map<BinderId, StaticValue> binders;
  std::unordered_map<TypeParamId, MonoTypeRef> type_params;

  const StaticValue* find(BinderId binder) const;
  const MonoTypeRef* find(TypeParamId parameter) const;
};

// Type and size arguments of a polymorphic function, known or as written at a use. The latter are
// evaluated at the first application, when the sizes of its arguments are known.
struct Instantiation {
  const types::Use* use = nullptr;
  Frame* frame = nullptr;
  std::vector<MonoTypeRef> types;
  Operands sizes;
};

// One position of an index list, evaluated.
struct IndexValue {
  bool is_slice = false;
  Operand index;
  std::optional<Operand> start, end, stride;
};

struct CodeClosure {  // a lambda, the function of a `let f ..`, or a hole that is a function
  ExprId expr;
  Frame* frame;
  types::TypeId hole_type = {};  // of a hole: this function's, which may be a part of its value
};
struct DefClosure {
  DefId def;
};
struct PrimClosure {
  types::PrimMeaning meaning;
};
struct EqualityClosure {
  bool negated;
};
struct LogicClosure {
  types::Logic logic;
};
struct FlippedClosure {  // `(+ x)`: `operands` are the function and x
  std::vector<StaticValue> operands;
};
struct ProjectClosure {
  std::vector<std::string> path;
};
struct IndexClosure {
  std::vector<IndexValue> parts;
  Span span;
};

struct Closure {
  std::variant<CodeClosure, DefClosure, PrimClosure, EqualityClosure, LogicClosure, FlippedClosure,
               ProjectClosure, IndexClosure>
      code;
  Instantiation instantiation;
  std::vector<StaticValue> args;  // of a partial application
  // The expression that made it, if that is user code: where a built-in that calls prelude code
  // (`map (/ 0) xs`) reports its failures.
  std::optional<Span> site;
  core::Flattening flattening = {};  // `#[sequential] map f`: for the node of its application
};

inline StaticValue closureOf(Closure closure) {
  return {std::make_shared<const Closure>(std::move(closure))};
}

}  // namespace halo::lower
