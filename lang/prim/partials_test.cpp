// The table of partials against values written by hand, at ordinary, singular and special points.
#include "lang/prim/partials.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "lang/prim/fold.h"

using namespace halo::prim;  // NOLINT: a test of exactly this namespace

namespace {

using T = ScalarType;
using Kind = Partial<Scalar>::Kind;

struct Fold {
  using Value = Scalar;
  Scalar number(T type, int64_t value) const {
    if (type == T::kBool) return Scalar::ofBool(value != 0);
    return isFloat(type) ? Scalar::ofFloat(type, static_cast<double>(value))
                         : Scalar::ofSigned(type, value);
  }
  template <typename... Values>
  Scalar op(Op op, T type, const Values&... values) const {
    const std::array args{values...};
    const Folded result = fold(op, type, args);
    REQUIRE(std::holds_alternative<Scalar>(result));
    return std::get<Scalar>(result);
  }
};

// The image of a tangent of 1; of a guarded one as well.
Scalar partial(Op op, Scalar x, Scalar y, int operand) {
  Fold emit;
  const int arity = info(op).arity;
  const Scalar result = arity == 1   ? emit.op(op, x.type, x)
                        : arity == 2 ? emit.op(op, x.type, x, y)
                                     : emit.op(op, x.type, x, y, x);
  const auto found = partialOf(emit, Applied<Scalar>{op, x.type, x, y, result}, operand);
  switch (found.kind) {
    case Kind::kZero:
      return emit.number(x.type, 0);
    case Kind::kOne:
      return emit.number(x.type, 1);
    case Kind::kMinusOne:
      return emit.number(x.type, -1);
    case Kind::kFactor:
    case Kind::kGuarded:
      return found.factor;
    case Kind::kWhen:
      return emit.number(x.type, found.factor.asBool() ? 1 : 0);
  }
  return {};
}

double f(Op op, double x, double y, int operand) {
  return partial(op, Scalar::ofF64(x), Scalar::ofF64(y), operand).asF64();
}
double f(Op op, double x) { return f(op, x, 0, 0); }
int64_t i(Op op, int64_t x, int64_t y, int operand, T type = T::kI32) {
  const Scalar lhs = Scalar::ofSigned(type, x), rhs = Scalar::ofSigned(type, y);
  const Scalar found = partial(op, lhs, rhs, operand);
  return isSigned(type) ? found.asSigned() : static_cast<int64_t>(found.bits);
}
bool b(Op op, bool x, bool y, int operand) {
  return partial(op, Scalar::ofBool(x), Scalar::ofBool(y), operand).asBool();
}

const double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("arithmetic on floats") {
  CHECK(f(Op::kAdd, 2, 3, 0) == 1);
  CHECK(f(Op::kAdd, 2, 3, 1) == 1);
  CHECK(f(Op::kSub, 2, 3, 0) == 1);
  CHECK(f(Op::kSub, 2, 3, 1) == -1);
  CHECK(f(Op::kMul, 2, 3, 0) == 3);
  CHECK(f(Op::kMul, 2, 3, 1) == 2);
  CHECK(f(Op::kFma, 2, 3, 0) == 3);
  CHECK(f(Op::kFma, 2, 3, 1) == 2);
  CHECK(f(Op::kFma, 2, 3, 2) == 1);
  CHECK(f(Op::kNeg, 2) == -1);
  CHECK(f(Op::kDiv, 3, 4, 0) == 0.25);
  CHECK(f(Op::kDiv, 3, 4, 1) == -0.1875);
  CHECK(f(Op::kDiv, 3, 0, 0) == kInf);
  CHECK(f(Op::kMod, 7.5, 2, 0) == 1);
  CHECK(f(Op::kMod, 7.5, 2, 1) == -3);
  CHECK(f(Op::kMod, -7.5, 2, 1) == 3);
  CHECK(f(Op::kSqrt, 4) == 0.25);
  CHECK(f(Op::kSqrt, 0) == kInf);
}

TEST_CASE("what is not smooth has the value of one side") {
  CHECK(f(Op::kAbs, 2) == 1);
  CHECK(f(Op::kAbs, -2) == -1);
  CHECK(f(Op::kAbs, 0) == 0);
  for (const Op step : {Op::kSgn, Op::kFloor, Op::kCeil, Op::kTrunc, Op::kRound}) {
    CHECK(f(step, 2.5) == 0);
  }
  for (const Op question : {Op::kEq, Op::kLt, Op::kGe}) CHECK(f(question, 1, 1, 0) == 0);
  CHECK(f(Op::kMin, 1, 2, 0) == 1);
  CHECK(f(Op::kMin, 1, 2, 1) == 0);
  CHECK(f(Op::kMax, 1, 2, 0) == 0);
  CHECK(f(Op::kMax, 1, 2, 1) == 1);
  for (const Op op : {Op::kMin, Op::kMax}) {
    CHECK(f(op, 1, 1, 0) == 1);
    CHECK(f(op, 1, 1, 1) == 0);
    CHECK(f(op, 1, kNan, 0) == 1);
    CHECK(f(op, kNan, 1, 0) == 0);
    CHECK(f(op, kNan, 1, 1) == 1);
    CHECK(f(op, kNan, kNan, 0) == 1);
    CHECK(i(op, 4, 4, 0) == 1);
    CHECK(i(op, 4, 4, 1) == 0);
  }
}

TEST_CASE("arithmetic on integers wraps") {
  CHECK(i(Op::kMul, 5, 200, 0, T::kI8) == -56);
  CHECK(i(Op::kDiv, 7, 2, 0) == 0);
  CHECK(i(Op::kDiv, 7, 1, 0) == 1);
  CHECK(i(Op::kDiv, 7, 2, 1) == -1);
  CHECK(i(Op::kQuot, -7, 2, 1) == 1);
  CHECK(i(Op::kMod, 7, 2, 0) == 1);
  CHECK(i(Op::kMod, 7, 1, 0) == 0);
  CHECK(i(Op::kMod, 7, 2, 1) == -3);
  CHECK(i(Op::kRem, -7, 2, 1) == 3);
  CHECK(i(Op::kPow, 5, 3, 0) == 75);
  CHECK(i(Op::kPow, 5, 0, 0) == 0);
  CHECK(i(Op::kPow, 5, 0, 0, T::kU8) == 0);
  CHECK(i(Op::kPow, 5, 3, 1) == 0);
  CHECK(i(Op::kPopc, 5, 0, 0) == 0);
  CHECK(i(Op::kMulHi, 5, 6, 0) == 0);
}

TEST_CASE("bits") {
  CHECK(i(Op::kAnd, 12, -1, 0) == 1);
  CHECK(i(Op::kAnd, 12, 3, 0) == 0);
  CHECK(i(Op::kAnd, -1, 3, 1) == 1);
  CHECK(i(Op::kAnd, 12, 255, 0, T::kU8) == 1);
  for (const Op op : {Op::kOr, Op::kXor}) {
    CHECK(i(op, 12, 0, 0) == 1);
    CHECK(i(op, 12, 1, 0) == 0);
    CHECK(i(op, 0, 1, 1) == 1);
  }
  CHECK(i(Op::kNot, 12, 0, 0) == 0);
  CHECK(i(Op::kShl, 12, 3, 0) == 8);
  CHECK(i(Op::kShl, 12, 40, 0) == 0);
  CHECK(i(Op::kShl, 12, 3, 1) == 0);
  for (const Op op : {Op::kShr, Op::kLshr}) {
    CHECK(i(op, 12, 0, 0) == 1);
    CHECK(i(op, 12, 1, 0) == 0);
    CHECK(i(op, 12, 0, 1) == 0);
  }
}

TEST_CASE("bools are what `&&` and `||` decide") {
  CHECK(b(Op::kNot, true, false, 0));
  CHECK_FALSE(b(Op::kAnd, true, true, 0));
  CHECK(b(Op::kAnd, true, false, 1));
  CHECK_FALSE(b(Op::kAnd, false, true, 1));
  CHECK(b(Op::kOr, false, true, 1));
  CHECK_FALSE(b(Op::kOr, true, true, 1));
}
