// Most 64-bit dividends and divisors are indices and sizes below 2^32, which no type says: both are
// tested together, and a division of 32 bits does.
#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

using enum prim::ScalarType;

Operand converted(Builder& code, ScalarType from, ScalarType to, const Operand& value) {
  if (from == to) return value;
  return code.let("t", to, Convert{ConvertKind::kValue, from, to, value});
}

void divide(Builder& code, VarId var, const Prim& prim) {
  const Operand a = converted(code, prim.type, kU64, prim.args[0]);
  const Operand b = converted(code, prim.type, kU64, prim.args[1]);
  const Operand both = code.prim(Op::kOr, kU64, {a, b});
  const Operand high = code.prim(Op::kMachineLshr, kU64, {both, Scalar::ofUnsigned(kU64, 32)});
  const Operand is_short = code.prim(Op::kEq, kU64, {high, prim::zero(kU64)});
  const VarId result = code.declare("quotient", prim.type, prim::zero(prim.type));
  code.ifThenElse(
      is_short,
      [&] {
        const Operand low_a = converted(code, kU64, kU32, a);
        const Operand low_b = converted(code, kU64, kU32, b);
        const Operand low = code.prim(prim.op, kU32, {low_a, low_b});
        code.assign(result, converted(code, kU32, prim.type, low));
      },
      [&] { code.assign(result, code.let("t", prim.type, prim)); });
  code.append(Let{var, Prim{Op::kOr, prim.type, {result, prim::zero(prim.type)}}});
}

}  // namespace

Function tryShortDivision(Program& program, const Function& kernel) {
  Function result = kernel;
  result.body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    const Prim* prim = wideDivision(stm);
    // A compiler multiplies by the inverse of a constant.
    const bool is_worth = prim != nullptr && !prim->args[1].isConstant();
    if (!is_worth) return out.push_back(std::move(stm));
    Builder code(program);
    divide(code, std::get<Let>(stm.node).var, *prim);
    for (Stm& made : code.take()) out.push_back(std::move(made));
  });
  return result;
}

}  // namespace halo::gpu
