// A reduction's kernel has one node with statements in front of it, and nothing else behind it.
#include "gpu/plan/code_behind.h"

#include <algorithm>

#include "gpu/plan/nests/nest.h"

namespace halo::gpu {

using namespace core;

bool isWholeReduction(const Program& program, const Function& kernel) {
  const KernelInfo& info = kernel.kernel[0];
  if (info.kind != KernelKind::kReduce || info.space.size() != 1 || info.whole_extent) return false;
  if (hasCodeBehind(kernel)) return false;
  const Stm& last = kernel.body.stms.back();
  const auto* node = std::get_if<Screma>(&last.expr);
  if (node == nullptr || node->reductions.empty() || node->partial_values) return false;
  if (node->joins != Joins::kNothing || reduceNest(program, *node).size() != 1) return false;
  const Operands& results = kernel.body.results;
  return std::equal(results.begin(), results.end(), last.results.begin(), last.results.end(),
                    [](const Operand& result, ValueId made) { return result == Operand(made); });
}

size_t countOwn(const Function& kernel) {
  const std::vector<Stm>& stms = kernel.body.stms;
  if (kernel.kernel[0].kind != KernelKind::kReduce) return stms.size();
  const auto node = std::find_if(stms.begin(), stms.end(), [](const Stm& stm) {
    return std::holds_alternative<Screma>(stm.expr);
  });
  // Behind segments of a map there are stores of results alone (stored_results.h).
  if (node == stms.end() || isMap(std::get<Screma>(node->expr))) return stms.size();
  return static_cast<size_t>(node - stms.begin()) + 1;
}

bool hasCodeBehind(const Function& kernel) { return countOwn(kernel) < kernel.body.stms.size(); }

Body codeBehind(const Function& kernel) {
  const auto own = static_cast<std::ptrdiff_t>(countOwn(kernel));
  const std::vector<Stm>& stms = kernel.body.stms;
  const size_t results = stms[static_cast<size_t>(own) - 1].results.size();
  Body behind{{stms.begin() + own, stms.end()}, {}};
  if (behind.stms.empty()) return behind;
  behind.results.assign(kernel.body.results.begin() + static_cast<std::ptrdiff_t>(results),
                        kernel.body.results.end());
  return behind;
}

Function withoutCodeBehind(Function kernel) {
  const size_t own = countOwn(kernel);
  if (own == kernel.body.stms.size()) return kernel;
  const size_t results = kernel.body.stms[own - 1].results.size();
  kernel.body.stms.resize(own);
  kernel.body.results.resize(results);
  kernel.results.resize(results);
  return kernel;
}

}  // namespace halo::gpu
