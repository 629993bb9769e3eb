// The derivatives of the primitives, one row an operation: factors of the interpreter's dual
// numbers, and the code that `lang/ad` emits. Elementary functions are definitions of the prelude
// and have their rules there (stdlib/partials_f32.fut).
//
// All numbers have derivatives, integers as well, whose arithmetic wraps. A function that is not
// smooth at a point has the value of one side there. min and max follow the operand that the result
// is, the first of equal ones; abs and the steps are 0.
#pragma once

#include "lang/base/check.h"
#include "lang/prim/prim.h"

namespace halo::prim {

// The weight of an operand's tangent in the result's, and of the result's cotangent in the
// operand's.
template <typename Value>
struct Partial {
  enum class Kind {
    kZero,
    kOne,       // the tangent itself, no multiplication
    kMinusOne,  // its negative
    kFactor,    // times the factor
    kGuarded,   // likewise, and a tangent of 0 gives 0 where the factor is not finite
    kWhen,      // the tangent where the factor, a bool, holds; else 0
  } kind = Kind::kZero;
  Value factor{};
};

template <typename Value>
struct Applied {  // `result = op(lhs, rhs)`; a unary one has no rhs
  Op op;
  ScalarType type;         // of the operands
  Value lhs, rhs, result;  // `fma` has a third operand, which no partial needs
};

// Rows of the table. `Emit` makes values: `number(type, int64_t)`, `op(Op, ScalarType, value..)`.
template <typename Emit>
class PartialRows {
 public:
  using Value = typename Emit::Value;
  using Kind = typename Partial<Value>::Kind;
  PartialRows(Emit& emit, const Applied<Value>& of)
      : emit_(emit), of_(of), x_(of.lhs), y_(of.rhs), r_(of.result) {}

  Partial<Value> partial(int operand) {
    const bool first = operand == 0;
    switch (of_.op) {
      case Op::kAdd:
        return one();
      case Op::kSub:
        return first ? one() : minusOne();
      case Op::kMul:
        return factor(first ? y_ : x_);
      case Op::kFma:
        return operand == 2 ? one() : factor(first ? y_ : x_);
      case Op::kNeg:
        return minusOne();
      case Op::kDiv:
        return isFloat(of_.type) ? guarded(first ? reciprocal(y_) : minusRatio()) : divided(first);
      case Op::kQuot:
        return divided(first);
      case Op::kMod:
        if (isFloat(of_.type)) return first ? one() : guarded(neg(trunc(op(Op::kDiv, x_, y_))));
        return remainder(first);
      case Op::kRem:
        return remainder(first);
      case Op::kPow:
        return first ? factor(powerSlope()) : zero();
      case Op::kMin:
        return when(first ? isFirst(Op::kLe) : isSecond(Op::kLe));
      case Op::kMax:
        return when(first ? isFirst(Op::kGe) : isSecond(Op::kGe));
      case Op::kAbs:
        return factor(op(Op::kSgn, x_));
      case Op::kSqrt:
        return guarded(reciprocal(op(Op::kAdd, r_, r_)));
      default:
        return bits(first);
    }
  }

 private:
  static Partial<Value> zero() { return {}; }
  static Partial<Value> one() { return {Kind::kOne, {}}; }
  static Partial<Value> minusOne() { return {Kind::kMinusOne, {}}; }
  static Partial<Value> factor(Value value) { return {Kind::kFactor, value}; }
  static Partial<Value> guarded(Value value) { return {Kind::kGuarded, value}; }
  static Partial<Value> when(Value condition) { return {Kind::kWhen, condition}; }

  template <typename... Values>
  Value op(Op op, const Values&... values) {
    return emit_.op(op, of_.type, values...);
  }
  Value number(int64_t value) { return emit_.number(of_.type, value); }
  Value neg(const Value& value) { return op(Op::kNeg, value); }
  Value trunc(const Value& value) { return op(Op::kTrunc, value); }
  Value reciprocal(const Value& value) { return op(Op::kDiv, number(1), value); }
  Value minusRatio() { return neg(op(Op::kDiv, r_, y_)); }

  // Integers. The divisor is not 0: the operation itself has succeeded.
  Partial<Value> divided(bool first) {
    return factor(first ? op(Op::kQuot, number(1), y_) : neg(op(Op::kQuot, r_, y_)));
  }
  Partial<Value> remainder(bool first) {
    if (!first) return factor(neg(op(Op::kQuot, x_, y_)));
    const Value whole = op(Op::kMul, y_, op(Op::kQuot, number(1), y_));
    return factor(op(Op::kSub, number(1), whole));
  }
  // The exponent is not negative; of 0 the slope is 0, whatever the power.
  Value powerSlope() {
    const Value below = op(Op::kSub, op(Op::kMax, y_, number(1)), number(1));
    return op(Op::kMul, y_, op(Op::kPow, x_, below));
  }

  // Of equal operands the first counts, and a NaN does not.
  Value isFirst(Op order) {
    const Value ordered = op(order, x_, y_);
    if (!isFloat(of_.type)) return ordered;
    return emit_.op(Op::kOr, ScalarType::kBool, ordered, op(Op::kIsNan, y_));
  }
  Value isSecond(Op order) { return emit_.op(Op::kNot, ScalarType::kBool, isFirst(order)); }

  // Bits, so that the rules of simplification (`x & -1 = x`) hold of derivatives too; steps.
  Partial<Value> bits(bool first) {
    const Value& other = first ? y_ : x_;
    const bool is_bool = of_.type == ScalarType::kBool;
    switch (of_.op) {
      case Op::kNot:
        return is_bool ? one() : zero();
      case Op::kAnd:  // of bools as the `if` that `&&` is
        if (is_bool) return first ? zero() : when(x_);
        return when(op(Op::kEq, other, number(-1)));
      case Op::kOr:
        if (is_bool) return first ? zero() : when(op(Op::kNot, x_));
        return when(op(Op::kEq, other, number(0)));
      case Op::kXor:
        return is_bool ? zero() : when(op(Op::kEq, other, number(0)));
      case Op::kShl:
        return first ? factor(op(Op::kShl, number(1), y_)) : zero();
      case Op::kShr:
      case Op::kLshr:
        return first ? when(op(Op::kEq, y_, number(0))) : zero();
      default:
        return step();
    }
  }
  Partial<Value> step() {
    HALO_CHECK(of_.op < Op::kMachineDiv, "machine operations are made after differentiation");
    return zero();
  }

  Emit& emit_;
  const Applied<Value>& of_;
  const Value &x_, &y_, &r_;
};

// Of operand 0 or 1.
template <typename Emit>
Partial<typename Emit::Value> partialOf(Emit& emit, const Applied<typename Emit::Value>& applied,
                                        int operand) {
  return PartialRows<Emit>(emit, applied).partial(operand);
}

}  // namespace halo::prim
