// Division of 64-bit integers through f64, in two steps that never exceed the quotient:
//
//   q = u64(f64 a * s / f64 b);   r = a - q * b        s = 1 - 2^-50 outweighs four roundings,
//   p = u64(f64 r * s / f64 b);   t = r - p * b        so q <= a / b and r <= b + 1.5 * 2^14
//   t >= b ? (q + p + 1, t - b) : (q + p, t)           t < 2 * b
//
// Signed operands by their magnitudes: |a| = (a ^ sign) - sign, where sign is 0 or -1.
#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

const Prim* wideDivision(const Stm& stm) {
  const Prim* prim = boundAs<Prim>(stm);
  const bool divides =
      prim != nullptr && (prim->op == Op::kMachineDiv || prim->op == Op::kMachineRem);
  return divides && prim::bitWidth(prim->type) == 64 ? prim : nullptr;
}

namespace {

using enum prim::ScalarType;

class Divider {
 public:
  explicit Divider(Builder& code) : code_(code) {}

  // Of u64: the quotient or the remainder.
  Operand divide(Operand a, Operand b, bool wants_quotient) {
    Operand divisor = convert(kU64, kF64, b);
    Operand q = estimate(a, divisor);
    Operand r = op(Op::kSub, a, op(Op::kMul, q, b));
    Operand p = estimate(r, divisor);
    Operand t = op(Op::kSub, r, op(Op::kMul, p, b));
    Operand again = code_.prim(Op::kGe, kU64, {t, b});
    if (!wants_quotient) return code_.let("rest", kU64, Select{again, op(Op::kSub, t, b), t});
    Operand both = op(Op::kAdd, q, p);
    Operand more = op(Op::kAdd, both, Scalar::ofUnsigned(kU64, 1));
    return code_.let("quotient", kU64, Select{again, more, both});
  }

  Operand divideSigned(Operand a, Operand b, bool wants_quotient) {
    Operand a_sign = signOf(a);
    Operand b_sign = signOf(b);
    Operand a_size = withSign(convert(kI64, kU64, a), a_sign);
    Operand b_size = withSign(convert(kI64, kU64, b), b_sign);
    Operand size = divide(a_size, b_size, wants_quotient);
    Operand sign = wants_quotient ? op(Op::kXor, a_sign, b_sign) : a_sign;
    return withSign(size, sign);
  }

 private:
  Operand op(Op op, Operand a, Operand b) { return code_.prim(op, kU64, {a, b}); }
  Operand convert(ScalarType from, ScalarType to, Operand value,
                  ConvertKind kind = ConvertKind::kValue) {
    return code_.let("t", to, Convert{kind, from, to, value});
  }
  Operand estimate(Operand dividend, Operand divisor) {
    Operand number = convert(kU64, kF64, dividend);
    Operand less = code_.prim(Op::kMul, kF64, {number, Scalar::ofF64(1 - 0x1p-50)});
    Operand quotient = code_.prim(Op::kDiv, kF64, {less, divisor});
    return convert(kF64, kU64, quotient, ConvertKind::kMachine);
  }
  // All bits set if negative.
  Operand signOf(Operand value) {
    Operand sign = code_.prim(Op::kMachineShr, kI64, {value, Operand::ofI64(63)});
    return convert(kI64, kU64, sign);
  }
  Operand withSign(Operand value, Operand sign) {
    Operand flipped = op(Op::kXor, value, sign);
    return op(Op::kSub, flipped, sign);
  }

  Builder& code_;
};

}  // namespace

Function splitWideDivision(Program& program, const Function& kernel, const Target& target) {
  Function result = kernel;
  if (target.divides_64_bits || !target.float64 || !target.int64) return result;
  result.body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    const Prim* prim = wideDivision(stm);
    if (prim == nullptr) {
      out.push_back(std::move(stm));
      return;
    }
    Builder code(program);
    Divider divider(code);
    VarId var = std::get<Let>(stm.node).var;
    bool wants_quotient = prim->op == Op::kMachineDiv;
    Operand made = prim->type == kI64
                       ? divider.divideSigned(prim->args[0], prim->args[1], wants_quotient)
                       : divider.divide(prim->args[0], prim->args[1], wants_quotient);
    code.append(Let{var, Convert{ConvertKind::kValue, kU64, prim->type, made}});
    for (Stm& made_stm : code.take()) out.push_back(std::move(made_stm));
  });
  return result;
}

}  // namespace halo::gpu
