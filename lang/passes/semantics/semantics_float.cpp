// Floats: min, max and sgn with the rules for NaN and signed zero, and conversions to integers, by
// value and by bits.
#include <cmath>
#include <limits>

#include "lang/passes/semantics/semantics.h"
#include "lang/prim/fold.h"

namespace halo::passes {
namespace {

using core::Builder;
using core::Operand;
using core::Scalar;
using core::ScalarType;
using prim::ConvertKind;
using prim::Op;

ScalarType bitsType(ScalarType type) {
  if (type == ScalarType::kF16) return ScalarType::kU16;
  return type == ScalarType::kF32 ? ScalarType::kU32 : ScalarType::kU64;
}

// With a constant that is no NaN, one compare: a NaN compares false and gives the constant. At a
// zero the compare includes equality when the other zero must win.
Operand extremumWithConstant(Builder& b, Op op, ScalarType type, Operand x, Scalar constant) {
  bool is_zero = constant.asDouble() == 0;
  bool negative = std::signbit(constant.asDouble());
  bool include_equal = is_zero && (op == Op::kMin ? !negative : negative);
  Op compare =
      op == Op::kMin ? (include_equal ? Op::kLe : Op::kLt) : (include_equal ? Op::kGe : Op::kGt);
  return select(b, b.prim(compare, type, {x, constant}), x, constant);
}

// x before y ? x : x == y ? the zero that wins, by its bits : y is NaN ? x : y
Operand extremum(Builder& b, Op op, ScalarType type, Operand x, Operand y) {
  for (auto [constant, other] : {std::pair(x, y), std::pair(y, x)}) {
    if (constant.isConstant() && !std::isnan(constant.constant.asDouble())) {
      return extremumWithConstant(b, op, type, other, constant.constant);
    }
  }
  ScalarType bits = bitsType(type);
  Operand x_bits = b.convert(ConvertKind::kBits, bits, x);
  Operand y_bits = b.convert(ConvertKind::kBits, bits, y);
  // Equal values have equal bits but for zeros: `or` keeps the minus, `and` drops it.
  Operand both = b.prim(op == Op::kMin ? Op::kOr : Op::kAnd, bits, {x_bits, y_bits});
  Operand same = b.convert(ConvertKind::kBits, type, both);
  Operand other = select(b, b.prim(Op::kIsNan, type, {y}), x, y);
  Operand equal = b.prim(Op::kEq, type, {x, y});
  Operand before = b.prim(op == Op::kMin ? Op::kLt : Op::kGt, type, {x, y});
  return select(b, before, x, select(b, equal, same, other));
}

Operand sign(Builder& b, ScalarType type, Operand x) {
  auto number = [&](double v) { return Operand(Scalar::ofFloat(type, v)); };
  Operand zero_or_nan = select(b, b.prim(Op::kIsNan, type, {x}), x, number(0));
  Operand rest = select(b, b.prim(Op::kGt, type, {x, number(0)}), number(1), zero_or_nan);
  return select(b, b.prim(Op::kLt, type, {x, number(0)}), number(-1), rest);
}

Operand greatest(ScalarType type) {  // the finite one
  return Scalar::ofFloat(type, type == ScalarType::kF64
                                   ? std::numeric_limits<double>::max()
                                   : static_cast<double>(std::numeric_limits<float>::max()));
}

// Truncates; infinities and NaN give 0, values out of range the nearest end. The machine's
// conversion sees a value in range always. For an unsigned type it is the magnitude, whose sign
// comes back afterwards: -1.0 gives the highest value.
Operand toInteger(Builder& b, ScalarType from, ScalarType to, Operand x) {
  const int width = prim::bitWidth(to);
  const bool is_signed = prim::isSigned(to);
  const Operand highest =
      Scalar::ofUnsigned(to, is_signed ? (uint64_t{1} << (width - 1)) - 1 : ~uint64_t{0});
  const Operand lowest = Scalar::ofUnsigned(to, uint64_t{1} << (width - 1));
  // Exclusive ends. Where lowest - 1 rounds to lowest, lowest itself counts as out of range and
  // saturates to itself.
  const double above = std::ldexp(1.0, is_signed ? width - 1 : width);
  const double below = -std::ldexp(1.0, width - 1) - 1;
  auto number = [&](double v) { return Operand(Scalar::ofFloat(from, v)); };

  const Operand low = b.prim(Op::kGt, from, {x, number(below)});
  const Operand high = b.prim(Op::kLt, from, {x, number(above)});
  const Operand in_range = b.prim(Op::kAnd, ScalarType::kBool, {low, high});
  const Operand size = b.prim(Op::kAbs, from, {x});
  const Operand negative = b.prim(Op::kLt, from, {x, number(0)});
  const Operand safe = select(b, in_range, is_signed ? x : size, number(0));
  Operand converted = b.convert(ConvertKind::kMachine, to, safe);
  if (!is_signed) {
    converted = select(b, negative, b.prim(Op::kNeg, to, {converted}), converted);
  }
  const Operand finite = b.prim(Op::kLe, from, {size, greatest(from)});
  const Operand end = select(b, negative, lowest, highest);
  return select(b, in_range, converted, select(b, finite, end, prim::zero(to)));
}

}  // namespace

std::optional<Operand> defineFloat(Builder& builder, const core::PrimOp& op) {
  if (op.op == Op::kMin || op.op == Op::kMax) {
    return extremum(builder, op.op, op.type, op.args[0], op.args[1]);
  }
  if (op.op == Op::kSgn) return sign(builder, op.type, op.args[0]);
  return std::nullopt;  // the rest is total, and the same on every target
}

// The payload and sign of a NaN are not observable: its bits are the canonical ones.
Operand canonicalBits(Builder& b, const core::Convert& convert) {
  Operand nan(Scalar::ofFloat(convert.from, std::numeric_limits<double>::quiet_NaN()));
  Operand bits = b.convert(ConvertKind::kBits, convert.to, convert.arg);
  Operand canonical = prim::convert(ConvertKind::kBits, convert.to, nan.constant);
  return select(b, b.prim(Op::kIsNan, convert.from, {convert.arg}), canonical, bits);
}

// A signed integer to a wider unsigned one: the bits first, then the width.
std::optional<Operand> zeroExtended(Builder& b, const core::Convert& convert) {
  const bool widens = prim::isSigned(convert.from) && prim::isUnsigned(convert.to) &&
                      prim::bitWidth(convert.to) > prim::bitWidth(convert.from);
  if (!widens) return std::nullopt;
  for (const ScalarType type : prim::kAllScalarTypes) {
    if (!prim::isUnsigned(type) || prim::bitWidth(type) != prim::bitWidth(convert.from)) continue;
    const Operand bits = b.convert(ConvertKind::kValue, type, convert.arg);
    return b.convert(ConvertKind::kValue, convert.to, bits);
  }
  return std::nullopt;
}

std::optional<Operand> defineConversion(Builder& builder, const core::Convert& convert) {
  if (convert.kind == ConvertKind::kBits && prim::isFloat(convert.from)) {
    return canonicalBits(builder, convert);
  }
  if (convert.kind != ConvertKind::kValue || convert.from == convert.to) return std::nullopt;
  if (convert.to == ScalarType::kBool) {
    return builder.prim(Op::kNe, convert.from, {convert.arg, prim::zero(convert.from)});
  }
  if (prim::isInteger(convert.from)) return zeroExtended(builder, convert);
  if (!prim::isFloat(convert.from) || !prim::isInteger(convert.to)) return std::nullopt;
  // 2^16 and more do not fit f16, whose finite values all fit f32.
  if (convert.from != ScalarType::kF16) {
    return toInteger(builder, convert.from, convert.to, convert.arg);
  }
  Operand wide = builder.convert(ConvertKind::kValue, ScalarType::kF32, convert.arg);
  return toInteger(builder, ScalarType::kF32, convert.to, wide);
}

}  // namespace halo::passes
