#include "gpu/plan/early_code.h"

#include <algorithm>

#include "lang/core/builder.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/speculate.h"

namespace halo::gpu {

using namespace core;

namespace {

bool isDivision(const Stm& stm) {
  const auto* prim = std::get_if<PrimOp>(&stm.expr);
  return prim != nullptr && !prim::isFloat(prim->type) &&
         (prim->op == prim::Op::kMachineDiv || prim->op == prim::Op::kMachineRem);
}

bool isTotalCode(const Program& program, const Stm& stm);

bool isTotalCode(const Program& program, const Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(),
                     [&](const Stm& stm) { return isTotalCode(program, stm); });
}

bool isTotalCode(const Program& program, const Stm& stm) {
  const bool gives_scalars =
      std::all_of(stm.results.begin(), stm.results.end(),
                  [&](ValueId result) { return program.type(result).isScalar(); });
  if (stm.checked || stm.results.empty() || !gives_scalars) return false;
  if (passes::isTotalScalar(stm.expr)) return true;
  const auto* match = std::get_if<Match>(&stm.expr);
  return match != nullptr && isTotalCode(program, match->otherwise) &&
         std::all_of(match->cases.begin(), match->cases.end(),
                     [&](const Case& one) { return isTotalCode(program, one.body); });
}

}  // namespace

bool mayRunEarly(const Program& program, const Stm& stm) {
  return isTotalCode(program, stm) || (isDivision(stm) && !stm.checked);
}

std::vector<Stm> runEarly(Program& program, Stm stm) {
  if (!isDivision(stm) || std::get<PrimOp>(stm.expr).args[1].isConstant()) return {std::move(stm)};
  auto& division = std::get<PrimOp>(stm.expr);
  Builder host(program);
  const Operand is_zero =
      host.prim(prim::Op::kEq, division.type, {division.args[1], prim::zero(division.type)});
  division.args[1] =
      host.bind("divisor", Type{division.type, {}},
                Select{is_zero, Operand(prim::Scalar{division.type, 1}), division.args[1]});
  host.append(std::move(stm));
  return host.take({}).stms;
}

}  // namespace halo::gpu
