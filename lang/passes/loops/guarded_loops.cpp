// The arm that runs the loop has copies: the names of the loop's results are those of the match.
#include "lang/passes/loops/guarded_loops.h"

#include "lang/core/rewrite.h"

namespace halo::passes {

using core::Operand;
using prim::ScalarType;

Operand decidesToRun(const core::Loop& loop) {
  if (const auto* counted = std::get_if<core::ForLoop>(&loop.form)) return counted->bound;
  const int condition = std::get<core::WhileLoop>(loop.form).condition;
  return loop.carried[static_cast<size_t>(condition)].initial;
}

Operand noIteration(core::Builder& builder, const core::Loop& loop) {
  const Operand decides = decidesToRun(loop);
  const ScalarType type = builder.program().type(decides).scalar;
  const bool is_counted = std::holds_alternative<core::ForLoop>(loop.form);
  if (!is_counted) return builder.prim(prim::Op::kNot, type, {decides});
  return builder.prim(prim::Op::kLe, type, {decides, Operand(prim::zero(type))});
}

void guardLoop(core::Program& program, core::Stm& stm, std::vector<core::Stm> large,
               const Operand& none) {
  core::Body as_before, runs;
  for (const core::Carried& carried : std::get<core::Loop>(stm.expr).carried) {
    as_before.results.push_back(carried.initial);
  }
  const std::vector<core::ValueId> results = stm.results;
  runs.stms = std::move(large);
  runs.results.assign(results.begin(), results.end());
  const source::Span span = stm.span;
  runs.stms.push_back(std::move(stm));
  core::Match match{none, {{prim::Scalar::ofBool(true), std::move(as_before)}}, {}};
  match.otherwise = core::freshCopy(program, runs);
  stm = {results, std::move(match), false, span};
}

}  // namespace halo::passes
