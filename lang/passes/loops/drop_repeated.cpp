// A node is compared with what is left of a later one when the results of that one are dropped.
#include "lang/passes/loops/drop_repeated.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/expr_key.h"
#include "lang/passes/simplify/simplify_parts.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Stm;

bool hasChecks(const Stm& stm) {
  bool found = stm.checked || std::holds_alternative<core::Assert>(stm.expr) ||
               std::holds_alternative<core::Call>(stm.expr);
  core::visitBodies(stm.expr, [&](const Body& nested) {
    found = found || std::any_of(nested.stms.begin(), nested.stms.end(), hasChecks);
  });
  return found;
}

// Without results it is there for its loops alone.
bool isForItsLoops(const Stm& stm) {
  return stm.results.empty() && std::holds_alternative<core::Screma>(stm.expr) &&
         core::mayNotEnd(stm) && !hasChecks(stm);
}

// The statement as it would be without readers of its results.
Stm unread(core::Program& program, const Stm& stm) {
  core::Function function;
  function.body.stms = {stm};
  while (eliminateDeadCode(program, function)) {
  }
  return std::move(function.body.stms.front());
}

// Whether a statement behind `at` runs its loops again, before anything else may fail.
bool isRepeated(core::Program& program, const std::vector<Stm>& stms, size_t at) {
  const core::Expr own = numbered(stms[at].expr);
  for (size_t i = at + 1; i < stms.size(); ++i) {
    if (!core::mayFail(stms[i])) continue;
    return std::holds_alternative<core::Screma>(stms[i].expr) &&
           numbered(unread(program, stms[i]).expr) == own;
  }
  return false;
}

void dropIn(core::Program& program, Body& body) {
  for (Stm& stm : body.stms) {
    core::visitBodies(stm.expr, [&](Body& nested) { dropIn(program, nested); });
  }
  for (size_t i = body.stms.size(); i-- > 0;) {
    if (!isForItsLoops(body.stms[i]) || !isRepeated(program, body.stms, i)) continue;
    body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

core::Program dropRepeated(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    dropIn(result, body);
  });
}

}  // namespace halo::passes
