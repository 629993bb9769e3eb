// f32 `/` and sqrt through f64.
#include "gpu/raise/raise.h"
#include "gpu/raise/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

bool isInexact(const Stm& stm) {
  const Let* let = std::get_if<Let>(&stm.node);
  const Prim* prim = let == nullptr ? nullptr : std::get_if<Prim>(&let->expr);
  return prim != nullptr && prim->type == ScalarType::kF32 &&
         (prim->op == Op::kDiv || prim->op == Op::kSqrt);
}

}  // namespace

Function exactDivision(Program& program, const Function& kernel, const Target& target) {
  Function result = kernel;
  if (!target.float64 || target.exact_division_f32) return result;
  result.body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    if (!isInexact(stm)) {
      out.push_back(std::move(stm));
      return;
    }
    const Let& let = std::get<Let>(stm.node);
    const Prim& prim = std::get<Prim>(let.expr);
    Operands wide;
    for (const Operand& arg : prim.args) {
      VarId var = program.addVar("wide", ScalarType::kF64);
      out.push_back(
          {Let{var, Convert{prim::ConvertKind::kValue, ScalarType::kF32, ScalarType::kF64, arg}}});
      wide.push_back(var);
    }
    VarId exact = program.addVar("exact", ScalarType::kF64);
    out.push_back({Let{exact, Prim{prim.op, ScalarType::kF64, std::move(wide)}}});
    out.push_back({Let{
        let.var, Convert{prim::ConvertKind::kValue, ScalarType::kF64, ScalarType::kF32, exact}}});
  });
  return result;
}

}  // namespace halo::gpu
