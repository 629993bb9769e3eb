// The driver: rules, common subexpressions, dead code, until nothing changes.
#include "lang/passes/simplify.h"

#include "lang/core/visit.h"
#include "lang/passes/simplify_parts.h"

namespace halo::passes {
namespace {

// Each round finds what the round before uncovered; a program that needs more is left as it is.
constexpr int kMaxRounds = 12;

}  // namespace

Consumption::Consumption(const core::Program& program, const core::Function& function)
    : program_(program), aliases_(program) {
  body(function.body);
}

void Consumption::body(const core::Body& b) {
  for (const core::Stm& stm : b.stms) {
    core::visitBodies(stm.expr, [&](const core::Body& nested) { body(nested); });
    for (core::ValueId consumed : core::consumedBy(program_, stm.expr)) {
      const core::Roots& roots = aliases_.of(consumed);
      roots_.insert(roots.begin(), roots.end());
    }
    std::vector<core::Roots> roots = aliases_.resultRoots(stm);
    for (size_t i = 0; i < stm.results.size(); i++) aliases_.bind(stm.results[i], roots[i]);
  }
}

bool Consumption::isConsumed(const core::Operand& operand) {
  if (operand.isConstant() || roots_.empty() || program_.type(operand).isScalar()) return false;
  for (core::ValueId root : aliases_.of(operand.value)) {
    if (roots_.contains(root)) return true;
  }
  return false;
}

core::Program simplify(const core::Program& program) {
  core::Program result = program;
  for (core::Function& function : result.functions) {
    bool changed = true;
    for (int round = 0; changed && round < kMaxRounds; round++) {
      changed = applyRules(result, function);
      changed = eliminateCommonSubexpressions(result, function) || changed;
      changed = eliminateDeadCode(result, function) || changed;
    }
  }
  return result;
}

}  // namespace halo::passes
