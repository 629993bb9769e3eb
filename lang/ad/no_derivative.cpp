#include "lang/ad/no_derivative.h"

#include <set>

#include "lang/ad/activity.h"
#include "lang/ad/differentiate.h"
#include "lang/core/derivative_name.h"
#include "lang/core/visit.h"
#include "lang/lower/lower.h"
#include "lang/passes/calls/inline.h"
#include "lang/types/infer/derivatives.h"

namespace halo::ad {

void warnOfSteps(const types::Program& program, diag::Sink& sink) {
  if (!types::hasDerivatives(program)) return;
  std::set<std::tuple<uint32_t, uint32_t>> places;
  for (const types::DefId entry : program.entries()) {
    const auto lowered = lower::lower(program, entry);
    if (!lowered || !hasDerivatives(*lowered)) continue;
    const core::Program inlined = passes::inlineForDerivatives(*lowered);
    for (const core::Function& function : inlined.functions) {
      core::visitStms(function.body, [&](const core::Stm& stm) {
        const auto name = core::derivativeIn(inlined, stm);
        if (!name || !places.insert({stm.span.begin, stm.span.end}).second) return;
        const core::Function& of = *inlined.find(name->function);
        if (!dependsBySteps(inlined, of, name->arguments, name->results)) return;
        sink.warning(diag::Code::no_derivative, stm.span,
                     "the result does not vary smoothly with the argument: this derivative is "
                     "always 0");
      });
    }
  }
}

}  // namespace halo::ad
