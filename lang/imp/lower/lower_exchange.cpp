// Arrays that change hands instead of being copied, where names of buffers can be rebound:
//
//   loop (xs) { ys = loop (zs = xs) { .. };  return ys }
//
// The next `xs` would be a copy of `ys`. The inner loop's last array and the outer one's next
// array are exchanged instead, and the inner loop's memory ends with what it got.
#include <algorithm>

#include "lang/imp/lower/lower_loop.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

// Behind at least one iteration the second buffer of a ring is the current one.
bool LoopLowering::isSettled(const CarriedArray& carried) const {
  const bool has_taker = std::any_of(plan_.begin(), plan_.end(), [&](const CarriedArray& other) {
    return other.from == static_cast<int>(carried.position);
  });
  return target_.can_rebind && target_.space == Space::kDevice && !has_taker && carried.from < 0 &&
         carried.mode == CarriedArray::Mode::kRotate && carried.ring.size() == 2;
}

void LoopLowering::allowExchange() {
  for (const CarriedArray& carried : plan_) {
    if (isSettled(carried)) low_.exchangeable_.insert(carried.ring[0]);
  }
}

// The loop's result is memory of its own, also if it had no iteration.
void LoopLowering::settle(const std::function<Operand()>& has_run) {
  std::vector<std::pair<ArrayRef, ArrayRef>> copies;
  for (CarriedArray& carried : plan_) {
    if (!isSettled(carried)) continue;
    ArrayRef own = carried.current;
    own.buffer = carried.ring[1];
    copies.emplace_back(own, carried.current);
    carried.settled = own;
  }
  if (copies.empty()) return;
  const Operand ran = has_run();
  if (ran.isConstant() && ran.constant.asBool()) return;
  b_.ifThenElse(
      ran, [] {},
      [&] {
        for (const auto& [own, start] : copies) copyArray(b_, target_, own, start);
      });
}

bool Scope::owns(BufferId buffer) const {
  return std::find(owned.begin(), owned.end(), buffer) != owned.end();
}

bool Scope::isBehind(ValueId value) const {
  const auto last = last_use.find(value);
  return last == last_use.end() || last->second <= position;
}

// Memory of this body, or of the one around an arm of a branch, that nothing else looks at later.
bool Lowering::canExchange(const Results& results, size_t k, const ArrayRef& destination) const {
  const ArrayRef& array = results.arrays[k];
  const bool is_whole = !array.isVirtual() && array.dense && array.offset == Operand::ofI64(0) &&
                        array.shape == destination.shape;
  if (!is_whole || !exchangeable_.contains(destination.buffer)) return false;
  for (size_t other = 0; other < results.arrays.size(); ++other) {
    const BufferId buffer = results.arrays[other].buffer;
    if (other != k && buffer.valid() && touches(buffer, array.buffer)) return false;
  }
  if (scope_->owns(array.buffer)) return true;
  const Scope* around = scope_->outer;
  if (!scope_->is_arm || around == nullptr || !around->owns(array.buffer)) return false;
  return std::all_of(around->live.begin(), around->live.end(), [&](core::ValueId value) {
    const BufferId live = this->array(value).buffer;
    if (!live.valid() || !touches(live, array.buffer)) return true;
    return around->isBehind(value);
  });
}

// An array of the body around the arms without a later use, or one that a loop carries: its memory
// may become the result's.
bool Lowering::mayTake(const Results& arm, size_t position) const {
  const ArrayRef& array = arm.arrays[position];
  if (!target_.can_rebind || target_.space != Space::kDevice || !isPlain(array)) return false;
  for (size_t k = 0; k < arm.arrays.size(); ++k) {
    const ArrayRef& other = arm.arrays[k];
    const bool is_there = other.buffer.valid() && !other.isVirtual();
    if (k != position && is_there && touches(other.buffer, array.buffer)) return false;
  }
  const auto is_it = [&](const StepArray& carried) { return carried.buffer == array.buffer; };
  const auto carried = std::find_if(step_arrays_.begin(), step_arrays_.end(), is_it);
  if (carried == step_arrays_.end()) {
    return scope_->owns(array.buffer) && areBehind(*scope_, array.buffer);
  }
  for (const Scope* scope = scope_; scope != carried->around; scope = scope->outer) {
    const bool is_once = scope->is_arm || scope->outer == carried->around;
    if (!is_once || !scope->isBehind(carried->param) || !areBehind(*scope, array.buffer))
      return false;
  }
  return true;
}

// The uses of all arrays in this memory.
bool Lowering::areBehind(const Scope& scope, BufferId buffer) const {
  return std::all_of(scope.live.begin(), scope.live.end(), [&](ValueId value) {
    const ArrayRef& live = this->array(value);
    return live.isVirtual() || !touches(live.buffer, buffer) || scope.isBehind(value);
  });
}

// The array's name gets other memory, as the body gives it back in any case.
void Lowering::take(BufferId joined, const ArrayRef& array) {
  const ArrayRef empty = target_.allocate(b_, "taken", array.type, {kZero});
  b_.append(Rebind{joined, array.buffer});
  b_.append(Rebind{array.buffer, empty.buffer});
}

}  // namespace halo::imp
