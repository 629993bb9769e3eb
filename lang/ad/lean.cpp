#include "lang/ad/lean.h"

#include <algorithm>
#include <unordered_set>

#include "lang/core/rewrite.h"

namespace halo::ad {

namespace {

using Live = std::unordered_set<ValueId>;

// Drops the dead statements of the body; its live values.
Live leanBody(const Program& program, Body& body) {
  Live live;
  for (const Operand& result : body.results) {
    if (!result.isConstant()) live.insert(result.value);
  }
  std::vector<Stm> kept;
  for (size_t i = body.stms.size(); i-- > 0;) {
    const std::vector<ValueId>& results = body.stms[i].results;
    const bool is_live = std::any_of(results.begin(), results.end(),
                                     [&](ValueId result) { return live.contains(result); });
    if (!is_live) continue;
    kept.push_back(lean(program, std::move(body.stms[i])));
    const auto used = core::freeValues(program, kept.back());
    live.insert(used.begin(), used.end());
    for (const ValueId result : kept.back().results) {
      for (const Operand& size : program.type(result).shape) {
        if (!size.isConstant()) live.insert(size.value);
      }
    }
  }
  std::reverse(kept.begin(), kept.end());
  body.stms = std::move(kept);
  return live;
}

}  // namespace

Stm lean(const Program& program, Stm stm) {
  auto* node = std::get_if<core::Screma>(&stm.expr);
  if (node == nullptr || !node->reductions.empty() || !node->scans.empty()) return stm;
  const Live live = leanBody(program, node->map.body);
  std::vector<ValueId> inputs, params;
  for (size_t i = 0; i < node->inputs.size(); ++i) {
    if (!live.contains(node->map.params[i])) continue;
    inputs.push_back(node->inputs[i]);
    params.push_back(node->map.params[i]);
  }
  node->inputs = std::move(inputs);
  node->map.params = std::move(params);
  return stm;
}

}  // namespace halo::ad
