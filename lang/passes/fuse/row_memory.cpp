// An array for all positions must not take more memory than the nest uses anyway. The nest reads an
// array as large, or makes one for each position of the outer node.
#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/passes/fuse/row_arrays.h"

namespace halo::passes {
namespace {

using core::Operand;
using core::Program;
using core::Screma;
using core::ValueId;

constexpr ValueId kNone = {};

ValueId inputOf(const Screma& node, ValueId param) {
  const auto& params = node.map.params;
  const auto at = std::find(params.begin(), params.end(), param);
  return at == params.end() ? kNone : node.inputs[static_cast<size_t>(at - params.begin())];
}

// The array whose rows of rows `input`, of the last level, is.
ValueId rootOf(const Levels& levels, ValueId input) {
  for (size_t level = levels.size() - 1; level-- > 0 && input.valid();) {
    input = inputOf(levels[level].node(), input);
  }
  return input;
}

// `array`: a result of the last level. Each level around gives arrays of those of its cells.
bool isMade(const Program& program, const Levels& levels, ValueId array) {
  auto isOf = [&](const Level& level) {
    const core::Type& type = program.type(array);
    return !type.isScalar() && type.shape[0] == level.node().width;
  };
  if (!isOf(levels.back())) return false;
  for (size_t level = levels.size() - 1; level-- > 0;) {
    const core::Operands& results = levels[level].node().map.body.results;
    const auto at = std::find(results.begin(), results.end(), Operand(array));
    if (at == results.end()) return false;
    array = levels[level].stm->results[static_cast<size_t>(at - results.begin())];
    if (!isOf(levels[level])) return false;
  }
  return true;
}

bool isView(const core::Stm& stm) {
  return std::holds_alternative<core::Index>(stm.expr) ||
         std::holds_alternative<core::Slice>(stm.expr) ||
         std::holds_alternative<core::Rearrange>(stm.expr) ||
         std::holds_alternative<core::Reshape>(stm.expr);
}
bool isSpread(const core::Stm& stm) {
  return std::holds_alternative<core::Slide>(stm.expr) ||
         std::holds_alternative<core::Replicate>(stm.expr) ||
         std::holds_alternative<core::Iota>(stm.expr);
}

}  // namespace

void RowSurroundings::see(const Program& program, const core::Stm& stm) {
  bool spreads = isSpread(stm);
  if (isView(stm)) spreads = usesAny(core::freeValues(program, stm), spread);
  if (spreads) spread.insert(stm.results.begin(), stm.results.end());
}

bool holdsAsMuch(const Program& program, const Levels& levels, const RowNames& names,
                 const RowSurroundings& surroundings, bool per_cell) {
  if (levels.size() < 2 && !surroundings.is_loop) return true;
  auto isRead = [&](ValueId input) {
    const ValueId root = rootOf(levels, input);
    if (!root.valid() || surroundings.spread.contains(root)) return false;
    return !per_cell || surroundings.cells.contains(root) || names.bound.contains(root);
  };
  const Level& last = levels.back();
  const std::vector<ValueId>&inputs = last.node().inputs, &results = last.stm->results;
  if (std::any_of(inputs.begin(), inputs.end(), isRead)) return true;
  // A loop of no iterations makes nothing.
  return !surroundings.is_loop && std::any_of(results.begin(), results.end(), [&](ValueId result) {
    return isMade(program, levels, result);
  });
}

}  // namespace halo::passes
