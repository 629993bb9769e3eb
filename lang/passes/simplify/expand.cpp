// Inner bodies first; replacements are applied once, at the end of each function.
#include "lang/passes/simplify/expand.h"

#include "lang/core/visit.h"

namespace halo::passes {
namespace {

void expandBody(Expansion& expansion, core::Body& body, const ExpandStm& expand) {
  std::vector<core::Stm> old = std::move(body.stms);
  core::Body outer = std::move(expansion.builder.body());
  expansion.builder.body() = {};
  for (core::Stm& stm : old) {
    core::visitBodies(stm.expr, [&](core::Body& nested) { expandBody(expansion, nested, expand); });
    if (!expand(expansion, stm)) expansion.builder.append(std::move(stm));
  }
  body.stms = std::move(expansion.builder.body().stms);
  expansion.builder.body() = std::move(outer);
}

}  // namespace

core::Program expandStms(const core::Program& program, const ExpandStm& expand) {
  core::Program result = program;
  for (core::Function& function : result.functions) {
    Expansion expansion(result);
    expandBody(expansion, function.body, expand);
    // A replacement may be a value that was itself replaced.
    for (auto& [value, by] : expansion.replaced) {
      auto next = expansion.replaced.find(by.value);
      while (!by.isConstant() && next != expansion.replaced.end()) {
        by = next->second;
        next = expansion.replaced.find(by.value);
      }
    }
    core::substitute(result, function.body, expansion.replaced);
  }
  return result;
}

}  // namespace halo::passes
