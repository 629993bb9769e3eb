// Maps that write over one of their inputs (in_place.h says which may): the result's place, copies
// before, and changing iterations.
#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/core/text/shorthand.h"
#include "lang/imp/lower/in_place.h"
#include "lang/imp/lower/lowering.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

// A result may have the memory of an input at its last use.
void Lowering::planOverwriting(const core::Stm& stm, const core::Screma& node, size_t result,
                               const std::vector<ArrayRef>& outputs) {
  const core::Type& type = core_.type(stm.results[result]);
  if (hasDestination(stm.results[result])) return;
  for (ValueId input : node.inputs) {
    bool may = core_.type(input) == type && isLastUse(input, stm) &&
               mayOverwrite(core_, node, result, {input});
    for (const ArrayRef& other : outputs) may = may && !sameMemory(other, array(input));
    if (!may) continue;
    destinations_[stm.results[result]] = array(input);
    return;
  }
}

// Is an output where an input is? Then the other parts read of that array are copied first.
bool Lowering::overwritesInput(const core::Stm& stm, const core::Screma& node,
                               std::vector<ArrayRef>& outputs) {
  ValueSet used = core::freeValues(core_, stm);
  bool overwrites = false;
  for (ArrayRef& output : outputs) {
    bool is_input = std::any_of(node.inputs.begin(), node.inputs.end(),
                                [&](ValueId input) { return sameMemory(array(input), output); });
    if (!is_input) continue;
    overwrites = true;
    output.stream = kZero;
    for (ValueId value : used) {
      if (core_.type(value).isScalar() || array(value).isVirtual()) continue;
      ArrayRef part = array(value);
      if (sameMemory(part, output) || !touches(part.buffer, output.buffer)) continue;
      ArrayRef copy = fresh("part", part.type, part.shape);
      copyArray(b_, place_, copy, part);
      set(value, copy);
    }
  }
  return overwrites;
}

// Bounds are cut to the index's range before 1 is added to them. Lanes run to the same bounds.
std::pair<Operand, Operand> Lowering::changingRange(const core::Screma& node,
                                                    const std::vector<ArrayRef>& outputs) {
  Operand first = kZero, last = scalar(node.width), one = Operand::ofI64(1);
  ValueSet overwritten;
  for (ValueId input : node.inputs) {
    if (outputs.size() == 1 && sameMemory(array(input), outputs[0])) overwritten.insert(input);
  }
  if (overwritten.empty() || in_lanes_) return {first, last};
  auto isIndex = [&](ValueId value) { return indices_.contains(value); };
  for (const Kept& kept : keptWhere(node, overwritten, isIndex)) {
    Operand bound = b_.min(b_.max(scalar(kept.bound), Operand::ofI64(-1)), scalar(node.width));
    if (kept.op == Op::kLe || kept.op == Op::kGt) bound = b_.add(bound, one);
    if (kept.op == Op::kLt || kept.op == Op::kLe) {
      first = b_.max(first, bound);
    } else {
      last = b_.min(last, bound);
    }
  }
  return {first, last};
}

}  // namespace halo::imp
