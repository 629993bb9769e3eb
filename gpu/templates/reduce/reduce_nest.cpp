// Results of segments.
#include "gpu/templates/reduce/reduce_nest.h"

namespace halo::gpu {

using namespace imp;

// The epilogue may mention names of the levels around, so they are bound for the segment again.
Operands ReduceNest::results(KernelScope& scope, const Operands& segment,
                             const Operands& totals) const {
  if (!hasEpilogue()) return totals;
  const core::Screma& cell = *levels[levels.size() - 2];
  const LoweringTarget target = scope.place(i64(1), [] { return i64(0); });
  Environment environment = scope.environment();
  outer.bind(scope.code(), environment, target, segment);
  const std::vector<core::ValueId>& reduced = statementOf(cell, screma).results;
  for (size_t k = 0; k < reduced.size(); ++k) environment.scalars[reduced[k]] = totals[k];
  return lowerBody(scope.code(), call.core, epilogueOf(cell, screma), environment, target).scalars;
}

void ReduceNest::store(KernelScope& scope, const Operands& segment, const Operands& totals) const {
  Builder& code = scope.code();
  const Operands values = results(scope, segment, totals);
  for (size_t k = 0; k < values.size(); ++k) {
    storeElement(code, scope.array(call.results[k]), segment, values[k]);
  }
}

Results ReduceNest::runBehind(KernelScope& scope, const Operands& totals) const {
  const core::Body& body = call.behind;
  const size_t own = call.function.body.results.size();
  Environment environment = scope.environment();
  const std::vector<core::ValueId>& reduced = lastStatement(call).results;
  for (size_t k = 0; k < totals.size(); ++k) environment.scalars[reduced[k]] = totals[k];
  const LoweringTarget target = scope.place(i64(1), [] { return i64(0); });
  Results values = lowerBody(scope.code(), call.core, body, environment, target,
                             cellDestinations(scope, body, {}, own));
  values.scalars.insert(values.scalars.begin(), own, Operand());
  std::copy(totals.begin(), totals.end(), values.scalars.begin());
  return values;
}

}  // namespace halo::gpu
