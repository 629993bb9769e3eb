// Integers: division in its four roundings, powers, shifts, abs and sgn.
//
// Divisors that are powers of two, whose exponents only the run knows (powers.h), shift instead.
//
// A signed divisor of -1 is replaced by 1 and the result negated: x / -1 = -x wraps at MIN
// (docs/language.md#semantics), x % -1 = 0. All other divisions are in the machine's range.
#include <bit>

#include "lang/passes/semantics/semantics.h"

namespace halo::passes {
namespace {

using core::Builder;
using core::Operand;
using core::Operands;
using core::Scalar;
using core::ScalarType;
using prim::Op;

using enum prim::ScalarType;

class Definer {
 public:
  Definer(Builder& builder, ScalarType type, const core::Stm& stm, const KnownNumbers& known)
      : b_(builder), type_(type), stm_(stm), known_(known) {}

  Operand division(Op op, Operand x, Operand d) {
    if (stm_.checked) {
      b_.assertThat(prim(Op::kNe, d, number(0)), diag::Code::division_by_zero, {}, stm_.span);
    }
    // Nothing reaches it, but code that moves in front of its check must not divide by 0.
    if (d == number(0)) return number(0);
    bool floors = op == Op::kDiv || op == Op::kMod;
    bool quotient = op == Op::kDiv || op == Op::kQuot;
    if (auto shift = powerOfTwo(d); shift && (floors || !prim::isSigned(type_))) {
      if (!quotient)
        return prim(Op::kAnd, x, number(static_cast<int64_t>((uint64_t{1} << *shift) - 1)));
      return *shift == 0 ? x : prim(Op::kMachineShr, x, number(*shift));
    }
    const bool shifts = !d.isConstant() && (floors || !prim::isSigned(type_));
    if (shifts && known_.level(d) != PowersOfTwo::Level::kOther)
      return divisionByPower(quotient, x, d);
    if (!prim::isSigned(type_)) return prim(quotient ? Op::kMachineDiv : Op::kMachineRem, x, d);

    Operand is_minus_one = prim(Op::kEq, d, number(-1));
    Operand safe = select(b_, is_minus_one, number(1), d);
    // Rounding down differs from truncation where the remainder's sign is not the divisor's.
    Operand remainder = quotient && !floors ? Operand() : prim(Op::kMachineRem, x, safe);
    Operand differs = floors ? signsDiffer(remainder, safe) : Scalar::ofBool(false);
    if (!quotient) {
      return floors ? select(b_, differs, prim(Op::kAdd, remainder, safe), remainder) : remainder;
    }
    Operand truncated = prim(Op::kMachineDiv, x, safe);
    if (floors) truncated = select(b_, differs, prim(Op::kSub, truncated, number(1)), truncated);
    if (is_minus_one == Operand(Scalar::ofBool(false))) return truncated;
    return select(b_, is_minus_one, b_.prim(Op::kNeg, type_, {x}), truncated);
  }

  Operand power(Operand base, Operand exponent) {
    if (stm_.checked) {
      b_.assertThat(prim(Op::kLe, number(0), exponent), diag::Code::negative_exponent, {},
                    stm_.span);
    }
    if (exponent.isConstant() && exponent.constant.asUnsigned() <= 64) {
      return fixedPower(base, exponent.constant.asUnsigned());
    }
    if (auto bits = powerOfTwo(base); bits && *bits > 0) return shiftedPower(*bits, exponent);
    if (base == number(-1)) {  // 1 or -1, by whether the exponent is even
      const Operand odd = prim(Op::kAnd, exponent, number(1));
      return prim(Op::kSub, number(1), prim(Op::kAdd, odd, odd));
    }
    return squareAndMultiply(base, exponent);
  }

  Operand shift(Op op, Operand x, Operand count) {
    int width = prim::bitWidth(type_);
    bool arithmetic = op == Op::kShr && prim::isSigned(type_);
    Op machine = op == Op::kShl ? Op::kMachineShl : arithmetic ? Op::kMachineShr : Op::kMachineLshr;
    const uint64_t above = Scalar::ofSigned(type_, -width).bits;
    if (!count.isConstant() && (known_.bits(count) & above) == 0) return prim(machine, x, count);
    // Read as unsigned, the count is below the width when no bit above log2(width) is set.
    Operand in_range = prim(Op::kEq, prim(Op::kAnd, count, number(-width)), number(0));
    Operand safe = select(b_, in_range, count, number(width - 1));
    Operand shifted = prim(machine, x, safe);
    return arithmetic ? shifted : select(b_, in_range, shifted, number(0));
  }

  Operand absolute(Operand x) {
    if (!prim::isSigned(type_)) return x;
    const Operand is_negative = prim(Op::kLt, x, number(0));
    return select(b_, is_negative, b_.prim(Op::kNeg, type_, {x}), x);
  }

  Operand sign(Operand x) {
    Operand positive = select(b_, prim(Op::kGt, x, number(0)), number(1), number(0));
    if (!prim::isSigned(type_)) return positive;
    return select(b_, prim(Op::kLt, x, number(0)), number(-1), positive);
  }

 private:
  Operand number(int64_t v) const { return Scalar::ofSigned(type_, v); }
  Operand prim(Op op, Operand a, Operand b) { return b_.prim(op, type_, {a, b}); }

  static std::optional<int> powerOfTwo(Operand d) {
    if (!d.isConstant() || !std::has_single_bit(d.constant.bits)) return std::nullopt;
    if (prim::isSigned(d.constant.type) && d.constant.asSigned() < 0) return std::nullopt;
    return std::countr_zero(d.constant.bits);
  }

  // remainder != 0 and remainder < 0 != divisor < 0
  Operand signsDiffer(Operand remainder, Operand divisor) {
    Operand negative = prim(Op::kLt, remainder, number(0));
    if (divisor.isConstant() && divisor.constant.asSigned() > 0) return negative;
    Operand signs = b_.prim(Op::kNe, kBool, {negative, prim(Op::kLt, divisor, number(0))});
    return b_.prim(Op::kAnd, kBool, {signs, prim(Op::kNe, remainder, number(0))});
  }

  // d = 2^k or -2^k. A shift rounds x / 2^k down to q; x / -2^k is -q, less 1 if there is a rest.
  Operand divisionByPower(bool quotient, Operand x, Operand d) {
    const Operand zeros = b_.prim(Op::kCtz, type_, {d});  // i32
    const Operand low = b_.convert(prim::ConvertKind::kValue, type_, zeros);
    const Operand count = prim(Op::kAnd, low, number(prim::bitWidth(type_) - 1));
    if (!prim::isSigned(type_)) {
      return quotient ? prim(Op::kMachineLshr, x, count)
                      : prim(Op::kAnd, x, prim(Op::kSub, d, number(1)));
    }
    const Operand is_negative = prim(Op::kLt, d, number(0));
    // The minimum is its own negative.
    const bool has_sign = known_.level(d) == PowersOfTwo::Level::kSigned;
    const Operand size = has_sign ? select(b_, is_negative, b_.prim(Op::kNeg, type_, {d}), d) : d;
    const Operand rest = prim(Op::kAnd, x, prim(Op::kSub, size, number(1)));
    const Operand is_inexact = prim(Op::kNe, rest, number(0));
    if (!quotient) {
      const Operand differs = b_.prim(Op::kAnd, kBool, {is_negative, is_inexact});
      return select(b_, differs, prim(Op::kAdd, rest, d), rest);
    }
    const Operand down = prim(Op::kMachineShr, x, count);
    const Operand negated =
        select(b_, is_inexact, b_.prim(Op::kNot, type_, {down}), b_.prim(Op::kNeg, type_, {down}));
    return select(b_, is_negative, negated, down);
  }

  // (2^bits) ^ exponent; 0 from the width of the type on.
  Operand shiftedPower(int bits, Operand exponent) {
    if (bits == 1) return shift(Op::kShl, number(1), exponent);
    const int64_t most = (prim::bitWidth(type_) - 1) / bits;
    const Operand is_small = prim(Op::kLe, exponent, number(most));
    const Operand not_negative = prim(Op::kLe, number(0), exponent);
    const Operand in_range = b_.prim(Op::kAnd, kBool, {not_negative, is_small});
    const Operand safe = select(b_, in_range, exponent, number(0));
    const Operand power = prim(Op::kMachineShl, number(1), prim(Op::kMul, safe, number(bits)));
    return select(b_, in_range, power, number(0));
  }

  Operand fixedPower(Operand base, uint64_t exponent) {
    Operand result = number(1);
    bool first = true;
    for (; exponent != 0; exponent >>= 1) {
      if (exponent & 1) result = first ? base : prim(Op::kMul, result, base);
      if (exponent & 1) first = false;
      if (exponent > 1) base = prim(Op::kMul, base, base);
    }
    return result;
  }

  // while rest != 0: if odd(rest) result *= square; square *= square; rest >>= 1
  Operand squareAndMultiply(Operand base, Operand exponent) {
    core::Program& p = b_.program();
    core::Type scalar{type_, {}};
    core::ValueId go = p.add("go", {kBool, {}}), result = p.add("result", scalar);
    core::ValueId square = p.add("square", scalar), rest = p.add("rest", scalar);
    Operand starts = prim(Op::kNe, exponent, number(0));

    Builder inner(p);
    Operand odd =
        inner.prim(Op::kNe, type_, {inner.prim(Op::kAnd, type_, {rest, number(1)}), number(0)});
    Operand product = inner.prim(Op::kMul, type_, {result, square});
    Operand next = select(inner, odd, product, result);
    Operand squared = inner.prim(Op::kMul, type_, {square, square});
    Operand halved = inner.prim(Op::kMachineLshr, type_, {rest, number(1)});
    Operand again = inner.prim(Op::kNe, type_, {halved, number(0)});

    core::Loop loop;
    loop.carried = {{go, starts}, {result, number(1)}, {square, base}, {rest, exponent}};
    loop.form = core::WhileLoop{0};
    loop.body = inner.take({again, next, squared, halved});
    return b_.bindAll("power", {{kBool, {}}, scalar, scalar, scalar}, std::move(loop))[1];
  }

  Builder& b_;
  ScalarType type_;
  const core::Stm& stm_;
  const KnownNumbers& known_;
};

}  // namespace

std::optional<Operand> defineInteger(Builder& builder, const core::PrimOp& op, const core::Stm& stm,
                                     const KnownNumbers& known) {
  Definer definer(builder, op.type, stm, known);
  switch (op.op) {
    case Op::kDiv:
    case Op::kMod:
    case Op::kQuot:
    case Op::kRem:
      return definer.division(op.op, op.args[0], op.args[1]);
    case Op::kPow:
      return definer.power(op.args[0], op.args[1]);
    case Op::kShl:
    case Op::kShr:
    case Op::kLshr:
      return definer.shift(op.op, op.args[0], op.args[1]);
    case Op::kAbs:
      return definer.absolute(op.args[0]);
    case Op::kSgn:
      return definer.sign(op.args[0]);
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kMin:
    case Op::kMax:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kEq:
    case Op::kNe:
    case Op::kLt:
    case Op::kLe:
    case Op::kGt:
    case Op::kGe:
    case Op::kNeg:
    case Op::kNot:
    case Op::kSqrt:
    case Op::kFma:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kTrunc:
    case Op::kRound:
    case Op::kIsNan:
    case Op::kIsInf:
    case Op::kPopc:
    case Op::kClz:
    case Op::kCtz:
    case Op::kMulHi:
    case Op::kMachineDiv:
    case Op::kMachineRem:
    case Op::kMachineShl:
    case Op::kMachineShr:
    case Op::kMachineLshr:
      return std::nullopt;
  }
  HALO_UNREACHABLE("unknown primitive");
}

}  // namespace halo::passes
