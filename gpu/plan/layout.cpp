// The first input that is a view of a whole array decides.
#include "gpu/plan/layout.h"

#include <algorithm>

namespace halo::gpu {

using namespace core;

namespace {

// The array whose element at the indices of all levels an input's element is.
ValueId wholeOf(ValueId input, const std::vector<const Screma*>& levels) {
  for (size_t level = levels.size() - 1; level-- > 0;) {
    const std::vector<ValueId>& params = levels[level]->map.params;
    auto found = std::find(params.begin(), params.end(), input);
    if (found == params.end()) return {};
    input = levels[level]->inputs[static_cast<size_t>(found - params.begin())];
  }
  return input;
}

// How the axes of the nest are those of an array in memory, if the last of them is not the last.
std::optional<std::vector<int>> orderOf(const std::vector<const Screma*>& levels,
                                        const Turned& turned) {
  for (ValueId input : levels.back()->inputs) {
    auto view = turned.find(wholeOf(input, levels));
    if (view == turned.end() || view->second.permutation.size() != levels.size()) continue;
    const std::vector<int>& order = view->second.permutation;
    if (order.back() + 1 == static_cast<int>(levels.size())) return std::nullopt;
    return order;
  }
  return std::nullopt;
}

}  // namespace

std::optional<LaidOut> layOut(Program& program, const Stm& nest,
                              const std::vector<const Screma*>& levels, const Turned& turned) {
  auto order = levels.size() < 2 ? std::nullopt : orderOf(levels, turned);
  if (!order) return std::nullopt;
  LaidOut result{{nest}, {}, {}};
  for (ValueId name : nest.results) {
    Type type = program.type(name);
    const Operands shape = type.shape;
    std::vector<int> there = *order;  // axes of elements stay behind
    while (there.size() < shape.size()) there.push_back(static_cast<int>(there.size()));
    std::vector<int> back(there.size());
    for (size_t k = 0; k < there.size(); k++) {
      back[static_cast<size_t>(there[k])] = static_cast<int>(k);
      type.shape[static_cast<size_t>(there[k])] = shape[k];
    }
    ValueId stored = program.add("stored", std::move(type));
    result.stms.push_back({{stored}, Rearrange{name, std::move(back)}, false, nest.span});
    result.stored.push_back(stored);
    result.views.push_back({{name}, Rearrange{stored, std::move(there)}, false, nest.span});
  }
  return result;
}

Function withoutLayout(const Function& whole) {
  Function kernel = whole;
  std::vector<Stm>& stms = kernel.body.stms;
  while (whole.kernel[0].kind == KernelKind::kScan) {
    const auto* view = std::get_if<Rearrange>(&stms.back().expr);
    if (view == nullptr) break;
    for (Operand& result : kernel.body.results) {
      if (result == Operand(stms.back().results[0])) result = view->array;
    }
    stms.pop_back();
  }
  return kernel;
}

}  // namespace halo::gpu
