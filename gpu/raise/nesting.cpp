// Branches and loops nested deeper than a device follows: lavapipe runs no statement more than 80
// levels deep and reports success. Such a kernel asks for another engine instead.
#include <algorithm>

#include "gpu/raise/raise.h"

namespace halo::gpu {

using namespace imp;

namespace {

int depthOf(const Block& block) {
  int deepest = 0;
  for (const Stm& stm : block) {
    int depth = 0;
    if (auto* branch = std::get_if<If>(&stm.node)) {
      depth = 1 + std::max(depthOf(branch->then_block), depthOf(branch->else_block));
    } else if (auto* loop = std::get_if<For>(&stm.node)) {
      depth = 1 + depthOf(loop->body);
    } else if (auto* loop = std::get_if<While>(&stm.node)) {
      depth = 1 + std::max(depthOf(loop->before), depthOf(loop->body));
    }
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

}  // namespace

Function limitNesting(Program& program, const Function& kernel, const Target& target) {
  Function result = kernel;
  if (target.deepest == 0 || depthOf(kernel.body) <= target.deepest) return result;
  result.body = {{Fail{givingUpSite(program), {}}}};
  return result;
}

}  // namespace halo::gpu
