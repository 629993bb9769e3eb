// Of a scan, the first input that is a view of a whole array decides; of a map, the consumer.
#include "gpu/plan/layout.h"

#include <algorithm>

#include "gpu/plan/code_behind.h"
#include "gpu/plan/in_place/stored_results.h"
#include "lang/core/permutation.h"
#include "lang/core/rewrite.h"

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

// Adds a result whose axis k in memory is axis `order[k]` of the nest's result.
void store(Program& program, const Stm& nest, ValueId name, const std::vector<int>& order,
           LaidOut& result) {
  Type type = program.type(name);
  const Operands shape = type.shape;
  for (size_t k = 0; k < order.size(); ++k) type.shape[k] = shape[static_cast<size_t>(order[k])];
  ValueId stored = program.add("stored", std::move(type));
  result.stms.push_back({{stored}, Rearrange{name, order}, false, nest.span});
  result.stored.push_back(stored);
  result.views.push_back({{name}, Rearrange{stored, inverse(order)}, false, nest.span});
}

}  // namespace

std::optional<LaidOut> layOut(Program& program, const Stm& nest,
                              const std::vector<const Screma*>& levels, const Turned& turned) {
  auto order = levels.size() < 2 ? std::nullopt : orderOf(levels, turned);
  if (!order) return std::nullopt;
  LaidOut result{{nest}, {}, {}};
  for (ValueId name : nest.results) {
    std::vector<int> there = *order;  // axes of elements stay behind
    for (int axis = static_cast<int>(there.size()); axis < program.type(name).rank(); ++axis) {
      there.push_back(axis);
    }
    store(program, nest, name, inverse(there), result);
  }
  return result;
}

Rearranged rearrangedOnce(const Program& program, const Body& body) {
  Rearranged result;
  const auto uses = useCounts(program, body);
  for (const Stm& stm : body.stms) {
    const auto* view = std::get_if<Rearrange>(&stm.expr);
    if (view == nullptr) continue;
    auto count = uses.find(view->array);
    if (count != uses.end() && count->second == 1) result[view->array] = view->permutation;
  }
  return result;
}

std::optional<LaidOut> layOutRows(Program& program, const Stm& nest, Cells cells,
                                  const Rearranged& rearranged) {
  const auto [space_rank, has_groups] = cells;
  LaidOut result{{nest}, {}, {}};
  for (ValueId name : nest.results) {
    auto found = rearranged.find(name);
    const int rank = program.type(name).rank();
    const int last = found == rearranged.end() ? rank : found->second.back();
    // Elements of neighbouring invocations are adjacent; so are the elements of one workgroup.
    const bool lies_beside = has_groups ? last >= space_rank : last + 1 == space_rank;
    if (lies_beside && last + 1 < rank) {
      store(program, nest, name, found->second, result);
    } else {
      result.stored.push_back(name);
    }
  }
  return result.views.empty() ? std::nullopt : std::optional(std::move(result));
}

Function withoutLayout(const Function& whole) {
  Function kernel = withoutCodeBehind(withoutStores(whole));
  std::vector<Stm>& stms = kernel.body.stms;
  const KernelKind kind = whole.kernel[0].kind;
  while (kind == KernelKind::kScan || kind == KernelKind::kMap) {
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
