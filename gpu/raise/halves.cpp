// An f32 has 23 bits behind its leading one, a half 10. Halves below 2^-14 are multiples of 2^-24.
#include "gpu/raise/halves.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

using enum prim::ScalarType;

constexpr uint32_t kSign = 0x80000000;
constexpr uint32_t kInfinity = 0x7f800000;
constexpr uint32_t kNan = 0x7fc00000;
constexpr uint32_t kSmallestNormal = 0x38800000;  // of halves: 2^-14
constexpr uint32_t kBeyond = 0x477ff000;          // halfway between the largest half and 2^16
constexpr uint32_t kBiases = 127 - 15;            // the exponents' difference

class Bits {
 public:
  explicit Bits(Builder& code) : code_(code) {}

  Operand op(Op op, Operand a, Operand b) { return code_.prim(op, kU32, {a, b}); }
  Operand op(Op op, Operand a, uint32_t b) { return code_.prim(op, kU32, {a, u32(b)}); }
  Operand select(Operand condition, Operand on_true, Operand on_false) {
    return code_.let("t", kU32, Select{condition, on_true, on_false});
  }
  Operand of(Operand value) {
    return code_.let("bits", kU32, Convert{ConvertKind::kBits, kF32, kU32, value});
  }
  Operand asFloat(Operand bits) {
    return code_.let("half", kF32, Convert{ConvertKind::kBits, kU32, kF32, bits});
  }
  // A whole number of units of 2^-24, as the bits of an f32.
  Operand ofUnits(Operand count) {
    Operand whole = code_.let("t", kF32, Convert{ConvertKind::kValue, kU32, kF32, count});
    return of(code_.prim(Op::kMul, kF32, {whole, Scalar::ofF32(0x1p-24F)}));
  }

 private:
  Builder& code_;
};

}  // namespace

// Below 2^-14 the whole mantissa moves down by 126 - exponent, so that it counts units; the bits
// moved out say whether to round up.
Operand roundedToHalf(Builder& code, Operand value) {
  Bits bits(code);
  Operand all = bits.of(value);
  Operand sign = bits.op(Op::kAnd, all, kSign);
  Operand size = bits.op(Op::kAnd, all, ~kSign);

  Operand last = bits.op(Op::kAnd, bits.op(Op::kMachineLshr, size, 13), 1);
  Operand up = bits.op(Op::kAdd, bits.op(Op::kAdd, size, 0xfff), last);
  Operand normal = bits.op(Op::kAnd, up, ~uint32_t{0x1fff});

  Operand exponent = bits.op(Op::kMachineLshr, size, 23);
  Operand distance = bits.op(Op::kSub, u32(126), exponent);
  Operand is_far = bits.op(Op::kGt, distance, 31);
  Operand shift = bits.select(is_far, u32(31), distance);
  Operand mantissa = bits.op(Op::kOr, bits.op(Op::kAnd, size, 0x7fffff), 0x800000);
  Operand units = bits.op(Op::kMachineLshr, mantissa, shift);
  Operand rest = bits.op(Op::kSub, mantissa, bits.op(Op::kMachineShl, units, shift));
  Operand doubled = bits.op(Op::kMachineShl, rest, 1);
  Operand one = bits.op(Op::kMachineShl, u32(1), shift);
  Operand odd = bits.op(Op::kAnd, units, 1);
  Operand more = bits.op(Op::kGt, bits.op(Op::kAdd, doubled, odd), one);
  Operand rounded = bits.op(Op::kAdd, units, bits.select(more, u32(1), u32(0)));
  Operand small = bits.ofUnits(rounded);

  Operand is_small = bits.op(Op::kLt, size, kSmallestNormal);
  Operand is_large = bits.op(Op::kGe, size, kBeyond);
  Operand is_nan = bits.op(Op::kGt, size, kInfinity);
  Operand result = bits.select(is_small, small, normal);
  result = bits.select(is_large, u32(kInfinity), result);
  result = bits.op(Op::kOr, result, sign);
  return bits.asFloat(bits.select(is_nan, u32(kNan), result));
}

Operand halfBits(Builder& code, Operand value) {
  Bits bits(code);
  Operand all = bits.of(value);
  Operand sign = bits.op(Op::kMachineLshr, bits.op(Op::kAnd, all, kSign), 16);
  Operand size = bits.op(Op::kAnd, all, ~kSign);
  Operand normal = bits.op(Op::kMachineLshr, bits.op(Op::kSub, size, kBiases << 23), 13);
  // A multiple of 2^-24 below 2^-14, as its count: exact.
  Operand count = code.prim(Op::kMul, kF32, {bits.asFloat(size), Scalar::ofF32(0x1p24F)});
  Operand is_small = bits.op(Op::kLt, size, kSmallestNormal);
  Operand counted = bits.of(count);
  Operand in_range = bits.asFloat(bits.select(is_small, counted, u32(0)));
  Operand small = code.let("t", kU32, Convert{ConvertKind::kMachine, kF32, kU32, in_range});
  Operand is_infinite = bits.op(Op::kEq, size, kInfinity);
  Operand is_nan = bits.op(Op::kGt, size, kInfinity);
  Operand result = bits.select(is_small, small, normal);
  result = bits.select(is_infinite, u32(0x7c00), result);
  result = bits.select(is_nan, u32(0x7e00), result);
  return bits.op(Op::kOr, result, sign);
}

Operand floatOfHalfBits(Builder& code, Operand given) {
  Bits bits(code);
  Operand sign = bits.op(Op::kMachineShl, bits.op(Op::kAnd, given, 0x8000), 16);
  Operand size = bits.op(Op::kAnd, given, 0x7fff);
  Operand moved = bits.op(Op::kMachineShl, size, 13);
  Operand normal = bits.op(Op::kAdd, moved, kBiases << 23);
  Operand large = bits.op(Op::kOr, moved, kInfinity);
  Operand small = bits.ofUnits(size);
  Operand is_small = bits.op(Op::kLt, size, 0x400);
  Operand is_large = bits.op(Op::kGe, size, 0x7c00);
  Operand result = bits.select(is_small, small, normal);
  result = bits.select(is_large, large, result);
  return bits.asFloat(bits.op(Op::kOr, result, sign));
}

}  // namespace halo::gpu
