#include "gpu/plan/sizes/size_choices.h"

#include <algorithm>
#include <limits>

#include "lang/core/builder.h"
#include "lang/passes/bounds/speculate.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

constexpr size_t kMaxOfArm = 16;  // statements

bool isAlmostTotal(const Body& arm) {
  return arm.stms.size() <= kMaxOfArm &&
         std::all_of(arm.stms.begin(), arm.stms.end(), [](const Stm& stm) {
           const auto* op = std::get_if<PrimOp>(&stm.expr);
           const bool divides = op != nullptr && op->type == ScalarType::kI64 &&
                                (op->op == Op::kMachineDiv || op->op == Op::kMachineRem);
           return !stm.checked && (divides || passes::isTotalScalar(stm.expr));
         });
}

}  // namespace

bool isChoice(const Program& program, const Stm& stm) {
  const auto* match = std::get_if<Match>(&stm.expr);
  return match != nullptr && match->cases.size() == 1 && !match->scrutinee.isConstant() &&
         program.type(match->scrutinee).scalar == ScalarType::kBool &&
         std::all_of(stm.results.begin(), stm.results.end(),
                     [&](ValueId result) { return program.type(result).isScalar(); }) &&
         isAlmostTotal(match->cases[0].body) && isAlmostTotal(match->otherwise);
}

void appendTotal(Program& program, Stm stm, std::vector<Stm>& out) {
  auto* op = std::get_if<PrimOp>(&stm.expr);
  if (op != nullptr && !passes::isTotalScalar(stm.expr)) {
    Builder code(program);
    const auto isEqual = [&](const Operand& value, int64_t to) {
      return code.prim(Op::kEq, ScalarType::kI64, {value, Operand::ofI64(to)});
    };
    const auto join = [&](Op how, const Operand& a, const Operand& b) {
      return code.prim(how, ScalarType::kBool, {a, b});
    };
    const Operand overflows = join(Op::kAnd, isEqual(op->args[1], -1),
                                   isEqual(op->args[0], std::numeric_limits<int64_t>::min()));
    const Operand is_undefined = join(Op::kOr, isEqual(op->args[1], 0), overflows);
    op->args[1] =
        code.bind("divisor", {ScalarType::kI64, {}}, Select{is_undefined, kOne, op->args[1]});
    for (Stm& made : code.take({}).stms) out.push_back(std::move(made));
  }
  out.push_back(std::move(stm));
}

}  // namespace halo::gpu
