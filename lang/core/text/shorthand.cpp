#include "lang/core/text/shorthand.h"

namespace halo::core {

bool isMentioned(const Program& program, ValueId size, const std::vector<ValueId>& binders) {
  for (ValueId binder : binders) {
    for (const Operand& operand : program.type(binder).shape) {
      if (operand.value == size) return true;
    }
  }
  return false;
}

int impliedSizeParams(const Program& program, const std::vector<ValueId>& params) {
  int count = 0;
  for (ValueId param : params) {
    if (!isMentioned(program, param, params)) break;
    ++count;
  }
  return count;
}

bool isIdentity(const Lambda& lambda) {
  if (!lambda.body.stms.empty() || lambda.body.results.size() != lambda.params.size()) return false;
  for (size_t i = 0; i < lambda.params.size(); ++i) {
    if (lambda.body.results[i] != Operand(lambda.params[i])) return false;
  }
  return true;
}

std::optional<std::pair<prim::Op, ScalarType>> asPrimitive(const Program& program,
                                                           const Lambda& lambda) {
  const Body& body = lambda.body;
  if (lambda.params.size() != 2 || body.stms.size() != 1) return std::nullopt;
  const Stm& stm = body.stms[0];
  const auto* op = std::get_if<PrimOp>(&stm.expr);
  if (op == nullptr || stm.checked || stm.results.size() != 1) return std::nullopt;
  if (op->args != Operands{lambda.params[0], lambda.params[1]}) return std::nullopt;
  if (body.results != Operands{stm.results[0]}) return std::nullopt;
  Type expected{op->type, {}};
  if (program.type(lambda.params[0]) != expected || program.type(lambda.params[1]) != expected ||
      program.type(stm.results[0]) != expected) {
    return std::nullopt;
  }
  return std::pair(op->op, op->type);
}

}  // namespace halo::core
