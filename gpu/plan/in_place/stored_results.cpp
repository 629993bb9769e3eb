// Updates behind the node of a kernel.
#include "gpu/plan/in_place/stored_results.h"

#include <algorithm>

#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

const Stm* storedNode(const Function& kernel) {
  const std::vector<Stm>& stms = kernel.body.stms;
  const auto node = std::find_if(stms.rbegin(), stms.rend(), [](const Stm& stm) {
    return !std::holds_alternative<Update>(stm.expr) && !std::holds_alternative<Reshape>(stm.expr);
  });
  if (node == stms.rend() || kernel.kernel.empty() || kernel.kernel[0].space.empty())
    return nullptr;
  const auto* map = std::get_if<Screma>(&node->expr);
  const auto* stencil = std::get_if<Stencil>(&node->expr);
  const KernelKind kind = kernel.kernel[0].kind;
  // Maps, and reductions of the segments of a map.
  const bool has_cells = kind == KernelKind::kMap || kind == KernelKind::kReduce;
  const bool is_map = has_cells && map != nullptr && isMap(*map);
  const bool is_step =
      kind == KernelKind::kStencil && stencil != nullptr && stencil->reductions.empty();
  return is_map || is_step ? &*node : nullptr;
}

bool makes(const Stm& stm, const Operand& value) {
  return !value.isConstant() &&
         std::find(stm.results.begin(), stm.results.end(), value.value) != stm.results.end();
}

namespace {

// The kernel's own result behind a value that is stored.
Operand madeAs(const Function& kernel, const Operand& stored) {
  const auto at = makerOf(kernel.body.stms, stored);
  const auto* reshape = at ? std::get_if<Reshape>(&kernel.body.stms[*at].expr) : nullptr;
  return reshape == nullptr ? stored : Operand(reshape->array);
}

}  // namespace

std::optional<Update> asArguments(const Function& kernel, const Call& call, const Update& update) {
  Substitution outside;
  for (size_t k = 0; k < kernel.params.size(); ++k) outside[kernel.params[k]] = call.args[k];
  bool are_known = true;
  const auto argument = [&](const Operand& param) {
    if (param.isConstant()) return param;
    const auto found = outside.find(param.value);
    are_known = are_known && found != outside.end();
    return found == outside.end() ? Operand() : found->second;
  };
  Update made{argument(update.array).value, {}, {}, {}};
  for (const Operand& index : update.indices) made.indices.push_back(argument(index));
  for (const SliceDim& dim : update.dims) {
    made.dims.push_back({argument(dim.start), argument(dim.length), argument(dim.stride)});
  }
  if (!are_known) return std::nullopt;
  if (const auto found = outside.find(update.value.value); found != outside.end()) {
    made.value = found->second;
  }
  return made;
}

std::vector<size_t> storedBeside(const Function& kernel, size_t i) {
  std::vector<size_t> same;
  for (size_t k = 0; k < kernel.body.results.size(); ++k) {
    if (kernel.body.results[k] == kernel.body.results[i]) same.push_back(k);
  }
  return same;
}

std::vector<size_t> storesOf(const Function& kernel, size_t i) {
  std::vector<size_t> chain;  // the last one first
  Operand array = kernel.body.results[i];
  const auto makesUpdate = [&] {
    const auto at = array.isConstant() ? std::nullopt : makerOf(kernel.body.stms, array);
    const auto* update = at ? std::get_if<Update>(&kernel.body.stms[*at].expr) : nullptr;
    if (update == nullptr) return false;
    chain.push_back(*at);
    array = update->array;
    return true;
  };
  while (makesUpdate()) continue;
  std::reverse(chain.begin(), chain.end());
  return chain;
}

std::optional<Update> storedBy(const Function& kernel, size_t i) {
  const Stm* node = storedNode(kernel);
  if (node == nullptr) return std::nullopt;
  const std::vector<size_t> chain = storesOf(kernel, i);
  const std::vector<size_t> stored = storedBeside(kernel, i);
  if (chain.size() != stored.size()) return std::nullopt;
  const auto updateAt = [&](size_t at) { return std::get<Update>(kernel.body.stms[at].expr); };
  const auto own = std::find(stored.begin(), stored.end(), i) - stored.begin();
  Update update = updateAt(chain[static_cast<size_t>(own)]);
  if (!makes(*node, madeAs(kernel, update.value))) return std::nullopt;
  update.array = updateAt(chain[0]).array;
  return update;
}

Function withoutStores(const Function& whole) {
  Function kernel = whole;
  bool stores = false;
  for (size_t i = 0; i < whole.body.results.size(); ++i) {
    const std::optional<Update> update = storedBy(whole, i);
    if (!update) continue;
    kernel.body.results[i] = madeAs(whole, update->value);
    stores = true;
  }
  if (stores) {
    const auto node = storedNode(whole) - whole.body.stms.data();
    kernel.body.stms.resize(static_cast<size_t>(node) + 1);
  }
  return kernel;
}

}  // namespace halo::gpu
