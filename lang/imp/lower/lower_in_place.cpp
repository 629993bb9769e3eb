// Maps that write over one of their inputs (in_place.h says which may): the result's place, copies
// before, and changing iterations.
#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/core/text/shorthand.h"
#include "lang/imp/lower/in_place.h"
#include "lang/imp/lower/lower_soac.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

// A result may have the memory of an input at its last use.
void ScremaLowering::planOverwriting(size_t result) {
  const core::Type& type = core_.type(stm_.results[result]);
  if (low_.destinations_.has(stm_.results[result])) return;
  for (ValueId input : node_.inputs) {
    bool may = core_.type(input) == type && low_.isLastUse(input, stm_) &&
               mayOverwrite(core_, node_, result, {input});
    for (const ArrayRef& other : outputs_) may = may && !sameMemory(other, low_.array(input));
    if (!may) continue;
    low_.destinations_.wantAt(stm_.results[result], low_.array(input));
    return;
  }
}

// Is an output where an input is? Then the other parts read of that array are copied first.
bool ScremaLowering::overwritesInput() {
  ValueSet used = core::freeValues(core_, stm_);
  bool overwrites = false;
  for (ArrayRef& output : outputs_) {
    bool is_input = std::any_of(node_.inputs.begin(), node_.inputs.end(), [&](ValueId input) {
      return sameMemory(low_.array(input), output);
    });
    if (!is_input) continue;
    overwrites = true;
    output.stream = kZero;
    for (ValueId value : used) {
      if (core_.type(value).isScalar() || low_.array(value).isVirtual()) continue;
      ArrayRef part = low_.array(value);
      if (sameMemory(part, output) || !low_.aliases_.mayBe(part.buffer, output.buffer)) continue;
      ArrayRef copy = low_.fresh("part", part.type, part.shape);
      copyArray(b_, target_, copy, part);
      low_.set(value, copy);
    }
  }
  return overwrites;
}

// Bounds are cut to the index's range before 1 is added to them. Lanes run to the same bounds.
std::pair<Operand, Operand> ScremaLowering::changingRange() {
  Operand first = kZero, last = low_.scalar(node_.width), one = Operand::ofI64(1);
  ValueSet overwritten;
  for (ValueId input : node_.inputs) {
    if (outputs_.size() == 1 && sameMemory(low_.array(input), outputs_[0]))
      overwritten.insert(input);
  }
  if (overwritten.empty() || low_.in_lanes_) return {first, last};
  auto isIndex = [&](ValueId value) { return low_.indices_.contains(value); };
  for (const Kept& kept : keptWhere(node_, overwritten, isIndex)) {
    Operand bound =
        b_.min(b_.max(low_.scalar(kept.bound), Operand::ofI64(-1)), low_.scalar(node_.width));
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
