// language.md#semantics row by row, against values written by hand.
#include "lang/prim/fold.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "lang/prim/mirrored.h"

using namespace halo::prim;  // NOLINT: a test of exactly this namespace

namespace {

using T = ScalarType;

Scalar i(T type, int64_t v) { return Scalar::ofSigned(type, v); }
Scalar f(T type, double v) { return Scalar::ofFloat(type, v); }
Scalar b(bool v) { return Scalar::ofBool(v); }
Scalar half(uint64_t bits) { return {T::kF16, bits}; }

Scalar run(Op op, std::vector<Scalar> args) {
  const Folded result = fold(op, args[0].type, args);
  REQUIRE(std::holds_alternative<Scalar>(result));
  return std::get<Scalar>(result);
}

FoldFailure failure(Op op, std::vector<Scalar> args) {
  const Folded result = fold(op, args[0].type, args);
  REQUIRE(std::holds_alternative<FoldFailure>(result));
  return std::get<FoldFailure>(result);
}

Scalar to(T type, Scalar value) { return convert(ConvertKind::kValue, type, value); }

constexpr T kSignedTypes[] = {T::kI8, T::kI16, T::kI32, T::kI64};
constexpr T kUnsignedTypes[] = {T::kU8, T::kU16, T::kU32, T::kU64};
constexpr T kFloatTypes[] = {T::kF16, T::kF32, T::kF64};
const double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

int64_t minOf(T type) { return -(int64_t{1} << (bitWidth(type) - 2)) * 2; }
int64_t maxOf(T type) { return -(minOf(type) + 1); }

}  // namespace

TEST_CASE("integers wrap") {
  for (T t : kSignedTypes) {
    CAPTURE(name(t));
    CHECK(run(Op::kAdd, {i(t, maxOf(t)), i(t, 1)}) == i(t, minOf(t)));
    CHECK(run(Op::kSub, {i(t, minOf(t)), i(t, 1)}) == i(t, maxOf(t)));
    CHECK(run(Op::kMul, {i(t, maxOf(t)), i(t, 2)}) == i(t, -2));
    CHECK(run(Op::kNeg, {i(t, minOf(t))}) == i(t, minOf(t)));
    CHECK(run(Op::kAbs, {i(t, minOf(t))}) == i(t, minOf(t)));
    CHECK(run(Op::kAbs, {i(t, -5)}) == i(t, 5));
  }
  CHECK(run(Op::kAdd, {i(T::kU8, 255), i(T::kU8, 1)}) == i(T::kU8, 0));
  CHECK(run(Op::kNeg, {i(T::kU8, 1)}) == i(T::kU8, 255));
  CHECK(run(Op::kAbs, {i(T::kU8, 200)}) == i(T::kU8, 200));
}

TEST_CASE("integer division rounds down, quotient to zero") {
  for (T t : kSignedTypes) {
    CAPTURE(name(t));
    CHECK(run(Op::kDiv, {i(t, -7), i(t, 2)}) == i(t, -4));
    CHECK(run(Op::kMod, {i(t, -7), i(t, 2)}) == i(t, 1));
    CHECK(run(Op::kDiv, {i(t, 7), i(t, -2)}) == i(t, -4));
    CHECK(run(Op::kMod, {i(t, 7), i(t, -2)}) == i(t, -1));
    CHECK(run(Op::kDiv, {i(t, -8), i(t, 2)}) == i(t, -4));
    CHECK(run(Op::kMod, {i(t, -8), i(t, 2)}) == i(t, 0));
    CHECK(run(Op::kQuot, {i(t, -7), i(t, 2)}) == i(t, -3));
    CHECK(run(Op::kRem, {i(t, -7), i(t, 2)}) == i(t, -1));
    CHECK(run(Op::kRem, {i(t, 7), i(t, -2)}) == i(t, 1));
    CHECK(run(Op::kMachineDiv, {i(t, -7), i(t, 2)}) == i(t, -3));
    CHECK(run(Op::kMachineRem, {i(t, -7), i(t, 2)}) == i(t, -1));
    CHECK(run(Op::kDiv, {i(t, minOf(t)), i(t, -1)}) == i(t, minOf(t)));
    CHECK(run(Op::kMod, {i(t, minOf(t)), i(t, -1)}) == i(t, 0));
    CHECK(run(Op::kQuot, {i(t, minOf(t)), i(t, -1)}) == i(t, minOf(t)));
    CHECK(run(Op::kRem, {i(t, minOf(t)), i(t, -1)}) == i(t, 0));
    for (Op op : {Op::kDiv, Op::kMod, Op::kQuot, Op::kRem}) {
      CHECK(failure(op, {i(t, 1), i(t, 0)}) == FoldFailure::kDivisionByZero);
      CHECK(canFail(op, t));
    }
  }
  for (T t : kUnsignedTypes) {
    const uint64_t top = ~uint64_t{0} >> (64 - bitWidth(t));
    CHECK(run(Op::kDiv, {i(t, -1), i(t, 2)}) == Scalar{t, top / 2});
    CHECK(run(Op::kMod, {i(t, -1), i(t, 2)}) == i(t, 1));
    CHECK(failure(Op::kQuot, {i(t, 1), i(t, 0)}) == FoldFailure::kDivisionByZero);
  }
}

TEST_CASE("integer powers wrap; negative exponents fail") {
  CHECK(run(Op::kPow, {i(T::kI32, 3), i(T::kI32, 4)}) == i(T::kI32, 81));
  CHECK(run(Op::kPow, {i(T::kI32, -2), i(T::kI32, 31)}) == i(T::kI32, minOf(T::kI32)));
  CHECK(run(Op::kPow, {i(T::kI32, 2), i(T::kI32, 32)}) == i(T::kI32, 0));
  CHECK(run(Op::kPow, {i(T::kI8, 3), i(T::kI8, 5)}) == i(T::kI8, -13));
  CHECK(run(Op::kPow, {i(T::kI64, 0), i(T::kI64, 0)}) == i(T::kI64, 1));
  CHECK(run(Op::kPow, {i(T::kU8, 2), i(T::kU8, 255)}) == i(T::kU8, 0));
  CHECK(failure(Op::kPow, {i(T::kI16, 1), i(T::kI16, -1)}) == FoldFailure::kNegativeExponent);
  CHECK_FALSE(canFail(Op::kPow, T::kU32));
  CHECK_FALSE(canFail(Op::kDiv, T::kF32));
  CHECK_FALSE(canFail(Op::kAdd, T::kI32));
}

TEST_CASE("shift counts are unsigned and may reach the width") {
  for (T t : kSignedTypes) {
    const int width = bitWidth(t);
    CHECK(run(Op::kShl, {i(t, 1), i(t, width - 1)}) == i(t, minOf(t)));
    CHECK(run(Op::kShl, {i(t, 1), i(t, width)}) == i(t, 0));
    CHECK(run(Op::kShl, {i(t, 1), i(t, -1)}) == i(t, 0));
    CHECK(run(Op::kShr, {i(t, -8), i(t, 1)}) == i(t, -4));
    CHECK(run(Op::kShr, {i(t, -8), i(t, width)}) == i(t, -1));
    CHECK(run(Op::kShr, {i(t, 8), i(t, -1)}) == i(t, 0));
    CHECK(run(Op::kLshr, {i(t, -1), i(t, width - 1)}) == i(t, 1));
    CHECK(run(Op::kLshr, {i(t, -1), i(t, width)}) == i(t, 0));
    CHECK(run(Op::kMachineShl, {i(t, 3), i(t, 2)}) == i(t, 12));
    CHECK(run(Op::kMachineShr, {i(t, -8), i(t, 2)}) == i(t, -2));
    CHECK(run(Op::kMachineLshr, {i(t, -1), i(t, width - 2)}) == i(t, 3));
  }
  CHECK(run(Op::kShr, {i(T::kU8, 0x80), i(T::kU8, 7)}) == i(T::kU8, 1));
  CHECK(run(Op::kShr, {i(T::kU8, 0x80), i(T::kU8, 8)}) == i(T::kU8, 0));
}

TEST_CASE("integer bits") {
  CHECK(run(Op::kAnd, {i(T::kI8, -4), i(T::kI8, 7)}) == i(T::kI8, 4));
  CHECK(run(Op::kOr, {i(T::kI8, -4), i(T::kI8, 1)}) == i(T::kI8, -3));
  CHECK(run(Op::kXor, {i(T::kI8, -1), i(T::kI8, 1)}) == i(T::kI8, -2));
  CHECK(run(Op::kNot, {i(T::kU8, 1)}) == i(T::kU8, 254));
  CHECK(run(Op::kPopc, {i(T::kI8, -1)}) == Scalar::ofI32(8));
  CHECK(run(Op::kPopc, {i(T::kI64, -1)}) == Scalar::ofI32(64));
  CHECK(run(Op::kClz, {i(T::kI16, 1)}) == Scalar::ofI32(15));
  CHECK(run(Op::kClz, {i(T::kU64, 0)}) == Scalar::ofI32(64));
  CHECK(run(Op::kClz, {i(T::kI8, -1)}) == Scalar::ofI32(0));
  CHECK(run(Op::kCtz, {i(T::kI8, 0)}) == Scalar::ofI32(8));
  CHECK(run(Op::kCtz, {i(T::kI32, 48)}) == Scalar::ofI32(4));
}

TEST_CASE("mul_hi is the upper half of the product") {
  for (T t : kSignedTypes) {
    CHECK(run(Op::kMulHi, {i(t, minOf(t)), i(t, minOf(t))}) ==
          i(t, int64_t{1} << (bitWidth(t) - 2)));
    CHECK(run(Op::kMulHi, {i(t, -1), i(t, 1)}) == i(t, -1));
    CHECK(run(Op::kMulHi, {i(t, -1), i(t, -1)}) == i(t, 0));
  }
  for (T t : kUnsignedTypes) CHECK(run(Op::kMulHi, {i(t, -1), i(t, -1)}) == i(t, -2));
  CHECK(run(Op::kMulHi, {i(T::kI32, 1 << 30), i(T::kI32, 12)}) == i(T::kI32, 3));
}

TEST_CASE("integer order, sign, min and max") {
  CHECK(run(Op::kLt, {i(T::kI8, -1), i(T::kI8, 1)}) == b(true));
  CHECK(run(Op::kLt, {i(T::kU8, -1), i(T::kU8, 1)}) == b(false));
  CHECK(run(Op::kLe, {i(T::kI64, 3), i(T::kI64, 3)}) == b(true));
  CHECK(run(Op::kGt, {i(T::kI64, 3), i(T::kI64, -3)}) == b(true));
  CHECK(run(Op::kGe, {i(T::kU64, -1), i(T::kU64, 3)}) == b(true));
  CHECK(run(Op::kEq, {i(T::kI16, 3), i(T::kI16, 3)}) == b(true));
  CHECK(run(Op::kNe, {i(T::kI16, 3), i(T::kI16, 3)}) == b(false));
  CHECK(run(Op::kMin, {i(T::kI8, -1), i(T::kI8, 1)}) == i(T::kI8, -1));
  CHECK(run(Op::kMax, {i(T::kU8, -1), i(T::kU8, 1)}) == i(T::kU8, 255));
  CHECK(run(Op::kSgn, {i(T::kI8, -128)}) == i(T::kI8, -1));
  CHECK(run(Op::kSgn, {i(T::kU8, 200)}) == i(T::kU8, 1));
  CHECK(run(Op::kSgn, {i(T::kI64, 0)}) == i(T::kI64, 0));
}

TEST_CASE("bool") {
  CHECK(run(Op::kAnd, {b(true), b(false)}) == b(false));
  CHECK(run(Op::kOr, {b(true), b(false)}) == b(true));
  CHECK(run(Op::kXor, {b(true), b(true)}) == b(false));
  CHECK(run(Op::kNot, {b(true)}) == b(false));
  CHECK(run(Op::kEq, {b(true), b(true)}) == b(true));
  CHECK(run(Op::kLt, {b(false), b(true)}) == b(true));
  CHECK(run(Op::kGe, {b(false), b(true)}) == b(false));
}

TEST_CASE("float arithmetic and fmod") {
  for (T t : kFloatTypes) {
    CAPTURE(name(t));
    CHECK(run(Op::kAdd, {f(t, 1.5), f(t, 2)}) == f(t, 3.5));
    CHECK(run(Op::kSub, {f(t, 1.5), f(t, 2)}) == f(t, -0.5));
    CHECK(run(Op::kMul, {f(t, 1.5), f(t, -2)}) == f(t, -3));
    CHECK(run(Op::kDiv, {f(t, 1), f(t, 0)}) == f(t, kInf));
    CHECK(run(Op::kDiv, {f(t, 0), f(t, 0)}) == f(t, kNan));
    CHECK(run(Op::kMod, {f(t, 5.5), f(t, 2)}) == f(t, 1.5));
    CHECK(run(Op::kMod, {f(t, -5.5), f(t, 2)}) == f(t, -1.5));
    CHECK(run(Op::kMod, {f(t, 5.5), f(t, -2)}) == f(t, 1.5));
    CHECK(run(Op::kMod, {f(t, -4), f(t, 2)}) == f(t, -0.0));
    CHECK(run(Op::kMod, {f(t, 1), f(t, 0)}) == f(t, kNan));
    CHECK(run(Op::kMod, {f(t, kInf), f(t, 1)}) == f(t, kNan));
    CHECK(run(Op::kMod, {f(t, 3), f(t, kInf)}) == f(t, 3));
    CHECK(run(Op::kPow, {f(t, 2), f(t, -2)}) == f(t, 0.25));
    CHECK(run(Op::kSqrt, {f(t, 2.25)}) == f(t, 1.5));
    CHECK(run(Op::kSqrt, {f(t, -1)}) == f(t, kNan));
    CHECK(run(Op::kNeg, {f(t, 0)}) == f(t, -0.0));
    CHECK(run(Op::kAbs, {f(t, -0.0)}) == f(t, 0));
    CHECK(run(Op::kNeg, {f(t, kNan)}) == f(t, kNan));
  }
  // the product itself needs more digits than there are
  CHECK(run(Op::kFma, {f(T::kF32, 16777217.0 - 1), f(T::kF32, 1.0 + 0x1p-23),
                       f(T::kF32, -0x1p24)}) == f(T::kF32, 2));
  CHECK(run(Op::kFma, {f(T::kF64, 1 + 0x1p-52), f(T::kF64, 1 - 0x1p-52), f(T::kF64, -1)}) ==
        f(T::kF64, -0x1p-104));
  CHECK(!existsAt(Op::kFma, T::kF16));
  // x - y * trunc(x / y) in floats would give 0 or worse here; fmod is exact.
  CHECK(run(Op::kMod, {f(T::kF64, 1e300), f(T::kF64, 3)}) == f(T::kF64, 0));
  CHECK(run(Op::kMod, {f(T::kF32, 16777216), f(T::kF32, 3)}) == f(T::kF32, 1));
}

TEST_CASE("float rounding functions and sign") {
  for (T t : kFloatTypes) {
    CHECK(run(Op::kRound, {f(t, 0.5)}) == f(t, 0));
    CHECK(run(Op::kRound, {f(t, 1.5)}) == f(t, 2));
    CHECK(run(Op::kRound, {f(t, 2.5)}) == f(t, 2));
    CHECK(run(Op::kRound, {f(t, -0.5)}) == f(t, -0.0));
    CHECK(run(Op::kFloor, {f(t, -1.5)}) == f(t, -2));
    CHECK(run(Op::kCeil, {f(t, -1.5)}) == f(t, -1));
    CHECK(run(Op::kTrunc, {f(t, -1.5)}) == f(t, -1));
    CHECK(run(Op::kTrunc, {f(t, -0.5)}) == f(t, -0.0));
    CHECK(run(Op::kSgn, {f(t, -3)}) == f(t, -1));
    CHECK(run(Op::kSgn, {f(t, -0.0)}) == f(t, 0));
    CHECK(run(Op::kSgn, {f(t, kNan)}) == f(t, kNan));
  }
}

TEST_CASE("min and max of floats: NaN loses, -0 below +0") {
  for (T t : kFloatTypes) {
    const Scalar nan = f(t, kNan), one = f(t, 1), plus = f(t, 0), minus = f(t, -0.0);
    for (Op op : {Op::kMin, Op::kMax}) {
      CHECK(run(op, {nan, one}) == one);
      CHECK(run(op, {one, nan}) == one);
      CHECK(run(op, {nan, nan}) == nan);
    }
    CHECK(run(Op::kMin, {plus, minus}) == minus);
    CHECK(run(Op::kMin, {minus, plus}) == minus);
    CHECK(run(Op::kMax, {plus, minus}) == plus);
    CHECK(run(Op::kMax, {minus, plus}) == plus);
    CHECK(run(Op::kMin, {one, f(t, 2)}) == one);
    CHECK(run(Op::kMax, {one, f(t, 2)}) == f(t, 2));
  }
}

TEST_CASE("float comparison and questions") {
  for (T t : kFloatTypes) {
    const Scalar nan = f(t, kNan);
    CHECK(run(Op::kEq, {nan, nan}) == b(false));
    CHECK(run(Op::kNe, {nan, nan}) == b(true));
    CHECK(run(Op::kLt, {nan, f(t, 1)}) == b(false));
    CHECK(run(Op::kGe, {nan, f(t, 1)}) == b(false));
    CHECK(run(Op::kEq, {f(t, 0), f(t, -0.0)}) == b(true));
    CHECK(run(Op::kLe, {f(t, 1), f(t, 1)}) == b(true));
    CHECK(run(Op::kGt, {f(t, kInf), f(t, 1)}) == b(true));
    CHECK(run(Op::kIsNan, {nan}) == b(true));
    CHECK(run(Op::kIsNan, {f(t, kInf)}) == b(false));
    CHECK(run(Op::kIsInf, {f(t, -kInf)}) == b(true));
  }
}

TEST_CASE("f16 computes in f32 and rounds once") {
  CHECK(f(T::kF16, 65504) == half(0x7bff));
  CHECK(f(T::kF16, 65519.99) == half(0x7bff));
  CHECK(f(T::kF16, 65520) == half(0x7c00));
  CHECK(f(T::kF16, 0x1p-24) == half(0x0001));
  CHECK(f(T::kF16, 0x1p-25) == half(0x0000));
  CHECK(f(T::kF16, 0x1.8p-24) == half(0x0002));
  CHECK(run(Op::kAdd, {f(T::kF16, 2048), f(T::kF16, 1)}) == f(T::kF16, 2048));
  CHECK(run(Op::kAdd, {f(T::kF16, 2048), f(T::kF16, 3)}) == f(T::kF16, 2052));
  CHECK(run(Op::kMul, {f(T::kF16, 256), f(T::kF16, 256)}) == f(T::kF16, kInf));
}

TEST_CASE("conversions to f16 round once from any type") {
  // Just above the midpoint of 1 and the next half. By way of f32 it would become the midpoint,
  // and then 1.
  const double above = 1 + 0x1p-11 + 0x1p-40;
  CHECK(to(T::kF16, f(T::kF64, above)) == half(0x3c01));
  CHECK(to(T::kF16, f(T::kF64, 1 + 0x1p-11)) == half(0x3c00));
  CHECK(to(T::kF16, f(T::kF64, -above)) == half(0xbc01));
  CHECK(to(T::kF16, i(T::kI64, 2049)) == f(T::kF16, 2048));
  CHECK(to(T::kF16, i(T::kI64, 2051)) == f(T::kF16, 2052));
  CHECK(to(T::kF16, i(T::kI64, 65519)) == half(0x7bff));
  CHECK(to(T::kF16, i(T::kI64, 65520)) == half(0x7c00));
  CHECK(to(T::kF16, i(T::kI64, minOf(T::kI64))) == half(0xfc00));
  CHECK(to(T::kF16, i(T::kU64, -1)) == half(0x7c00));
  CHECK(to(T::kF32, half(0x0001)) == f(T::kF32, 0x1p-24));
}

TEST_CASE("integer to float and f64 to f32 round to nearest even") {
  CHECK(to(T::kF32, i(T::kI32, 16777217)) == f(T::kF32, 16777216));
  CHECK(to(T::kF32, i(T::kI32, 16777219)) == f(T::kF32, 16777220));
  // 2^53 + 2^29 + 1: by way of f64 it would round down to the midpoint and then to even.
  const int64_t tricky = (int64_t{1} << 53) + (int64_t{1} << 29) + 1;
  CHECK(to(T::kF32, i(T::kI64, tricky)) == f(T::kF32, 0x1.000002p53));
  CHECK(to(T::kF32, i(T::kU64, tricky)) == f(T::kF32, 0x1.000002p53));
  CHECK(to(T::kF64, i(T::kI64, (int64_t{1} << 53) + 1)) == f(T::kF64, 0x1p53));
  CHECK(to(T::kF64, i(T::kU64, -1)) == f(T::kF64, 0x1p64));
  CHECK(to(T::kF64, i(T::kI8, -1)) == f(T::kF64, -1));
  CHECK(to(T::kF32, f(T::kF64, 1 + 0x1p-24)) == f(T::kF32, 1));
  CHECK(to(T::kF32, f(T::kF64, 1 + 0x1.8p-24)) == f(T::kF32, 1 + 0x1p-23));
  CHECK(to(T::kF32, f(T::kF64, 1e300)) == f(T::kF32, kInf));
  CHECK(to(T::kF32, b(true)) == f(T::kF32, 1));
}

TEST_CASE(
    "float to integer truncates, saturates, 0 of what is not finite; unsigned types wrap below 0") {
  for (T source : {T::kF32, T::kF64}) {
    for (T t : kSignedTypes) {
      CHECK(to(t, f(source, -1.9)) == i(t, -1));
      CHECK(to(t, f(source, kInf)) == i(t, 0));
      CHECK(to(t, f(source, -kInf)) == i(t, 0));
      CHECK(to(t, f(source, 1e30)) == i(t, maxOf(t)));
      CHECK(to(t, f(source, -1e30)) == i(t, minOf(t)));
      CHECK(to(t, f(source, std::ldexp(1.0, bitWidth(t) - 1))) == i(t, maxOf(t)));
      CHECK(to(t, f(source, -std::ldexp(1.0, bitWidth(t) - 1))) == i(t, minOf(t)));
      CHECK(to(t, f(source, kNan)) == i(t, 0));
    }
    for (T t : kUnsignedTypes) {
      CHECK(to(t, f(source, -0.5)) == i(t, 0));
      CHECK(to(t, f(source, -5.9)) == i(t, -5));
      CHECK(to(t, f(source, kInf)) == i(t, 0));
      CHECK(to(t, f(source, -kInf)) == i(t, 0));
      CHECK(to(t, f(source, -1e30)) == Scalar::ofUnsigned(t, uint64_t{1} << (bitWidth(t) - 1)));
      CHECK(to(t, f(source, 127.9)) == i(t, 127));
      CHECK(to(t, f(source, std::ldexp(1.0, bitWidth(t)))) == i(t, -1));
      CHECK(to(t, f(source, kNan)) == i(t, 0));
    }
  }
  CHECK(to(T::kI8, f(T::kF64, 127.9)) == i(T::kI8, 127));
  CHECK(to(T::kI8, f(T::kF64, -128.9)) == i(T::kI8, -128));
  CHECK(to(T::kI32, f(T::kF16, 65504)) == i(T::kI32, 65504));
  CHECK(convert(ConvertKind::kMachine, T::kI32, f(T::kF32, -2.5)) == i(T::kI32, -2));
}

TEST_CASE(
    "integer to integer wraps; signed sources extend by their sign, to unsigned types by zeros") {
  CHECK(to(T::kI8, i(T::kI32, 300)) == i(T::kI8, 44));
  CHECK(to(T::kI64, i(T::kI8, -1)) == i(T::kI64, -1));
  CHECK(to(T::kU64, i(T::kI8, -1)) == i(T::kU64, 255));
  CHECK(to(T::kU16, i(T::kI16, -1)) == i(T::kU16, 65535));
  CHECK(to(T::kI64, i(T::kU8, 255)) == i(T::kI64, 255));
  CHECK(to(T::kI32, i(T::kU32, -1)) == i(T::kI32, -1));
  CHECK(to(T::kI32, b(true)) == i(T::kI32, 1));
}

TEST_CASE("conversion to bool asks for zero") {
  CHECK(to(T::kBool, i(T::kI32, 256)) == b(true));
  CHECK(to(T::kBool, f(T::kF32, -0.0)) == b(false));
  CHECK(to(T::kBool, f(T::kF32, kNan)) == b(true));
  CHECK(to(T::kBool, f(T::kF16, 0.5)) == b(true));
}

TEST_CASE("bit conversions make NaN canonical") {
  CHECK(convert(ConvertKind::kBits, T::kU32, f(T::kF32, 1)).bits == 0x3f800000);
  CHECK(convert(ConvertKind::kBits, T::kF32, Scalar{T::kU32, 0x3f800000}) == f(T::kF32, 1));
  CHECK(convert(ConvertKind::kBits, T::kF32, Scalar{T::kU32, 0xffc01234}).bits == kNanF32);
  CHECK(convert(ConvertKind::kBits, T::kF64, Scalar{T::kU64, 0xfff0000000000001}).bits == kNanF64);
  CHECK(convert(ConvertKind::kBits, T::kF16, Scalar{T::kU16, 0xfc01}).bits == kNanF16);
  CHECK(convert(ConvertKind::kBits, T::kU16, f(T::kF16, kNan)).bits == kNanF16);
}

TEST_CASE("names of types and primitives") {
  for (T t : kAllScalarTypes) CHECK(scalarTypeFromName(name(t)) == t);
  CHECK_FALSE(scalarTypeFromName("i128").has_value());
  CHECK(opFromName("mul_hi") == Op::kMulHi);
  CHECK(info(Op::kMulHi).name == "mul_hi");
  CHECK_FALSE(opFromName("frobnicate").has_value());
  CHECK(existsAt(Op::kShl, T::kI8));
  CHECK_FALSE(existsAt(Op::kShl, T::kF32));
  CHECK(resultType(Op::kPopc, T::kI64) == T::kI32);
}

TEST_CASE("a mirrored comparison says the same of exchanged operands") {
  for (const Op op : {Op::kLt, Op::kLe, Op::kGt, Op::kGe, Op::kEq, Op::kNe}) {
    for (const int64_t x : {1, 2, 3}) {
      const Scalar a = i(T::kI32, x), two = i(T::kI32, 2);
      CHECK(run(op, {a, two}) == run(mirrored(op), {two, a}));
    }
  }
}
