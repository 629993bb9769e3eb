// One walk over all host functions.
#include "gpu/schedule/launches.h"

#include <algorithm>

#include "lang/core/rewrite.h"

namespace halo::gpu {

Launches::Launches(const core::Program& program) : program_(program) {
  for (const core::Function& function : program.functions) {
    if (function.kernel.empty()) visit(function.body);
  }
}

void Launches::visit(const core::Body& body) {
  for (const core::Stm& stm : body.stms) {
    if (const auto* call = std::get_if<core::Call>(&stm.expr)) {
      calls_[call->function].push_back(call);
    } else if (stm.results.size() == 1) {
      views_[stm.results[0]] = &stm.expr;
    }
    core::forEachBody(stm.expr, [this](const core::Body& inner) { visit(inner); });
  }
}

bool Launches::isRearranged(const core::Function& kernel, core::ValueId array) const {
  auto found = calls_.find(kernel.name);
  if (found == calls_.end()) return false;
  const auto at = std::find(kernel.params.begin(), kernel.params.end(), array);
  if (at == kernel.params.end()) return false;  // the kernel computes the array
  const auto position = static_cast<size_t>(at - kernel.params.begin());
  return std::any_of(found->second.begin(), found->second.end(), [&](const core::Call* call) {
    core::Operand given = call->args[position];
    for (auto view = views_.find(given.value); view != views_.end();
         view = views_.find(given.value)) {
      if (std::holds_alternative<core::Rearrange>(*view->second)) return true;
      if (const auto* slice = std::get_if<core::Slice>(view->second)) {
        given = slice->array;
      } else if (const auto* index = std::get_if<core::Index>(view->second)) {
        given = index->array;
      } else if (const auto* reshape = std::get_if<core::Reshape>(view->second)) {
        given = reshape->array;
      } else {
        return false;
      }
    }
    return false;
  });
}

}  // namespace halo::gpu
