// A branch of the host passes the place of a result on to the kernels of its arms.
#include "gpu/plan/loops/made_by_kernels.h"

#include <algorithm>

#include "gpu/plan/host_code.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

bool makesNew(const Function* kernel) {
  if (!overwritesNothing(kernel)) return false;
  const KernelKind kind = kernel->kernel[0].kind;
  return kind == KernelKind::kMap || kind == KernelKind::kReduce || kind == KernelKind::kScan;
}

// Whether a kernel of each arm makes all of the array, which is one result alone.
bool isMadeInArms(const Program& program, const Body& body, const Stm& branch, ValueId value) {
  const auto uses = std::count(body.results.begin(), body.results.end(), Operand(value));
  const auto k =
      std::find(branch.results.begin(), branch.results.end(), value) - branch.results.begin();
  bool are_made = uses == 1;
  forEachBody(branch.expr, [&](const Body& arm) {
    const Operand& result = arm.results[static_cast<size_t>(k)];
    const auto at = makerOf(arm.stms, result);
    const auto same = std::count(arm.results.begin(), arm.results.end(), result);
    are_made = are_made && same == 1 && at && makesNew(kernelOf(program, arm.stms[*at]));
  });
  return are_made;
}

}  // namespace

bool overwritesNothing(const Function* kernel) {
  return kernel != nullptr && std::find(kernel->consumed.begin(), kernel->consumed.end(), true) ==
                                  kernel->consumed.end();
}

bool isMadeByKernels(const Program& program, const Loop& loop, ValueId result) {
  const bool is_carried =
      std::any_of(loop.carried.begin(), loop.carried.end(),
                  [&](const Carried& carried) { return carried.param == result; });
  if (is_carried) return true;
  const auto at = makerOf(loop.body.stms, result);
  if (!at) return false;
  const Stm& stm = loop.body.stms[*at];
  if (std::holds_alternative<Match>(stm.expr)) {
    return isMadeInArms(program, loop.body, stm, result);
  }
  const Function* callee = kernelOf(program, stm);
  // A loop of stencils goes back and forth between buffers of its own.
  return callee != nullptr && !std::holds_alternative<Loop>(callee->body.stms.back().expr);
}

}  // namespace halo::gpu
