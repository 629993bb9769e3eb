// Intervals keep their promise, also of numbers at the ends of 64 bits. Values that code computes
// of corners of its operands lie in the result's interval.
#include "gpu/raise/intervals.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>

#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/prim/fold.h"

namespace halo::gpu {
namespace {

using namespace imp;
using prim::Op;

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();
const std::vector<int64_t> kEnds = {
    kLowest, kLowest + 1, -(1ll << 62), -(1ll << 32), -3,        -1,        0,         1,       2,
    62,      63,          64,           1 << 30,      1ll << 31, 1ll << 32, 1ll << 62, kHighest};
const std::vector<Op> kOps = {Op::kAdd,        Op::kSub,        Op::kMul,        Op::kMin,
                              Op::kMax,        Op::kAnd,        Op::kMachineDiv, Op::kMachineRem,
                              Op::kMachineShl, Op::kMachineShr, Op::kMachineLshr};

struct Range {
  int64_t lo, hi;  // both included
};

bool shifts(Op op) {
  return op == Op::kMachineShl || op == Op::kMachineShr || op == Op::kMachineLshr;
}

// The results of machine operations where they have any.
std::optional<int64_t> result(Op op, int64_t a, int64_t b) {
  if (shifts(op) && (b < 0 || b > 63)) return std::nullopt;
  if (op == Op::kMachineDiv && (b == 0 || (a == kLowest && b == -1))) return std::nullopt;
  if (op == Op::kMachineRem && (b == 0 || (a == kLowest && b == -1))) return std::nullopt;
  const Scalar args[2] = {Scalar::ofI64(a), Scalar::ofI64(b)};
  const prim::Folded folded = prim::fold(op, ScalarType::kI64, args);
  const auto* scalar = std::get_if<Scalar>(&folded);
  return scalar == nullptr ? std::nullopt : std::optional(scalar->asSigned());
}

// i op j of loops over both ranges; with itself, a third time.
void check(Op op, Range a, Range b) {
  Program program;
  Builder code(program);
  Operand once, twice;
  code.forLoop("i", Operand::ofI64(a.lo), Operand::ofI64(a.hi), [&](Operand i) {
    code.forLoop("j", Operand::ofI64(b.lo), Operand::ofI64(b.hi), [&](Operand j) {
      once = code.let("once", ScalarType::kI64, Prim{op, ScalarType::kI64, {i, j}});
      twice = code.let("twice", ScalarType::kI64, Prim{op, ScalarType::kI64, {once, j}});
    });
  });
  Function kernel;
  kernel.body = code.take();
  const Intervals intervals(program, kernel, 1);
  for (int64_t x : {a.lo, a.hi - 1}) {
    for (int64_t y : {b.lo, b.hi - 1}) {
      const std::optional<int64_t> first = result(op, x, y);
      const std::optional<int64_t> second = first ? result(op, *first, y) : std::nullopt;
      for (const auto& [operand, value] : {std::pair(once, first), std::pair(twice, second)}) {
        const std::optional<Interval> known = intervals.of(operand);
        if (!known || !value || (*value >= known->lo && *value <= known->hi)) continue;
        FAIL_CHECK(
            fmt::format("{} of {}..{} and {}..{}", prim::info(op).name, a.lo, a.hi, b.lo, b.hi));
      }
    }
  }
}

}  // namespace

TEST_CASE("intervals of operands at the ends of 64 bits") {
  std::vector<Range> ranges;
  for (int64_t lo : kEnds) {
    for (int64_t hi : kEnds) {
      if (lo < hi) ranges.push_back({lo, hi});
    }
  }
  for (Op op : kOps) {
    for (const Range& a : ranges) {
      for (const Range& b : ranges) check(op, a, b);
    }
  }
}

TEST_CASE("a number that lanes share out fits 32 bits") {
  // i = t * 256 + lane, for the trips t of each lane that `count` elements make.
  Program program;
  Builder code(program);
  const VarId count = program.addVar("count", ScalarType::kI64);
  Operand last;
  code.forLoop("lane", Operand::ofI64(0), Operand::ofI64(256), [&](Operand lane) {
    const Operand left = code.add(code.sub(count, lane), Operand::ofI64(255));
    const Operand trips = code.prim(Op::kMachineDiv, ScalarType::kI64,
                                    {code.max(left, Operand::ofI64(0)), Operand::ofI64(256)});
    code.forLoop("t", Operand::ofI64(0), trips,
                 [&](Operand t) { last = code.add(code.mul(t, Operand::ofI64(256)), lane); });
  });
  Function kernel;
  kernel.scalars = {count};
  kernel.body = code.take();
  CHECK(Intervals(program, kernel, kNarrowLimit).fits(last));
}

TEST_CASE("the first of a lane's consecutive elements fits 32 bits") {
  // lane * run, for runs of ceil(count / 256) elements. No sign of `count` is known.
  Program program;
  Builder code(program);
  const VarId count = program.addVar("count", ScalarType::kI64);
  Operand first;
  code.forLoop("lane", Operand::ofI64(0), Operand::ofI64(256), [&](Operand lane) {
    const Operand run = code.prim(Op::kMachineDiv, ScalarType::kI64,
                                  {code.add(count, Operand::ofI64(255)), Operand::ofI64(256)});
    first = code.mul(lane, run);
  });
  Function kernel;
  kernel.scalars = {count};
  kernel.body = code.take();
  CHECK(Intervals(program, kernel, kNarrowLimit).fits(first));
}

TEST_CASE("the coordinates of an element's number are no larger than the number") {
  // i = a * n + b, as code finds a and b: q = i / n, whole = q * n, b = i - whole.
  Program program;
  Builder code(program);
  const VarId n = program.addVar("n", ScalarType::kI64), i = program.addVar("i", ScalarType::kI64);
  const Operand q = code.prim(Op::kMachineDiv, ScalarType::kI64, {i, n});
  const Operand whole = code.mul(q, n), rest = code.sub(i, whole), other = code.mul(q, i);
  Function kernel;
  kernel.scalars = {n, i};
  kernel.body = code.take();
  const Intervals intervals(program, kernel, kNarrowLimit);
  CHECK(intervals.fits(whole));
  CHECK(intervals.fits(rest));
  CHECK(!intervals.fits(other));
}

}  // namespace halo::gpu
