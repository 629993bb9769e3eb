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

class ShortDivision {
 public:
  ShortDivision(Builder& code, const Prim& prim, bool has_exact)
      : code_(code),
        prim_(prim),
        has_exact_(has_exact),
        a_(converted(code, prim.type, kU64, prim.args[0])),
        b_(converted(code, prim.type, kU64, prim.args[1])) {}

  void run(VarId var) {
    result_ = code_.declare("quotient", prim_.type, prim::zero(prim_.type));
    code_.ifThenElse(
        isBelow(code_.prim(Op::kOr, kU64, {a_, b_}), 32), [&] { in32Bits(); },
        [&] {
          if (!has_exact_) return wide();
          code_.ifThenElse(
              fitsDouble(), [&] { inDouble(); }, [&] { wide(); });
        });
    code_.append(Let{var, Prim{Op::kOr, prim_.type, {result_, prim::zero(prim_.type)}}});
  }

 private:
  Operand shifted(const Operand& value, uint64_t bits) {
    return code_.prim(Op::kMachineLshr, kU64, {value, Scalar::ofUnsigned(kU64, bits)});
  }
  // 2^bits.
  Operand isBelow(const Operand& value, uint64_t bits) {
    return code_.prim(Op::kEq, kU64, {shifted(value, bits), prim::zero(kU64)});
  }
  // The dividend is below 2^53, the divisor below 2^63: neither is negative.
  Operand fitsDouble() { return isBelow(code_.prim(Op::kOr, kU64, {a_, shifted(b_, 10)}), 53); }

  void in32Bits() {
    const Operand low_a = converted(code_, kU64, kU32, a_);
    const Operand low_b = converted(code_, kU64, kU32, b_);
    const Operand low = code_.prim(prim_.op, kU32, {low_a, low_b});
    code_.assign(result_, converted(code_, kU32, prim_.type, low));
  }

  // An a below 2^53 is exact. With k above a / b, k - a / b is at least 1 / b. That is more than
  // half of the distance between floats near k, so the rounded quotient stays below k.
  void inDouble() {
    const Operand ratio = code_.prim(
        Op::kDiv, kF64, {converted(code_, kU64, kF64, a_), converted(code_, kU64, kF64, b_)});
    Operand made = code_.let("t", kU64, Convert{ConvertKind::kMachine, kF64, kU64, ratio});
    if (prim_.op == Op::kMachineRem) {
      made = code_.prim(Op::kSub, kU64, {a_, code_.prim(Op::kMul, kU64, {made, b_})});
    }
    code_.assign(result_, converted(code_, kU64, prim_.type, made));
  }

  void wide() { code_.assign(result_, code_.let("t", prim_.type, prim_)); }

  Builder& code_;
  const Prim& prim_;
  bool has_exact_;
  Operand a_, b_;
  VarId result_;
};

}  // namespace

Function tryShortDivision(Program& program, const Function& kernel, const Target& target) {
  const bool has_exact = !target.divides_64_bits && target.float64 && target.int64;
  Function result = kernel;
  result.body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    const Prim* prim = wideDivision(stm);
    // A compiler multiplies by the inverse of a constant.
    const bool is_worth = prim != nullptr && !prim->args[1].isConstant();
    if (!is_worth) return out.push_back(std::move(stm));
    Builder code(program);
    ShortDivision(code, *prim, has_exact).run(std::get<Let>(stm.node).var);
    for (Stm& made : code.take()) out.push_back(std::move(made));
  });
  return result;
}

}  // namespace halo::gpu
