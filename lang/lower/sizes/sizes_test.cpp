// Sizes that are equal become one operand; facts of an inner body are forgotten with it.
#include "lang/lower/sizes/sizes.h"

#include <doctest/doctest.h>

namespace halo::lower {
namespace {

using core::Operand;
using core::ValueId;
using prim::Op;

const Operand kN = ValueId(1);
const Operand kM = ValueId(2);

Polynomial combined(const Sizes& sizes, Op op, const Operand& a, const Operand& b) {
  return *combine(op, sizes.of(a), sizes.of(b));
}

TEST_CASE("sums and products do not depend on how they are written") {
  const Sizes sizes;
  CHECK(combined(sizes, Op::kAdd, kN, kM) == combined(sizes, Op::kAdd, kM, kN));
  CHECK(combined(sizes, Op::kMul, kN, kM) == combined(sizes, Op::kMul, kM, kN));
  CHECK(combined(sizes, Op::kSub, kN, kN) == Polynomial::constant(0));
}

TEST_CASE("a value stands for what it was computed from") {
  Sizes sizes;
  const ValueId sum(3);
  sizes.define(sum, combined(sizes, Op::kAdd, kN, Operand::ofI64(1)));
  // (n + 1) - 1 is n again
  CHECK(sizes.find(combined(sizes, Op::kSub, sum, Operand::ofI64(1))) == kN);
  CHECK(sizes.find(combined(sizes, Op::kAdd, Operand::ofI64(1), kN)) == Operand(sum));
  CHECK_FALSE(sizes.find(combined(sizes, Op::kAdd, kN, Operand::ofI64(2))));
}

TEST_CASE("what an inner body found is forgotten with it, its meaning stays") {
  Sizes sizes;
  const Sizes::Mark mark = sizes.mark();
  const ValueId sum(3);
  const Polynomial twice = combined(sizes, Op::kAdd, kN, kN);
  sizes.define(sum, twice);
  sizes.addExtent(kM);
  sizes.release(mark);
  CHECK_FALSE(sizes.find(twice));
  CHECK_FALSE(sizes.isExtent(kM));
  CHECK(sizes.of(sum) == twice);
}

TEST_CASE("arithmetic that is no size stays opaque") {
  Polynomial power = Polynomial::variable(ValueId(1));
  for (int i = 0; i < 3; ++i) power = *combine(Op::kMul, power, Polynomial::variable(ValueId(1)));
  CHECK_FALSE(combine(Op::kMul, power, Polynomial::variable(ValueId(1))));
}

TEST_CASE("coefficients wrap as i64 does") {
  const Polynomial largest = Polynomial::constant(INT64_MAX);
  CHECK(*combine(Op::kAdd, largest, Polynomial::constant(1)) == Polynomial::constant(INT64_MIN));
}

}  // namespace
}  // namespace halo::lower
