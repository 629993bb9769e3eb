// In integer arithmetic: comparisons with NaN are not to be relied on (reliability.md#traps).
#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

struct Layout {
  ScalarType bits;
  uint64_t sign, infinity, nan;
};

Layout layoutOf(ScalarType type) {
  if (type == ScalarType::kF16) return {ScalarType::kU16, 0x8000, 0x7c00, 0x7e00};
  if (type == ScalarType::kF32) return {ScalarType::kU32, 0x80000000, 0x7f800000, 0x7fc00000};
  return {ScalarType::kU64, uint64_t{1} << 63, uint64_t{0x7ff} << 52, uint64_t{0xfff} << 51};
}

const Prim* divisionOfZero(const Stm& stm) {
  const Prim* prim = boundAs<Prim>(stm);
  const bool divides = prim != nullptr && prim->op == Op::kDiv && prim::isFloat(prim->type);
  if (!divides || !prim->args[0].isConstant() || prim->args[1].isConstant()) return nullptr;
  const uint64_t size = prim->args[0].constant.bits & ~layoutOf(prim->type).sign;
  return size == 0 ? prim : nullptr;
}

// The sign of the divisor and the dividend; of 1 to infinity, the bits of a divisor are 1 to those
// of infinity.
Expr quotient(Builder& code, const Prim& division) {
  const Layout layout = layoutOf(division.type);
  auto bits = [&](Op op, const Operand& a, uint64_t b) {
    return code.prim(op, layout.bits, {a, Operand(prim::Scalar::fromBits(layout.bits, b))});
  };
  const Operand divisor =
      code.let("bits", layout.bits,
               Convert{ConvertKind::kBits, division.type, layout.bits, division.args[1]});
  const Operand size = bits(Op::kAnd, divisor, layout.sign - 1);
  const Operand is_number = code.prim(
      Op::kLt, layout.bits,
      {bits(Op::kSub, size, 1), Operand(prim::Scalar::fromBits(layout.bits, layout.infinity))});
  Operand sign = bits(Op::kAnd, divisor, layout.sign);
  if (division.args[0].constant.bits != 0) sign = bits(Op::kXor, sign, layout.sign);
  const Operand nan(prim::Scalar::fromBits(layout.bits, layout.nan));
  const Operand all = code.let("bits", layout.bits, Select{is_number, sign, nan});
  return Convert{ConvertKind::kBits, layout.bits, division.type, all};
}

}  // namespace

Function divideZeros(Program& program, const Function& kernel) {
  Function result = kernel;
  result.body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    if (const Prim* division = divisionOfZero(stm)) {
      Builder code(program);
      const VarId var = std::get<Let>(stm.node).var;
      code.append(Let{var, quotient(code, *division)});
      for (Stm& made : code.take()) out.push_back(std::move(made));
      return;
    }
    out.push_back(std::move(stm));
  });
  return result;
}

}  // namespace halo::gpu
