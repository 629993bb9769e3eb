// Integer primitives. Everything is computed on uint64_t, where wrapping is defined, and cut to the
// type's width by Scalar::ofUnsigned; signed readings sign-extend first.
#include <bit>

#include "lang/base/check.h"
#include "lang/prim/fold_parts.h"

namespace halo::prim {

namespace {

enum class Rounding { kFloor, kTruncate };
struct QuotientRemainder {
  uint64_t quotient, remainder;
};

// The divisor is not zero.
QuotientRemainder divide(ScalarType type, Scalar a, Scalar b, Rounding rounding) {
  if (isUnsigned(type)) return {a.bits / b.bits, a.bits % b.bits};
  const int64_t x = a.asSigned();
  const int64_t y = b.asSigned();
  if (y == -1) return {0 - static_cast<uint64_t>(x), 0};  // MIN / -1 wraps to MIN
  int64_t quotient = x / y;
  int64_t remainder = x % y;
  if (rounding == Rounding::kFloor && remainder != 0 && (remainder < 0) != (y < 0)) {
    --quotient;
    remainder += y;
  }
  return {static_cast<uint64_t>(quotient), static_cast<uint64_t>(remainder)};
}

uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result *= base;
    base *= base;
  }
  return result;
}

uint64_t multiplyHigh(ScalarType type, Scalar a, Scalar b) {
  const int width = bitWidth(type);
  if (isUnsigned(type)) {
    const unsigned __int128 product = static_cast<unsigned __int128>(a.bits) * b.bits;
    return static_cast<uint64_t>(product >> width);
  }
  const __int128 product = static_cast<__int128>(a.asSigned()) * b.asSigned();
  return static_cast<uint64_t>(product >> width);
}

uint64_t shiftLeft(ScalarType type, Scalar a, Scalar b) {
  return b.bits >= static_cast<uint64_t>(bitWidth(type)) ? 0 : a.bits << b.bits;
}

uint64_t shiftRightLogical(ScalarType type, Scalar a, Scalar b) {
  return b.bits >= static_cast<uint64_t>(bitWidth(type)) ? 0 : a.bits >> b.bits;
}

uint64_t shiftRight(ScalarType type, Scalar a, Scalar b) {
  if (isUnsigned(type)) return shiftRightLogical(type, a, b);
  const uint64_t count = b.bits >= static_cast<uint64_t>(bitWidth(type)) ? 63 : b.bits;
  return static_cast<uint64_t>(a.asSigned() >> count);
}

bool less(ScalarType type, Scalar a, Scalar b) {
  return isSigned(type) ? a.asSigned() < b.asSigned() : a.bits < b.bits;
}

uint64_t sign(ScalarType type, Scalar a) {
  if (a.bits == 0) return 0;
  return isSigned(type) && a.asSigned() < 0 ? ~uint64_t{0} : 1;
}

uint64_t absolute(ScalarType type, Scalar a) {
  return isSigned(type) && a.asSigned() < 0 ? 0 - a.bits : a.bits;  // MIN stays MIN
}

Scalar foldIntUnary(Op op, ScalarType type, Scalar a) {
  switch (op) {
    case Op::kNeg:
      return Scalar::ofUnsigned(type, 0 - a.bits);
    case Op::kNot:
      return Scalar::ofUnsigned(type, ~a.bits);
    case Op::kAbs:
      return Scalar::ofUnsigned(type, absolute(type, a));
    case Op::kSgn:
      return Scalar::ofUnsigned(type, sign(type, a));
    case Op::kPopc:
      return Scalar::ofI32(std::popcount(a.bits));
    case Op::kClz:
      return Scalar::ofI32(std::countl_zero(a.bits) - (64 - bitWidth(type)));
    case Op::kCtz:
      return Scalar::ofI32(a.bits == 0 ? bitWidth(type) : std::countr_zero(a.bits));
    default:
      HALO_UNREACHABLE("primitive does not exist at integers");
  }
}

Folded foldDivision(Op op, ScalarType type, Scalar a, Scalar b) {
  if (b.bits == 0) return FoldFailure::kDivisionByZero;
  const bool floors = op == Op::kDiv || op == Op::kMod;
  const auto [quotient, remainder] =
      divide(type, a, b, floors ? Rounding::kFloor : Rounding::kTruncate);
  const bool wants_quotient = op == Op::kDiv || op == Op::kQuot || op == Op::kMachineDiv;
  return Scalar::ofUnsigned(type, wants_quotient ? quotient : remainder);
}

bool compare(Op op, ScalarType type, Scalar a, Scalar b) {
  switch (op) {
    case Op::kEq:
      return a.bits == b.bits;
    case Op::kNe:
      return a.bits != b.bits;
    case Op::kLt:
      return less(type, a, b);
    case Op::kLe:
      return !less(type, b, a);
    case Op::kGt:
      return less(type, b, a);
    case Op::kGe:
      return !less(type, a, b);
    default:
      HALO_UNREACHABLE("not a comparison");
  }
}

Scalar foldIntBinary(Op op, ScalarType type, Scalar a, Scalar b) {
  if (info(op).result == ResultRule::kBoolResult) return Scalar::ofBool(compare(op, type, a, b));
  const auto number = [type](uint64_t bits) { return Scalar::ofUnsigned(type, bits); };
  switch (op) {
    case Op::kAdd:
      return number(a.bits + b.bits);
    case Op::kSub:
      return number(a.bits - b.bits);
    case Op::kMul:
      return number(a.bits * b.bits);
    case Op::kPow:
      return number(power(a.bits, b.bits));
    case Op::kMin:
      return less(type, b, a) ? b : a;
    case Op::kMax:
      return less(type, a, b) ? b : a;
    case Op::kAnd:
      return number(a.bits & b.bits);
    case Op::kOr:
      return number(a.bits | b.bits);
    case Op::kXor:
      return number(a.bits ^ b.bits);
    case Op::kShl:
    case Op::kMachineShl:
      return number(shiftLeft(type, a, b));
    case Op::kShr:
    case Op::kMachineShr:
      return number(shiftRight(type, a, b));
    case Op::kLshr:
    case Op::kMachineLshr:
      return number(shiftRightLogical(type, a, b));
    case Op::kMulHi:
      return number(multiplyHigh(type, a, b));
    default:
      HALO_UNREACHABLE("primitive does not exist at integers");
  }
}

bool isDivision(Op op) {
  return op == Op::kDiv || op == Op::kMod || op == Op::kQuot || op == Op::kRem ||
         op == Op::kMachineDiv || op == Op::kMachineRem;
}

}  // namespace

Folded foldInt(Op op, ScalarType type, std::span<const Scalar> args) {
  if (args.size() == 1) return foldIntUnary(op, type, args[0]);
  if (isDivision(op)) return foldDivision(op, type, args[0], args[1]);
  if (op == Op::kPow && isSigned(type) && args[1].asSigned() < 0) {
    return FoldFailure::kNegativeExponent;
  }
  return foldIntBinary(op, type, args[0], args[1]);
}

}  // namespace halo::prim
