// Raised divisions and roots, done here operation by operation with an `fma` that rounds once: the
// bits of C++ for every pair of operands. No device is needed, and none has such an `fma` in CI.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <random>
#include <unordered_map>

#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/prim/fold.h"

namespace halo::gpu {
namespace {

using namespace imp;
using prim::Op;
constexpr ScalarType kF32 = ScalarType::kF32;

// Straight code and branches over scalars.
class Evaluator {
 public:
  int off = 0;        // by how many ulp the device's inverse roots are
  int divisions = 0;  // that ran

  void set(VarId var, float value) { values_[var] = Scalar::ofFloat(kF32, value); }
  float get(VarId var) const { return static_cast<float>(values_.at(var).asDouble()); }

  void run(const Block& block) {
    for (const Stm& stm : block) {
      if (const auto* let = std::get_if<Let>(&stm.node)) {
        const auto* op = std::get_if<Prim>(&let->expr);
        divisions += op != nullptr && op->op == Op::kDiv ? 1 : 0;
        values_[let->var] = valueOf(let->expr);
      } else if (const auto* declared = std::get_if<Declare>(&stm.node)) {
        values_[declared->var] = valueOf(declared->initial);
      } else if (const auto* assigned = std::get_if<Assign>(&stm.node)) {
        values_[assigned->var] = valueOf(assigned->value);
      } else if (const auto* branch = std::get_if<If>(&stm.node)) {
        run(valueOf(branch->condition).asBool() ? branch->then_block : branch->else_block);
      } else {
        FAIL("a statement that no division needs");
      }
    }
  }

 private:
  Scalar valueOf(const Operand& operand) const {
    return operand.isConstant() ? operand.constant : values_.at(operand.var);
  }
  Scalar valueOf(const Expr& expr) const {
    if (const auto* op = std::get_if<Prim>(&expr)) {
      std::vector<Scalar> args;
      for (const Operand& arg : op->args) args.push_back(valueOf(arg));
      if (op->op == Op::kPow) return inverseRoot(args[0].asDouble());
      return std::get<Scalar>(prim::fold(op->op, op->type, args));
    }
    if (const auto* fused = std::get_if<Fma>(&expr)) {
      auto number = [&](const Operand& operand) {
        return static_cast<float>(valueOf(operand).asDouble());
      };
      return Scalar::ofFloat(kF32, std::fma(number(fused->a), number(fused->b), number(fused->c)));
    }
    if (const auto* convert = std::get_if<Convert>(&expr)) {
      return prim::convert(convert->kind, convert->to, valueOf(convert->arg));
    }
    const auto& select = std::get<Select>(expr);
    return valueOf(valueOf(select.condition).asBool() ? select.on_true : select.on_false);
  }

  Scalar inverseRoot(double x) const {
    auto bits = std::bit_cast<int32_t>(static_cast<float>(1 / std::sqrt(x)));
    return Scalar::ofFloat(kF32, std::bit_cast<float>(bits + off));
  }

  std::unordered_map<VarId, Scalar> values_;
};

bool isSame(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

// Two dividends by one divisor, which is known before both.
struct SharedDivisor {
  Program program;
  Function kernel;
  VarId a, b, d, first, second;

  SharedDivisor() {
    Builder code(program);
    a = program.addVar("a", kF32);
    b = program.addVar("b", kF32);
    d = program.addVar("d", kF32);
    kernel.kind = FunctionKind::kKernel;
    kernel.scalars = {a, b, d};
    first = code.prim(Op::kDiv, kF32, {a, d}).var;
    second = code.prim(Op::kDiv, kF32, {b, d}).var;
    kernel.body = code.take();
    kernel = exactDivision(program, kernel, {.fuses_f32 = true});
  }

  // How many divisions of the device ran.
  int check(float x, float y, float divisor) {
    Evaluator evaluator;
    evaluator.set(a, x);
    evaluator.set(b, y);
    evaluator.set(d, divisor);
    evaluator.run(kernel.body);
    INFO(x, " and ", y, " by ", divisor);
    CHECK(isSame(evaluator.get(first), x / divisor));
    CHECK(isSame(evaluator.get(second), y / divisor));
    return evaluator.divisions;
  }
};

// Divisors that one division has, known or not.
struct OwnDivisor {
  Program program;
  Function kernel;
  VarId a, d, quotient, by_seven, by_minus_three, of_five;

  OwnDivisor() {
    Builder code(program);
    a = program.addVar("a", kF32);
    d = program.addVar("d", kF32);
    kernel.kind = FunctionKind::kKernel;
    kernel.scalars = {a, d};
    const auto number = [](float x) { return Operand(Scalar::ofFloat(kF32, x)); };
    quotient = code.prim(Op::kDiv, kF32, {a, d}).var;
    by_seven = code.prim(Op::kDiv, kF32, {a, number(7)}).var;
    by_minus_three = code.prim(Op::kDiv, kF32, {a, number(-3)}).var;
    const VarId again = program.addVar("again", kF32);
    code.append(Let{again, Convert{prim::ConvertKind::kBits, kF32, kF32, d}});
    of_five = code.prim(Op::kDiv, kF32, {number(5), again}).var;
    kernel.body = code.take();
    kernel = exactDivision(program, kernel, {.fuses_f32 = true});
  }

  void check(float x, float divisor) {
    Evaluator evaluator;
    evaluator.set(a, x);
    evaluator.set(d, divisor);
    evaluator.run(kernel.body);
    INFO(x, " by ", divisor);
    CHECK(isSame(evaluator.get(quotient), x / divisor));
    CHECK(isSame(evaluator.get(by_seven), x / 7));
    CHECK(isSame(evaluator.get(by_minus_three), x / -3));
    CHECK(isSame(evaluator.get(of_five), 5 / divisor));
  }
};

uint64_t inverseModulo2To64(uint64_t odd) {
  uint64_t inverse = odd;
  for (int i = 0; i < 6; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}

// Dividends whose quotient by an odd d of 24 bits lies as near as `rest` / 2^25 d to the middle
// between two floats. X * 2^25 = M * d + rest with an odd M of 25 bits.
std::vector<float> hardDividends(uint64_t d, int64_t rest) {
  std::vector<float> dividends;
  for (int bits : {24, 25}) {
    const uint64_t mask = (uint64_t{1} << bits) - 1;
    uint64_t middle = (static_cast<uint64_t>(-rest) * inverseModulo2To64(d)) & mask;
    if (bits == 24) middle += uint64_t{1} << 24;
    if (middle < (1U << 24) || middle % 2 == 0) continue;
    const uint64_t dividend = (middle * d + static_cast<uint64_t>(rest)) >> bits;
    if (dividend >= (1U << 23) && dividend < (1U << 24)) {
      dividends.push_back(static_cast<float>(dividend));
    }
  }
  return dividends;
}

// s = sqrt x;  t = 1 / s
struct RootAndInverse {
  Program program;
  Function kernel;
  VarId x, root, inverse;

  RootAndInverse() {
    Builder code(program);
    x = program.addVar("x", kF32);
    kernel.kind = FunctionKind::kKernel;
    kernel.scalars = {x};
    root = code.prim(Op::kSqrt, kF32, {x}).var;
    inverse = code.prim(Op::kDiv, kF32, {Scalar::ofFloat(kF32, 1), root}).var;
    kernel.body = code.take();
    kernel = exactDivision(program, kernel, {.fuses_f32 = true});
  }

  void check(float of) {
    for (int off = -3; off <= 3; ++off) {
      Evaluator evaluator;
      evaluator.off = off;
      evaluator.set(x, of);
      evaluator.run(kernel.body);
      INFO("of ", of, " from an inverse root off by ", off);
      CHECK(isSame(evaluator.get(root), std::sqrt(of)));
      CHECK(isSame(evaluator.get(inverse), 1 / std::sqrt(of)));
    }
  }
};

}  // namespace

TEST_CASE("roots and their inverses, from inverse roots that are off") {
  RootAndInverse both;
  // Near the middle between two floats: one step is not enough for these. Then digits of the root
  // that are all ones.
  for (float x : {0x1.24b0b2p+0F, 0x1.52f7dep+0F, 0x1.76c3eep+0F, 0x1.9b5d64p+0F, 0x1.a8cb02p+0F,
                  0x1.c32e5ap+0F, 0x1.de6d74p+0F, 0x1.32b20ap+1F, 0x1.3737a2p+1F, 0x1.48e7a8p+1F,
                  0x1.fffffep+1F, 0x1.fffffcp+1F, 0x1.fffffap+1F, 0x1p0F, 0x1p1F, 0x1.fffffep0F}) {
    for (int scale : {-60, -2, 0, 58}) both.check(std::ldexp(x, scale));
  }
  for (float x : {0.0F, -0.0F, -1.0F, 0x1p-149F, 0x1p127F, 0x1.8p60F, INFINITY, NAN}) both.check(x);
  for (uint32_t k = 0; k < (1U << 24); k += 60013)
    both.check(std::bit_cast<float>(0x3f800000U + k));
}

TEST_CASE("quotients by a divisor, known before or not, near the middle between two floats") {
  SharedDivisor shared;
  OwnDivisor own;
  size_t hard = 0;
  for (uint64_t d = (1U << 23) + 1; d < (1U << 24); d += 65518) {
    for (int64_t rest = -7; rest <= 7; rest += 2) {
      for (float dividend : hardDividends(d, rest)) {
        const float divisor = std::ldexp(static_cast<float>(d), static_cast<int>(d % 90) - 45);
        shared.check(dividend, -std::ldexp(dividend, 30), divisor);
        own.check(dividend, -divisor);
        ++hard;
      }
    }
  }
  CHECK(hard > 100);
}

TEST_CASE("quotients by a divisor, known before or not, of any size and sign") {
  SharedDivisor shared;
  OwnDivisor own;
  std::mt19937 random(5);
  std::vector<float> edges = {0.0F,      -0.0F,     1.0F,      -3.0F,    0x1p-60F,
                              0x1p60F,   0x1.8p60F, 0x1p-61F,  0x1p127F, 0x1p-126F,
                              0x1p-149F, INFINITY,  -INFINITY, NAN,      0x1.fffffep3F};
  for (float x : edges) {
    for (float divisor : edges) shared.check(x, 5.0F, divisor), own.check(x, divisor);
  }
  for (int k = 0; k < 3000; ++k) {
    auto any = [&] { return std::bit_cast<float>(static_cast<uint32_t>(random())); };
    shared.check(any(), any(), any());
    own.check(any(), any());
  }
}

TEST_CASE("zeros and NaN are divided by the inverse of a usual divisor") {
  SharedDivisor shared;
  for (float special : {0.0F, -0.0F, NAN}) {
    for (float divisor : {3.0F, -0x1.4p-50F, 0x1p60F}) {
      CHECK(shared.check(special, 5.0F, divisor) == 1);  // of the inverse
      CHECK(shared.check(special, special, divisor) == 1);
    }
  }
  for (float other : {0x1p-100F, INFINITY}) CHECK(shared.check(other, 5.0F, 3.0F) == 3);
}

}  // namespace halo::gpu
