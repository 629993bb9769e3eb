// Carries and borrows by comparisons. Division through f32, by estimates that never exceed the
// quotient:
//
//   q += u64(f32 r * s / f32 b);  r = a - q * b      s = 1 - 2^-18 outweighs all roundings, also of
//   ... four times ...                               a division that is 2.5 ulp off
//   r >= b ? (q + 1, r - b) : (q, r)
//
// Each step takes 17 bits off the rest: after four of them r < 2 * b.
#include "gpu/raise/pairs.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

using enum prim::ScalarType;

constexpr int kDivisionSteps = 4;

}  // namespace

// ---- words

Operand PairCode::op(Op op, Operand a, Operand b) { return code_.prim(op, kU32, {a, b}); }
Operand PairCode::op(Op op, Operand a, uint32_t b) { return code_.prim(op, kU32, {a, u32(b)}); }
Operand PairCode::choose(Operand condition, Operand on_true, Operand on_false) {
  return code_.let("t", kU32, Select{condition, on_true, on_false});
}
Operand PairCode::bit(Operand condition) { return choose(condition, u32(1), u32(0)); }
Operand PairCode::convert(ConvertKind kind, ScalarType from, ScalarType to, Operand value) {
  return code_.let("t", to, Convert{kind, from, to, value});
}
Operand PairCode::both(Operand a, Operand b) { return code_.prim(Op::kAnd, kBool, {a, b}); }
Operand PairCode::either(Operand a, Operand b) { return code_.prim(Op::kOr, kBool, {a, b}); }
Operand PairCode::isZero(Operand a) { return op(Op::kEq, a, 0); }

Pair PairCode::select(Operand condition, const Pair& on_true, const Pair& on_false) {
  Operand low = choose(condition, on_true.low, on_false.low);
  return {low, choose(condition, on_true.high, on_false.high)};
}

// ---- arithmetic

Pair PairCode::bitwise(Op op, const Pair& a, const Pair& b) {
  Operand low = this->op(op, a.low, b.low);
  return {low, this->op(op, a.high, b.high)};
}

Pair PairCode::add(const Pair& a, const Pair& b) {
  Operand low = op(Op::kAdd, a.low, b.low);
  Operand carry = bit(op(Op::kLt, low, a.low));
  Operand high = op(Op::kAdd, a.high, b.high);
  return {low, op(Op::kAdd, high, carry)};
}

Pair PairCode::sub(const Pair& a, const Pair& b) {
  Operand low = op(Op::kSub, a.low, b.low);
  Operand borrow = bit(op(Op::kLt, a.low, b.low));
  Operand high = op(Op::kSub, a.high, b.high);
  return {low, op(Op::kSub, high, borrow)};
}

Pair PairCode::mul(const Pair& a, const Pair& b) {
  Operand low = op(Op::kMul, a.low, b.low);
  Operand high = op(Op::kMulHi, a.low, b.low);
  Operand left = op(Op::kMul, a.high, b.low);
  Operand right = op(Op::kMul, a.low, b.high);
  high = op(Op::kAdd, high, left);
  return {low, op(Op::kAdd, high, right)};
}

// By counts below 64. Bits that move from one word into the other move by 32 - count, in two steps
// because a count of 0 would make that 32.
Pair PairCode::shift(Op op, bool is_signed, const Pair& a, Operand count) {
  Operand within = this->op(Op::kAnd, count, 31);
  Operand rest = this->op(Op::kSub, u32(31), within);
  Operand is_far = this->op(Op::kGe, count, 32);
  if (op == Op::kMachineShl) {
    Operand low = this->op(op, a.low, within);
    Operand high = this->op(op, a.high, within);
    Operand half = this->op(Op::kMachineLshr, a.low, 1);
    Operand across = this->op(Op::kMachineLshr, half, rest);
    high = this->op(Op::kOr, high, across);
    return select(is_far, {u32(0), low}, {low, high});
  }
  bool fills = is_signed && op == Op::kMachineShr;
  Operand low = this->op(Op::kMachineLshr, a.low, within);
  Operand high;
  if (fills) {
    Operand value = convert(ConvertKind::kValue, kU32, kI32, a.high);
    Operand by = convert(ConvertKind::kValue, kU32, kI32, within);
    Operand shifted = code_.prim(Op::kMachineShr, kI32, {value, by});
    high = convert(ConvertKind::kValue, kI32, kU32, shifted);
  } else {
    high = this->op(Op::kMachineLshr, a.high, within);
  }
  Operand twice = this->op(Op::kMachineShl, a.high, 1);
  Operand across = this->op(Op::kMachineShl, twice, rest);
  low = this->op(Op::kOr, low, across);
  Operand above = fills ? signOf(a) : u32(0);
  return select(is_far, {high, above}, {low, high});
}

// All bits set if negative.
Operand PairCode::signOf(const Pair& value) {
  Operand top = op(Op::kMachineLshr, value.high, 31);
  return op(Op::kSub, u32(0), top);
}
Pair PairCode::withSign(const Pair& value, Operand sign) {
  return sub(bitwise(Op::kXor, value, {sign, sign}), {sign, sign});
}

// An f32 with a relative error of a few ulp.
Operand PairCode::roughly(const Pair& value) {
  Operand low = convert(ConvertKind::kValue, kU32, kF32, value.low);
  Operand high = convert(ConvertKind::kValue, kU32, kF32, value.high);
  Operand scaled = code_.prim(Op::kMul, kF32, {high, Scalar::ofF32(0x1p32F)});
  return code_.prim(Op::kAdd, kF32, {scaled, low});
}

// Of an f32 that is not negative and below 2^64. Its 24 bits fit the difference exactly.
Pair PairCode::truncated(Operand value) {
  Operand scaled = code_.prim(Op::kMul, kF32, {value, Scalar::ofF32(0x1p-32F)});
  Operand high = convert(ConvertKind::kMachine, kF32, kU32, scaled);
  Operand whole = convert(ConvertKind::kValue, kU32, kF32, high);
  Operand upper = code_.prim(Op::kMul, kF32, {whole, Scalar::ofF32(0x1p32F)});
  Operand rest = code_.prim(Op::kSub, kF32, {value, upper});
  return {convert(ConvertKind::kMachine, kF32, kU32, rest), high};
}

Pair PairCode::divide(const Pair& a, const Pair& b, bool wants_quotient) {
  Operand divisor = roughly(b);
  Pair quotient{u32(0), u32(0)};
  Pair rest = a;
  for (int step = 0; step < kDivisionSteps; ++step) {
    Operand less = code_.prim(Op::kMul, kF32, {roughly(rest), Scalar::ofF32(1 - 0x1p-18F)});
    Pair estimate = truncated(code_.prim(Op::kDiv, kF32, {less, divisor}));
    quotient = step == 0 ? estimate : add(quotient, estimate);
    rest = sub(rest, mul(estimate, b));
  }
  Operand below = less(rest, b, false);
  if (!wants_quotient) return select(below, rest, sub(rest, b));
  return select(below, quotient, add(quotient, {u32(1), u32(0)}));
}

Pair PairCode::divideSigned(const Pair& a, const Pair& b, bool wants_quotient) {
  Operand a_sign = signOf(a);
  Operand b_sign = signOf(b);
  Pair a_size = withSign(a, a_sign);
  Pair b_size = withSign(b, b_sign);
  Pair size = divide(a_size, b_size, wants_quotient);
  Operand sign = wants_quotient ? op(Op::kXor, a_sign, b_sign) : a_sign;
  return withSign(size, sign);
}

Pair PairCode::prim(Op op, bool is_signed, const std::vector<Pair>& args) {
  const Pair& a = args[0];
  const Pair zero{u32(0), u32(0)};
  switch (op) {
    case Op::kAdd:
      return add(a, args[1]);
    case Op::kSub:
      return sub(a, args[1]);
    case Op::kMul:
      return mul(a, args[1]);
    case Op::kNeg:
      return sub(zero, a);
    case Op::kAbs:
      return is_signed ? withSign(a, signOf(a)) : a;
    case Op::kNot:
      return bitwise(Op::kXor, a, {u32(UINT32_MAX), u32(UINT32_MAX)});
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
      return bitwise(op, a, args[1]);
    case Op::kMin:
      return select(less(a, args[1], is_signed), a, args[1]);
    case Op::kMax:
      return select(less(a, args[1], is_signed), args[1], a);
    case Op::kMachineShl:
    case Op::kMachineShr:
    case Op::kMachineLshr:
      return shift(op, is_signed, a, args[1].low);
    case Op::kMachineDiv:
    case Op::kMachineRem: {
      bool wants_quotient = op == Op::kMachineDiv;
      return is_signed ? divideSigned(a, args[1], wants_quotient)
                       : divide(a, args[1], wants_quotient);
    }
    default:
      HALO_UNREACHABLE("define-semantics or splitWideProducts has removed this operation");
  }
}

// ---- comparisons, counts of bits

Operand PairCode::less(const Pair& a, const Pair& b, bool is_signed) {
  Operand below = op(Op::kLt, a.low, b.low);
  Operand same = op(Op::kEq, a.high, b.high);
  Operand tail = both(same, below);
  Operand high;
  if (is_signed) {
    Operand left = convert(ConvertKind::kValue, kU32, kI32, a.high);
    Operand right = convert(ConvertKind::kValue, kU32, kI32, b.high);
    high = code_.prim(Op::kLt, kI32, {left, right});
  } else {
    high = op(Op::kLt, a.high, b.high);
  }
  return either(high, tail);
}

// The count within one word, and 32 more if it is the other one that decides.
Operand PairCode::leadingZeros(const Pair& value) {
  Operand above = isZero(value.high);
  Operand word = choose(above, value.low, value.high);
  Operand zeros = code_.prim(Op::kClz, kU32, {word});
  Operand offset = code_.let("t", kI32, Select{above, Scalar::ofI32(32), Scalar::ofI32(0)});
  return code_.prim(Op::kAdd, kI32, {zeros, offset});
}

Operand PairCode::measure(Op op, bool is_signed, const std::vector<Pair>& args) {
  const Pair& a = args[0];
  auto negated = [&](Operand value) { return code_.prim(Op::kNot, kBool, {value}); };
  switch (op) {
    case Op::kEq:
    case Op::kNe: {
      Operand low = this->op(Op::kXor, a.low, args[1].low);
      Operand high = this->op(Op::kXor, a.high, args[1].high);
      return this->op(op, this->op(Op::kOr, low, high), 0);
    }
    case Op::kLt:
      return less(a, args[1], is_signed);
    case Op::kGt:
      return less(args[1], a, is_signed);
    case Op::kLe:
      return negated(less(args[1], a, is_signed));
    case Op::kGe:
      return negated(less(a, args[1], is_signed));
    case Op::kPopc: {
      Operand low = code_.prim(op, kU32, {a.low});
      Operand high = code_.prim(op, kU32, {a.high});
      return code_.prim(Op::kAdd, kI32, {low, high});
    }
    case Op::kClz:
      return leadingZeros(a);
    case Op::kCtz: {
      Operand above = isZero(a.low);
      Operand word = choose(above, a.high, a.low);
      Operand zeros = code_.prim(op, kU32, {word});
      Operand offset = code_.let("t", kI32, Select{above, Scalar::ofI32(32), Scalar::ofI32(0)});
      return code_.prim(Op::kAdd, kI32, {zeros, offset});
    }
    default:
      HALO_UNREACHABLE("no such measure of 64-bit integers");
  }
}

// ---- conversions

Pair PairCode::from(ScalarType type, Operand value, bool is_signed) {
  if (type == kBool) return {bit(value), u32(0)};
  if (type == kU32) return {value, u32(0)};
  if (type == kI32) {
    Operand low = convert(ConvertKind::kValue, kI32, kU32, value);
    Operand sign = code_.prim(Op::kMachineShr, kI32, {value, Scalar::ofI32(31)});
    return {low, convert(ConvertKind::kValue, kI32, kU32, sign)};
  }
  if (!is_signed) return truncated(value);
  Operand bits = convert(ConvertKind::kBits, kF32, kU32, value);
  Operand sign = op(Op::kSub, u32(0), op(Op::kMachineLshr, bits, 31));
  Operand size = code_.prim(Op::kAbs, kF32, {value});
  return withSign(truncated(size), sign);
}

// The 32 bits from the leading one on, the last of them set if anything behind is; they are rounded
// once, then scaled, which is exact.
Operand PairCode::asFloat(const Pair& value) {
  Operand zeros = leadingZeros(value);
  Operand by = convert(ConvertKind::kValue, kI32, kU32, zeros);
  Operand count = op(Op::kAnd, by, 63);
  Pair moved = shift(Op::kMachineShl, false, value, count);
  Operand sticky = bit(op(Op::kNe, moved.low, 0));
  Operand top = op(Op::kOr, moved.high, sticky);
  Operand rounded = convert(ConvertKind::kValue, kU32, kF32, top);
  Operand power = op(Op::kSub, u32(127 + 32), count);
  Operand scale = convert(ConvertKind::kBits, kU32, kF32, op(Op::kMachineShl, power, 23));
  return code_.prim(Op::kMul, kF32, {rounded, scale});
}

Operand PairCode::to(ScalarType type, const Pair& value, bool is_signed) {
  if (type == kBool) return op(Op::kNe, op(Op::kOr, value.low, value.high), 0);
  if (type == kU32) return value.low;
  if (type != kF32) return convert(ConvertKind::kValue, kU32, type, value.low);
  if (!is_signed) return asFloat(value);
  Operand sign = signOf(value);
  Operand size = asFloat(withSign(value, sign));
  Operand bits = convert(ConvertKind::kBits, kF32, kU32, size);
  Operand top = op(Op::kMachineShl, sign, 31);
  return convert(ConvertKind::kBits, kU32, kF32, op(Op::kOr, bits, top));
}

}  // namespace halo::gpu
