// Backwards over the statements; cost is a matter of kinds.
#include "lang/lower/needed.h"

#include <unordered_set>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::lower {

using core::ValueId;

Needed neededFor(const core::Program& program, const core::Body& body,
                 const core::Operands& operands) {
  std::unordered_set<ValueId> live;
  for (const core::Operand& operand : operands) {
    if (!operand.isConstant()) live.insert(operand.value);
  }
  Needed needed(body.stms.size(), false);
  for (size_t i = body.stms.size(); i-- > 0;) {
    for (ValueId result : body.stms[i].results) needed[i] = needed[i] || live.contains(result);
    if (!needed[i]) continue;
    for (ValueId value : core::freeValues(program, body.stms[i])) live.insert(value);
  }
  return needed;
}

void keepOnly(core::Body& body, const Needed& needed) {
  size_t next = 0;
  for (size_t i = 0; i < needed.size(); ++i) {
    if (needed[i]) std::swap(body.stms[next++], body.stms[i]);
  }
  body.stms.resize(next);
}

namespace {

bool isCheapBody(const core::Program& program, const core::Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(),
                     [&](const core::Stm& stm) { return isCheap(program, stm); });
}

}  // namespace

bool isCheap(const core::Program& program, const core::Stm& stm) {
  if (stm.checked) return false;
  for (ValueId result : stm.results) {
    if (!program.type(result).isScalar()) return false;
  }
  if (const auto* call = std::get_if<core::Call>(&stm.expr)) {
    const core::Function* callee = program.find(call->function);
    return callee != nullptr && isCheapBody(program, callee->body);
  }
  bool cheap = std::holds_alternative<core::Literal>(stm.expr) ||
               std::holds_alternative<core::PrimOp>(stm.expr) ||
               std::holds_alternative<core::Convert>(stm.expr) ||
               std::holds_alternative<core::Select>(stm.expr) ||
               std::holds_alternative<core::Index>(stm.expr);
  if (!std::holds_alternative<core::Match>(stm.expr)) return cheap;
  cheap = true;
  core::visitBodies(stm.expr,
                    [&](const core::Body& arm) { cheap = cheap && isCheapBody(program, arm); });
  return cheap;
}

}  // namespace halo::lower
