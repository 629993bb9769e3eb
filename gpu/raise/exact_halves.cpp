// f64 to f16 by way of f32 rounded to odd. An inexact f32 with its last bit set is never halfway
// between two halves, so the second rounding sees which side the f64 was on.
//
//   y = f32 x;  bits of y;  if |f64 y| > |x| { bits - 1 };  if f64 y != x { bits | 1 }
#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

using enum prim::ScalarType;

const Convert* doubleToHalf(const Stm& stm) {
  const Convert* convert = boundAs<Convert>(stm);
  bool found = convert != nullptr && convert->from == kF64 && convert->to == kF16;
  return found ? convert : nullptr;
}

Operand convert(Builder& code, ConvertKind kind, ScalarType from, ScalarType to, Operand value) {
  return code.let("t", to, Convert{kind, from, to, value});
}

// NaNs and exact values compare such that they stay as they are.
Operand roundedToOdd(Builder& code, Operand x) {
  Operand y = convert(code, ConvertKind::kValue, kF64, kF32, x);
  Operand back = convert(code, ConvertKind::kValue, kF32, kF64, y);
  Operand x_size = code.prim(Op::kAbs, kF64, {x});
  Operand y_size = code.prim(Op::kAbs, kF64, {back});
  Operand bits = convert(code, ConvertKind::kBits, kF32, kU32, y);
  Operand less = code.prim(Op::kSub, kU32, {bits, Scalar::ofUnsigned(kU32, 1)});
  Operand above = code.prim(Op::kGt, kF64, {y_size, x_size});
  Operand below = code.prim(Op::kLt, kF64, {y_size, x_size});
  Operand down = code.let("t", kU32, Select{above, less, bits});
  Operand odd = code.prim(Op::kOr, kU32, {down, Scalar::ofUnsigned(kU32, 1)});
  Operand inexact = code.prim(Op::kOr, ScalarType::kBool, {above, below});
  Operand result = code.let("t", kU32, Select{inexact, odd, bits});
  return convert(code, ConvertKind::kBits, kU32, kF32, result);
}

}  // namespace

Function exactHalves(Program& program, const Function& kernel) {
  Function result = kernel;
  result.body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    const Convert* wide = doubleToHalf(stm);
    if (wide == nullptr) {
      out.push_back(std::move(stm));
      return;
    }
    Builder code(program);
    Operand odd = roundedToOdd(code, wide->arg);
    VarId var = std::get<Let>(stm.node).var;
    code.append(Let{var, Convert{ConvertKind::kValue, kF32, kF16, odd}});
    for (Stm& made : code.take()) out.push_back(std::move(made));
  });
  return result;
}

}  // namespace halo::gpu
