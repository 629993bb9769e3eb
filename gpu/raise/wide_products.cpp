// mul_hi of 64-bit integers by halves of 32 bits.
//
//   a = ah:al, b = bh:bl;  m = ah*bl + (al*bl >> 32);  n = al*bh + low(m)
//   high half = ah*bh + (m >> 32) + (n >> 32)          no sum exceeds 64 bits
//
// Read as signed, a negative a stands for a - 2^64, which takes b off the high half; b likewise.
#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

using enum prim::ScalarType;

const Prim* wideProduct(const Stm& stm) {
  const Prim* prim = boundAs<Prim>(stm);
  bool is_wide = prim != nullptr && prim->op == Op::kMulHi && prim::bitWidth(prim->type) == 64;
  return is_wide ? prim : nullptr;
}

class Halves {
 public:
  explicit Halves(Builder& code) : code_(code) {}

  // The high half of the product, u64.
  Operand multiply(Operand a, Operand b) {
    Operand al = low(a), ah = high(a), bl = low(b), bh = high(b);
    Operand lowest = high(op(Op::kMul, al, bl));
    Operand m = op(Op::kAdd, op(Op::kMul, ah, bl), lowest);
    Operand m_low = low(m);
    Operand n = op(Op::kAdd, op(Op::kMul, al, bh), m_low);
    Operand m_high = high(m);
    Operand n_high = high(n);
    Operand carried = op(Op::kAdd, m_high, n_high);
    return op(Op::kAdd, op(Op::kMul, ah, bh), carried);
  }

  Operand multiplySigned(Operand a, Operand b) {
    Operand ua = asUnsigned(a);
    Operand ub = asUnsigned(b);
    Operand product = multiply(ua, ub);
    product = op(Op::kSub, product, whereNegative(a, ub));
    return op(Op::kSub, product, whereNegative(b, ua));
  }

 private:
  static Operand number(uint64_t value) { return Scalar::ofUnsigned(kU64, value); }
  Operand op(Op op, Operand a, Operand b) { return code_.prim(op, kU64, {a, b}); }
  Operand low(Operand a) { return op(Op::kAnd, a, number(0xffffffffu)); }
  Operand high(Operand a) { return op(Op::kMachineLshr, a, number(32)); }
  Operand asUnsigned(Operand a) {
    return code_.let("bits", kU64, Convert{ConvertKind::kValue, kI64, kU64, a});
  }
  Operand whereNegative(Operand sign_of, Operand value) {
    Operand negative = code_.prim(Op::kLt, kI64, {sign_of, Operand::ofI64(0)});
    return code_.let("t", kU64, Select{negative, value, number(0)});
  }

  Builder& code_;
};

}  // namespace

Function splitWideProducts(Program& program, const Function& kernel) {
  Function result = kernel;
  result.body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    const Prim* prim = wideProduct(stm);
    if (prim == nullptr) {
      out.push_back(std::move(stm));
      return;
    }
    Builder code(program);
    Halves halves(code);
    VarId var = std::get<Let>(stm.node).var;
    bool is_signed = prim->type == kI64;
    Operand high = is_signed ? halves.multiplySigned(prim->args[0], prim->args[1])
                             : halves.multiply(prim->args[0], prim->args[1]);
    code.append(Let{var, Convert{ConvertKind::kValue, kU64, prim->type, high}});
    for (Stm& made : code.take()) out.push_back(std::move(made));
  });
  return result;
}

}  // namespace halo::gpu
