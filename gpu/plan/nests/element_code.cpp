#include "gpu/plan/nests/element_code.h"

#include <algorithm>

#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

bool isScalarNode(const Expr& expr) {
  return std::holds_alternative<Literal>(expr) || std::holds_alternative<PrimOp>(expr) ||
         std::holds_alternative<Convert>(expr) || std::holds_alternative<Select>(expr) ||
         std::holds_alternative<Index>(expr) || std::holds_alternative<Match>(expr);
}

}  // namespace

bool isElementCode(const Program& program, const Body& body, bool may_fail) {
  return std::all_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
    bool is_check = may_fail && std::holds_alternative<Assert>(stm.expr);
    bool fine = (isScalarNode(stm.expr) && (may_fail || !stm.checked)) || is_check;
    fine = fine && std::all_of(stm.results.begin(), stm.results.end(),
                               [&](ValueId result) { return program.type(result).isScalar(); });
    visitBodies(stm.expr,
                [&](const Body& inner) { fine = fine && isElementCode(program, inner, may_fail); });
    return fine;
  });
}

size_t codeSize(const Body& body) {
  size_t size = body.stms.size();
  for (const Stm& stm : body.stms) {
    visitBodies(stm.expr, [&](const Body& inner) { size += codeSize(inner); });
    const auto* match = std::get_if<Match>(&stm.expr);
    if (match == nullptr) continue;
    const size_t branches = match->cases.size() + 1;
    size += match->cases.size() + branches * stm.results.size();
  }
  return size;
}

Body withoutChecks(Body body) {
  std::erase_if(body.stms, [](const Stm& stm) { return std::holds_alternative<Assert>(stm.expr); });
  for (Stm& stm : body.stms) {
    stm.checked = false;
    visitBodies(stm.expr, [](Body& inner) { inner = withoutChecks(std::move(inner)); });
  }
  return body;
}

}  // namespace halo::gpu
