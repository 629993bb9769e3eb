// Arithmetic on tangents and cotangents, appended to one body. A known 0 or 1 costs no statement,
// so the zeros of a Jacobian vanish as it is written. Emission is the only place that
// knows how derivatives are added: numbers by `add`, bools by `or`, arrays element by element.
#pragma once

#include <functional>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/prim/partials.h"

namespace halo::ad {

using core::Body;
using core::Expr;
using core::kOne;
using core::kZero;
using core::Lambda;
using core::Operand;
using core::Operands;
using core::Program;
using core::rowOf;
using core::Stm;
using core::Type;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

inline const Type kFlag{ScalarType::kBool, {}};

class Emitter : public core::Builder {
 public:
  using Value = Operand;  // the product of prim::PartialRows
  explicit Emitter(Program& program) : core::Builder(program) {}

  Type type(const Operand& operand) { return program().type(operand); }
  Operand number(ScalarType type, int64_t value) const;
  template <typename... Values>
  Operand op(Op op, ScalarType type, const Values&... values) {
    return prim(op, type, {values...});
  }

  Operand zero(const Type& type);
  static bool isZero(const Operand& operand);
  Operand sum(const Operand& a, const Operand& b);
  // A tangent (or cotangent) times a partial.
  Operand scaled(const prim::Partial<Operand>& partial, const Operand& tangent, ScalarType type);
  // The product of all other factors, or of many derivatives, and a cotangent: 0 stays 0 where the
  // first has overflown.
  Operand weighted(const Operand& factor, const Operand& cotangent, ScalarType type);
  Operand isBounded(const Operand& operand, ScalarType type);
  Operand select(const Operand& condition, const Operand& on_true, const Operand& on_false);
  Operand compare(Op op, const Operand& a, const Operand& b) {
    return prim(op, ScalarType::kI64, {a, b});
  }
  Operand both(const Operand& a, const Operand& b) {
    return prim(Op::kAnd, ScalarType::kBool, {a, b});
  }
  Operand either(const Operand& a, const Operand& b) {
    return prim(Op::kOr, ScalarType::kBool, {a, b});
  }

  // The results of an operator, whose statements become part of the code.
  Operands apply(const Lambda& op, const Operands& args);
  Operands apply(const Lambda& op, const Operands& left, const Operands& right);

  // ---- arrays

  ValueId named(const Operand& operand);  // constants get a name
  // Another name for a value; `simplify` removes it.
  void name(ValueId result, const Operand& value);
  ValueId copy(ValueId array) { return bind("copy", type(array), core::Copy{array}); }
  ValueId iota(const Operand& count);
  ValueId index(ValueId array, Operands indices);
  // The array with one part replaced; the array itself stays.
  ValueId updated(ValueId array, Operands indices, const Operand& value);
  ValueId reversed(ValueId array);
  // Each element one place further right (or left), `edge` where none comes from.
  // A stencil, which joins the map that reads it; of rows, a copy.
  ValueId moved(ValueId array, const Operand& edge, bool to_right);
  ValueId movedRows(ValueId array, const Operand& edge, bool to_right);
  // Rows start .. start + length of the outermost dimension.
  ValueId rows(ValueId array, const Operand& start, const Operand& length);
  ValueId concat(const std::vector<ValueId>& arrays);
  ValueId reshaped(ValueId array, Operands shape);
  Operand product(const Operands& sizes);

  using Cell = std::function<Operands(Emitter&, const Operands&)>;
  // A map over rows of the arrays.
  std::vector<ValueId> map(const Operand& width, const std::vector<ValueId>& arrays,
                           const Cell& cell);
  // The scan of arrays by an operator on their rows.
  std::vector<ValueId> scan(const Operand& width, const std::vector<ValueId>& arrays, Lambda op,
                            Operands neutral);
  // Element by element, at any rank.
  Operand zip(const Operands& arrays, const std::function<Operand(Emitter&, const Operands&)>& f);
  // The sum of rows.
  Operand total(ValueId array);
  // base[indices[i]] += values[i] for each i < width; places outside are dropped.
  ValueId addedAt(ValueId base, const Operand& width, const std::vector<ValueId>& indices,
                  ValueId values);
  // The destination with the values at these places, which differ; places outside are dropped.
  ValueId scattered(ValueId destination, ValueId places, ValueId values);
  // A match on a bool: the results of one of two bodies.
  std::vector<ValueId> branch(const Operand& condition, std::vector<Type> types,
                              const std::function<Operands(Emitter&)>& on_true,
                              const std::function<Operands(Emitter&)>& on_false);
  // `combine(acc, x)` as an operator on values of these types.
  Lambda combiner(const std::vector<Type>& types, const Cell& combine);
  Lambda adder(const Type& type);
  Lambda identity(const std::vector<Type>& types);
};

Type arrayOf(Operands shape, const Type& element);

}  // namespace halo::ad
