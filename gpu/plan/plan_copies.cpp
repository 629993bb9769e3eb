// Copies of whole arrays wait until all of the host code is there. Loops that changed places with a
// nest then own their carried arrays, and a copy that no use can tell from its source is none.
#include "gpu/plan/outline.h"
#include "gpu/plan/planner.h"
#include "lang/passes/memory/own_loops.h"
#include "lang/passes/memory/remove_copies.h"

namespace halo::gpu {

using namespace core;

// A view is made dense at once, and an array that kernels compute where they need it.
void Planner::planCopy(Stm stm, std::vector<Stm>& out) {
  const ValueId source = std::get<Copy>(stm.expr).array;
  if (views_.contains(source) || recompute_.contains(source)) {
    return elementKernel(std::move(stm), out);
  }
  copies_.emplace(stm.results[0], nextName());
  out.push_back(std::move(stm));
}

void Planner::removeCopies(Function& host) {
  if (copies_.empty()) return;
  passes::ownLoops(program_, host);
  passes::removeCopies(program_, host);
  outlineCopies(host.body);
  copies_.clear();
}

// Those that are left, and those in front of loops.
void Planner::outlineCopies(Body& body) {
  for (Stm& stm : body.stms) {
    forEachBody(stm.expr, [&](Body& inner) { outlineCopies(inner); });
    if (!std::holds_alternative<Copy>(stm.expr)) continue;
    auto known = copies_.find(stm.results[0]);
    const std::string name = known == copies_.end() ? nextName() : known->second;
    stm = outline(program_, stm, name, elementwise(stm), recompute_);
  }
}

}  // namespace halo::gpu
