// Algebra as data: one row, one rule. Float rows keep every bit, also of NaN and -0: x + 0 is not
// x (-0 + 0 = 0), but x - 0 is. Some rows keep values, but not derivatives (prim/partials.h): that
// of `x & x` follows the bits of x, and that of `x && true` is the one of `true`.
#include <array>

#include "lang/passes/simplify/simplify_parts.h"

namespace halo::passes {
namespace {

using core::Operand;
using core::Scalar;
using prim::Op;
using prim::ScalarType;

enum class At { kInt, kFloat, kNumber, kBool, kIntBool, kAny };
enum class Pattern { kXZero, kZeroX, kXOne, kOneX, kXOnes, kOnesX, kXMinusZero, kMinusZeroX, kXX };
enum class Result { kX, kZero, kOne, kOnes, kTrue, kFalse };

enum class Keeps { kDerivatives, kValues };

struct Row {
  Op op;
  At at;
  Pattern pattern;
  Result result;
  Keeps keeps = Keeps::kDerivatives;
};

// kOnes: all bits set, `true` for a bool.
constexpr Row kRows[] = {
    {Op::kAdd, At::kInt, Pattern::kXZero, Result::kX},
    {Op::kAdd, At::kInt, Pattern::kZeroX, Result::kX},
    {Op::kAdd, At::kFloat, Pattern::kXMinusZero, Result::kX},
    {Op::kAdd, At::kFloat, Pattern::kMinusZeroX, Result::kX},
    {Op::kSub, At::kNumber, Pattern::kXZero, Result::kX},
    {Op::kSub, At::kInt, Pattern::kXX, Result::kZero},
    {Op::kMul, At::kNumber, Pattern::kXOne, Result::kX},
    {Op::kMul, At::kNumber, Pattern::kOneX, Result::kX},
    {Op::kMul, At::kInt, Pattern::kXZero, Result::kZero},
    {Op::kMul, At::kInt, Pattern::kZeroX, Result::kZero},
    {Op::kDiv, At::kNumber, Pattern::kXOne, Result::kX},
    {Op::kQuot, At::kInt, Pattern::kXOne, Result::kX},
    {Op::kMachineDiv, At::kInt, Pattern::kXOne, Result::kX},
    {Op::kMod, At::kInt, Pattern::kXOne, Result::kZero},
    {Op::kRem, At::kInt, Pattern::kXOne, Result::kZero},
    {Op::kMachineRem, At::kInt, Pattern::kXOne, Result::kZero},
    {Op::kPow, At::kInt, Pattern::kXOne, Result::kX},
    {Op::kPow, At::kInt, Pattern::kXZero, Result::kOne},
    {Op::kMin, At::kNumber, Pattern::kXX, Result::kX},
    {Op::kMax, At::kNumber, Pattern::kXX, Result::kX},
    {Op::kAnd, At::kIntBool, Pattern::kXZero, Result::kZero},
    {Op::kAnd, At::kIntBool, Pattern::kZeroX, Result::kZero},
    {Op::kAnd, At::kInt, Pattern::kXOnes, Result::kX},
    {Op::kAnd, At::kBool, Pattern::kXOnes, Result::kX, Keeps::kValues},
    {Op::kAnd, At::kIntBool, Pattern::kOnesX, Result::kX},
    {Op::kAnd, At::kIntBool, Pattern::kXX, Result::kX, Keeps::kValues},
    {Op::kOr, At::kInt, Pattern::kXZero, Result::kX},
    {Op::kOr, At::kBool, Pattern::kXZero, Result::kX, Keeps::kValues},
    {Op::kOr, At::kIntBool, Pattern::kZeroX, Result::kX},
    {Op::kOr, At::kIntBool, Pattern::kXOnes, Result::kOnes},
    {Op::kOr, At::kIntBool, Pattern::kOnesX, Result::kOnes},
    {Op::kOr, At::kIntBool, Pattern::kXX, Result::kX, Keeps::kValues},
    {Op::kXor, At::kInt, Pattern::kXZero, Result::kX},
    {Op::kXor, At::kInt, Pattern::kZeroX, Result::kX},
    {Op::kXor, At::kBool, Pattern::kXZero, Result::kX, Keeps::kValues},
    {Op::kXor, At::kBool, Pattern::kZeroX, Result::kX, Keeps::kValues},
    {Op::kXor, At::kIntBool, Pattern::kXX, Result::kZero, Keeps::kValues},
    {Op::kShl, At::kInt, Pattern::kXZero, Result::kX},
    {Op::kShr, At::kInt, Pattern::kXZero, Result::kX},
    {Op::kLshr, At::kInt, Pattern::kXZero, Result::kX},
    {Op::kMachineShl, At::kInt, Pattern::kXZero, Result::kX},
    {Op::kMachineShr, At::kInt, Pattern::kXZero, Result::kX},
    {Op::kMachineLshr, At::kInt, Pattern::kXZero, Result::kX},
    {Op::kEq, At::kIntBool, Pattern::kXX, Result::kTrue},
    {Op::kNe, At::kIntBool, Pattern::kXX, Result::kFalse},
    {Op::kLe, At::kIntBool, Pattern::kXX, Result::kTrue},
    {Op::kGe, At::kIntBool, Pattern::kXX, Result::kTrue},
    {Op::kLt, At::kAny, Pattern::kXX, Result::kFalse},
    {Op::kGt, At::kAny, Pattern::kXX, Result::kFalse},
    {Op::kEq, At::kBool, Pattern::kXOnes, Result::kX, Keeps::kValues},
    {Op::kEq, At::kBool, Pattern::kOnesX, Result::kX, Keeps::kValues},
    {Op::kNe, At::kBool, Pattern::kXZero, Result::kX, Keeps::kValues},
    {Op::kNe, At::kBool, Pattern::kZeroX, Result::kX, Keeps::kValues},
};

bool isAt(At at, ScalarType type) {
  switch (at) {
    case At::kInt:
      return prim::isInteger(type);
    case At::kFloat:
      return prim::isFloat(type);
    case At::kNumber:
      return prim::isNumber(type);
    case At::kBool:
      return type == ScalarType::kBool;
    case At::kIntBool:
      return !prim::isFloat(type);
    case At::kAny:
      return true;
  }
  HALO_UNREACHABLE("unknown row");
}

Scalar one(ScalarType type) {
  if (prim::isFloat(type)) return Scalar::ofFloat(type, 1.0);
  return type == ScalarType::kBool ? Scalar::ofBool(true) : Scalar::ofUnsigned(type, 1);
}
Scalar ones(ScalarType type) {
  return type == ScalarType::kBool ? Scalar::ofBool(true) : Scalar::ofUnsigned(type, ~uint64_t{0});
}

bool is(const Operand& operand, Scalar scalar) {
  return operand.isConstant() && operand.constant == scalar;
}

// Which operand is x, or nothing when the pattern does not fit.
std::optional<Operand> fits(Pattern pattern, ScalarType type, const Operand& a, const Operand& b) {
  auto when = [](bool good, const Operand& x) { return good ? std::optional(x) : std::nullopt; };
  bool can_be_minus = prim::isFloat(type);
  switch (pattern) {
    case Pattern::kXZero:
      return when(is(b, prim::zero(type)), a);
    case Pattern::kZeroX:
      return when(is(a, prim::zero(type)), b);
    case Pattern::kXOne:
      return when(is(b, one(type)), a);
    case Pattern::kOneX:
      return when(is(a, one(type)), b);
    case Pattern::kXOnes:
      return when(is(b, ones(type)), a);
    case Pattern::kOnesX:
      return when(is(a, ones(type)), b);
    case Pattern::kXMinusZero:
      return when(can_be_minus && is(b, Scalar::ofFloat(type, -0.0)), a);
    case Pattern::kMinusZeroX:
      return when(can_be_minus && is(a, Scalar::ofFloat(type, -0.0)), b);
    case Pattern::kXX:
      return when(a == b, a);
  }
  HALO_UNREACHABLE("unknown pattern");
}

Operand resultOf(Result result, ScalarType type, const Operand& x) {
  switch (result) {
    case Result::kX:
      return x;
    case Result::kZero:
      return prim::zero(type);
    case Result::kOne:
      return one(type);
    case Result::kOnes:
      return ones(type);
    case Result::kTrue:
      return Scalar::ofBool(true);
    case Result::kFalse:
      return Scalar::ofBool(false);
  }
  HALO_UNREACHABLE("unknown result");
}

}  // namespace

std::optional<Operand> algebra(const core::PrimOp& op, bool keeps_derivatives) {
  if (op.args.size() != 2) return std::nullopt;
  for (const Row& row : kRows) {
    if (row.op != op.op || !isAt(row.at, op.type)) continue;
    if (keeps_derivatives && row.keeps == Keeps::kValues) continue;
    if (auto x = fits(row.pattern, op.type, op.args[0], op.args[1])) {
      return resultOf(row.result, op.type, *x);
    }
  }
  return std::nullopt;
}

}  // namespace halo::passes
