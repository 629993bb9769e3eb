// Conversions between scalars (language.md#semantics). Each rounds at most once. Float to integer
// truncates and saturates, infinities and NaN become 0. A wider unsigned integer gets the bits of
// a signed one behind zeros.
#include <cmath>

#include "lang/base/check.h"
#include "lang/prim/fold.h"

namespace halo::prim {

namespace {

// The bounds are powers of two, hence exact doubles. An unsigned type of N bits takes the signed
// type's result below 0 and wraps it.
Scalar floatToInt(ScalarType to, double value) {
  if (!std::isfinite(value)) return zero(to);
  const int magnitude_bits = bitWidth(to) - (isSigned(to) ? 1 : 0);
  const uint64_t highest = ~uint64_t{0} >> (64 - magnitude_bits);
  const uint64_t lowest = uint64_t{1} << (bitWidth(to) - 1);
  if (value >= std::ldexp(1.0, magnitude_bits)) return Scalar::ofUnsigned(to, highest);
  if (value <= -std::ldexp(1.0, bitWidth(to) - 1)) return Scalar::ofUnsigned(to, lowest);
  return value < 0 ? Scalar::ofSigned(to, static_cast<int64_t>(value))
                   : Scalar::ofUnsigned(to, static_cast<uint64_t>(value));
}

// To f16 by way of double rounds once all the same. An integer below 2^53 is exact as a double, and
// one above is infinite as a half in any case.
Scalar intToFloat(ScalarType to, Scalar value) {
  const bool has_sign = isSigned(value.type);
  if (to == ScalarType::kF32) {
    return Scalar::ofF32(has_sign ? static_cast<float>(value.asSigned())
                                  : static_cast<float>(value.bits));
  }
  return Scalar::ofFloat(
      to, has_sign ? static_cast<double>(value.asSigned()) : static_cast<double>(value.bits));
}

Scalar toBool(Scalar value) {
  return Scalar::ofBool(isFloat(value.type) ? value.asDouble() != 0 : value.bits != 0);
}

Scalar convertValue(ScalarType to, Scalar value) {
  if (to == value.type) return value;
  if (to == ScalarType::kBool) return toBool(value);
  if (isFloat(value.type)) {
    const double number = value.asDouble();
    return isFloat(to) ? Scalar::ofFloat(to, number) : floatToInt(to, number);
  }
  if (isFloat(to)) return intToFloat(to, value);
  const bool keeps_sign =
      isSigned(value.type) && (isSigned(to) || bitWidth(to) <= bitWidth(value.type));
  return Scalar::ofSigned(to, keeps_sign ? value.asSigned() : static_cast<int64_t>(value.bits));
}

}  // namespace

Scalar convert(ConvertKind kind, ScalarType to, Scalar value) {
  switch (kind) {
    case ConvertKind::kValue:
    case ConvertKind::kMachine:
      return convertValue(to, value);
    case ConvertKind::kBits:
      HALO_CHECK(bitWidth(to) == bitWidth(value.type), "bit conversion between widths");
      return Scalar::fromBits(to, value.bits);
  }
  HALO_UNREACHABLE("unknown conversion");
}

}  // namespace halo::prim
