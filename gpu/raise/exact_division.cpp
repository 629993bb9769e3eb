// f32 `/` and sqrt through f64, those of f16 through f32.
#include "gpu/raise/raise.h"
#include "gpu/raise/walk.h"

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

}  // namespace

Function exactDivision(Program& program, const Function& kernel, const Target& target) {
  Function result = kernel;
  if (target.exact_division_f32) return result;
  result.body = divideIn(program, result.body, ScalarType::kF16, ScalarType::kF32);
  if (!target.float64) return result;
  result.body = divideIn(program, result.body, ScalarType::kF32, ScalarType::kF64);
  return result;
}

}  // namespace halo::gpu
