// Float primitives. f64 computes in double, f32 in float; f16 computes in float and rounds once to
// half (language.md#semantics). Results pass through Scalar::of.., which makes NaN canonical.
#include <cmath>

#include "lang/base/check.h"
#include "lang/prim/fold_parts.h"

namespace halo::prim {

namespace {

template <typename Float>
Float minimum(Float a, Float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;  // -0 < +0
  return a < b ? a : b;
}

template <typename Float>
Float maximum(Float a, Float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

template <typename Float>
Float sign(Float a) {
  if (std::isnan(a)) return a;
  return static_cast<Float>((a > 0) - (a < 0));
}

// Through double, so that f32 (and f16) are rounded from a result far more exact than their own.
template <typename Float>
Float power(Float a, Float b) {
  return static_cast<Float>(std::pow(static_cast<double>(a), static_cast<double>(b)));
}

// fmod is exact: its result is always representable.
template <typename Float>
Float arithmetic(Op op, Float a, Float b, Float c) {
  switch (op) {
    case Op::kAdd:
      return a + b;
    case Op::kSub:
      return a - b;
    case Op::kMul:
      return a * b;
    case Op::kDiv:
      return a / b;
    case Op::kMod:
      return std::fmod(a, b);
    case Op::kPow:
      return power(a, b);
    case Op::kMin:
      return minimum(a, b);
    case Op::kMax:
      return maximum(a, b);
    case Op::kNeg:
      return -a;
    case Op::kAbs:
      return std::fabs(a);
    case Op::kSgn:
      return sign(a);
    case Op::kSqrt:
      return std::sqrt(a);
    case Op::kFma:
      return std::fma(a, b, c);
    case Op::kFloor:
      return std::floor(a);
    case Op::kCeil:
      return std::ceil(a);
    case Op::kTrunc:
      return std::trunc(a);
    case Op::kRound:
      return __builtin_roundeven(a);  // half to even in each rounding mode
    default:
      HALO_UNREACHABLE("primitive does not exist at floats");
  }
}

Scalar question(Op op, double a, double b) {
  if (op == Op::kIsNan) return Scalar::ofBool(std::isnan(a));
  if (op == Op::kIsInf) return Scalar::ofBool(std::isinf(a));
  return Scalar::ofBool(compared(op, a, b));
}

}  // namespace

Scalar foldFloat(Op op, ScalarType type, std::span<const Scalar> args) {
  const double a = args[0].asDouble();
  const double b = args.size() > 1 ? args[1].asDouble() : 0;
  const double c = args.size() > 2 ? args[2].asDouble() : 0;
  if (resultType(op, type) == ScalarType::kBool) return question(op, a, b);
  if (type == ScalarType::kF64) return Scalar::ofF64(arithmetic(op, a, b, c));
  // Exact: the operands are floats or halves.
  const float result =
      arithmetic(op, static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
  return Scalar::ofFloat(type, static_cast<double>(result));
}

}  // namespace halo::prim
