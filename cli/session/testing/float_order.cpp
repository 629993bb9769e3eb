// Asks Core, before any pass that reorders.
#include "cli/session/testing/float_order.h"

#include <algorithm>

#include "lang/ad/differentiate.h"
#include "lang/core/float_order.h"
#include "lang/passes/pipeline.h"
#include "lang/types/infer/derivatives.h"

namespace halo::session {

std::vector<bool> looseResults(const types::Program& program, types::DefId entry) {
  auto lowered = ad::lower(program, entry);
  if (!lowered) return {};
  // Reverse mode adds in an order of its own, also outside of reductions.
  const bool is_reverse = types::hasReverseMode(program, entry);
  core::Program core = passes::run(passes::rows(passes::Pipeline::kPlain), std::move(*lowered), {});
  for (const core::Function& function : core.functions) {
    if (!function.is_entry) continue;
    std::vector<bool> flags = core::dependOnFloatOrder(core, function);
    if (is_reverse) flags.assign(flags.size(), true);
    const auto sizes = std::min<size_t>(flags.size(), static_cast<size_t>(function.size_results));
    flags.erase(flags.begin(), flags.begin() + static_cast<ptrdiff_t>(sizes));
    return flags;
  }
  return {};
}

}  // namespace halo::session
