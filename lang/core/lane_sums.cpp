#include "lang/core/lane_sums.h"

#include <algorithm>

#include "lang/core/operators.h"

namespace halo::core {
namespace {

// The engine has no minimum and maximum of floats: their results of NaN and -0 are spelt out in
// several statements (lang/passes/semantics).
bool isCommutative(const PrimOp& expr) {
  const bool is_extremum = expr.op == prim::Op::kMin || expr.op == prim::Op::kMax;
  return mayBeReordered(expr.op) && !(is_extremum && prim::isFloat(expr.type));
}

}  // namespace

bool isSimple(const Program& program, const Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
    if (const auto* match = std::get_if<Match>(&stm.expr)) {
      bool simple = isSimple(program, match->otherwise);
      for (const Case& arm : match->cases) simple = simple && isSimple(program, arm.body);
      for (ValueId result : stm.results) simple = simple && program.type(result).isScalar();
      return simple;
    }
    return std::holds_alternative<Literal>(stm.expr) || std::holds_alternative<PrimOp>(stm.expr) ||
           std::holds_alternative<Convert>(stm.expr) || std::holds_alternative<Select>(stm.expr) ||
           std::holds_alternative<Index>(stm.expr);
  });
}

bool isCommutativeTuple(const Lambda& op) {
  const size_t count = op.body.results.size();
  if (op.body.stms.size() != count) return false;
  for (size_t k = 0; k < count; ++k) {
    const auto* prim = std::get_if<PrimOp>(&op.body.stms[k].expr);
    if (prim == nullptr || !isCommutative(*prim) || prim->args.size() != 2) return false;
    const Operand left = op.params[k], right = op.params[count + k];
    const bool own = (prim->args[0] == left && prim->args[1] == right) ||
                     (prim->args[0] == right && prim->args[1] == left);
    if (!own || op.body.results[k] != Operand(op.body.stms[k].results[0])) return false;
  }
  return true;
}

bool reducesInLanes(const Program& program, const Lambda& map,
                    const std::vector<Reduction>& reductions) {
  if (reductions.empty() || !isSimple(program, map.body)) return false;
  return std::all_of(reductions.begin(), reductions.end(), [&](const Reduction& reduction) {
    for (ValueId param : reduction.op.params) {
      if (!program.type(param).isScalar()) return false;
    }
    if (!isSimple(program, reduction.op.body)) return false;
    return reduction.commutative || isCommutativeTuple(reduction.op);
  });
}

int64_t partialValues(int64_t elements) {
  const int64_t left = std::max<int64_t>(elements, 0) % kSumLanes;
  const int64_t in_lanes = std::max<int64_t>(elements, 0) - left;
  return (in_lanes + kSumChunk - 1) / kSumChunk + left;
}

}  // namespace halo::core
