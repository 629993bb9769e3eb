// f32 `/` and sqrt through f64, those of f16 through f32. Doubles are slow to convert to and from,
// so where `fma` rounds once, numbers of usual size are done in f32 (P. Markstein, IA-64 and
// Elementary Functions, 2000): a reciprocal y of b that is made better once, then a quotient that
// is made better twice by the exact rest that it leaves,
//
//   y = 1 / b;  y = y + y * (1 - b * y);  q = a * y;  q = q + y * (a - b * q), twice
//
// and likewise s = sqrt(x);  s = s + (x - s * s) / (2 * s), twice.
#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

const Prim* inexact(const Stm& stm, ScalarType type) {
  const Let* let = std::get_if<Let>(&stm.node);
  const Prim* prim = let == nullptr ? nullptr : std::get_if<Prim>(&let->expr);
  bool found =
      prim != nullptr && prim->type == type && (prim->op == Op::kDiv || prim->op == Op::kSqrt);
  return found ? prim : nullptr;
}

// `/` and sqrt of `narrow` as those of `wide`.
Block divideIn(Program& program, const Block& block, ScalarType narrow, ScalarType wide) {
  return rewriteBlock(block, [&](Stm stm, Block& out) {
    const Prim* prim = inexact(stm, narrow);
    if (prim == nullptr) {
      out.push_back(std::move(stm));
      return;
    }
    Operands args;
    for (const Operand& arg : prim->args) {
      VarId var = program.addVar("wide", wide);
      out.push_back({Let{var, Convert{prim::ConvertKind::kValue, narrow, wide, arg}}});
      args.push_back(var);
    }
    VarId exact = program.addVar("exact", wide);
    out.push_back({Let{exact, Prim{prim->op, wide, std::move(args)}}});
    VarId var = std::get<Let>(stm.node).var;
    out.push_back({Let{var, Convert{prim::ConvertKind::kValue, wide, narrow, exact}}});
  });
}

constexpr ScalarType kF32 = ScalarType::kF32;
constexpr ScalarType kU32 = ScalarType::kU32;
constexpr ScalarType kBool = ScalarType::kBool;

class FusedDivision {
 public:
  explicit FusedDivision(Program& program) : program_(program), code_(program) {}

  // `slow` computes the same into the statement's variable.
  Block replace(const Stm& stm, const Prim& prim, const Block& slow) {
    VarId var = std::get<Let>(stm.node).var;
    VarId result = program_.addVar(program_.vars[var].name, kF32, true);
    code_.append(Declare{result, prim::zero(kF32)});
    bool is_root = prim.op == Op::kSqrt;
    Operand usual =
        is_root ? isUsual(prim.args[0], kSignAndExponent) : areUsual(prim.args[0], prim.args[1]);
    code_.ifThenElse(
        usual,
        [&] {
          code_.assign(result, is_root ? root(prim.args[0]) : quotient(prim.args[0], prim.args[1]));
        },
        [&] {
          for (const Stm& inner : slow) code_.append(inner.node);
          code_.assign(result, var);
        });
    return code_.take();
  }

 private:
  static Operand number(float value) { return Scalar::ofFloat(kF32, value); }
  static Operand word(uint32_t value) { return Scalar::ofUnsigned(kU32, value); }
  Operand f32(Op op, Operands args) { return code_.prim(op, kF32, std::move(args)); }
  Operand fused(const Operand& a, const Operand& b, const Operand& c) {
    return code_.let("t", kF32, Fma{kF32, a, b, c});
  }

  static constexpr uint32_t kExponent = 0x7f800000U;
  static constexpr uint32_t kSignAndExponent = 0xff800000U;

  // Between 2^-60 and 2^60 in size: nothing on the way is too large or too small.
  Operand isUsual(const Operand& x, uint32_t looked_at) {
    Operand bits = code_.let("t", kU32, Convert{prim::ConvertKind::kBits, kF32, kU32, x});
    Operand exponent = code_.prim(Op::kAnd, kU32, {bits, word(looked_at)});
    Operand above = code_.prim(Op::kSub, kU32, {exponent, word(67U << 23)});
    return code_.prim(Op::kLe, kU32, {above, word(120U << 23)});
  }
  Operand areUsual(const Operand& a, const Operand& b) {
    Operand usual_b = isUsual(b, kExponent);
    Operand usual_a = isUsual(a, kExponent);
    Operand none = code_.prim(Op::kEq, kF32, {a, number(0)});
    Operand either = code_.prim(Op::kOr, kBool, {usual_a, none});
    return code_.prim(Op::kAnd, kBool, {usual_b, either});
  }

  Operand quotient(const Operand& a, const Operand& b) {
    Operand minus_b = f32(Op::kNeg, {b});
    Operand first = f32(Op::kDiv, {number(1), b});
    Operand error = fused(minus_b, first, number(1));
    Operand inverse = fused(first, error, first);
    Operand rough = f32(Op::kMul, {a, inverse});
    Operand better = fused(fused(minus_b, rough, a), inverse, rough);
    Operand best = fused(fused(minus_b, better, a), inverse, better);
    Operand none = code_.prim(Op::kEq, kF32, {a, number(0)});
    return code_.let("t", kF32, Select{none, rough, best});  // keeps the sign of a zero
  }

  Operand root(const Operand& x) {
    Operand first = f32(Op::kSqrt, {x});
    Operand half = f32(Op::kDiv, {number(0.5F), first});
    Operand minus_first = f32(Op::kNeg, {first});
    Operand better = fused(fused(minus_first, first, x), half, first);
    Operand minus_better = f32(Op::kNeg, {better});
    return fused(fused(minus_better, better, x), half, better);
  }

  Program& program_;
  Builder code_;
};

// 1 / x for a power of two x: multiplying by it is dividing by x.
std::optional<Operand> exactInverse(const Operand& x) {
  if (!x.isConstant()) return std::nullopt;
  auto bits = static_cast<uint32_t>(x.constant.bits);
  uint32_t exponent = (bits >> 23) & 0xffU;
  bool is_power = (bits & 0x7fffffU) == 0 && exponent >= 1 && exponent <= 253;
  if (!is_power) return std::nullopt;
  uint32_t inverse = (bits & 0x80000000U) | ((254 - exponent) << 23);
  return Operand(Scalar::fromBits(kF32, inverse));
}

Block divideFused(Program& program, const Block& block, bool has_doubles) {
  return rewriteBlock(block, [&](Stm stm, Block& out) {
    const Prim* prim = inexact(stm, kF32);
    if (prim == nullptr) {
      out.push_back(std::move(stm));
      return;
    }
    VarId var = std::get<Let>(stm.node).var;
    Prim kept = *prim;
    if (auto inverse = kept.op == Op::kDiv ? exactInverse(kept.args[1]) : std::nullopt) {
      out.push_back({Let{var, Prim{Op::kMul, kF32, {kept.args[0], *inverse}}}});
      return;
    }
    VarId own = program.addVar(program.vars[var].name, kF32);
    Stm renamed = {Let{own, kept}};
    Block slow = {renamed};
    if (has_doubles) slow = divideIn(program, slow, kF32, ScalarType::kF64);
    Block made = FusedDivision(program).replace(renamed, kept, slow);
    VarId result = std::get<Declare>(made.front().node).var;
    for (Stm& inner : made) out.push_back(std::move(inner));
    out.push_back({Let{var, Convert{prim::ConvertKind::kBits, kF32, kF32, result}}});
  });
}

}  // namespace

Function exactDivision(Program& program, const Function& kernel, const Target& target) {
  Function result = kernel;
  if (target.exact_division_f32) return result;
  result.body = divideIn(program, result.body, ScalarType::kF16, ScalarType::kF32);
  if (target.fuses_f32) {
    result.body = divideFused(program, result.body, target.float64);
  } else if (target.float64) {
    result.body = divideIn(program, result.body, ScalarType::kF32, ScalarType::kF64);
  }
  return result;
}

}  // namespace halo::gpu
