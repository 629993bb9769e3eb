// Aliases of buffers, and exchanges of their memory. See buffer_exchange.h.
#include "lang/imp/lower/buffer_exchange.h"

#include <algorithm>

#include "lang/imp/lower/lowering.h"

namespace halo::imp {

using core::ValueId;

const std::vector<BufferId>& BufferAliases::of(BufferId name) const {
  static const std::vector<BufferId> kNone;
  const auto found = targets_.find(name);
  return found == targets_.end() ? kNone : found->second;
}

BufferId BufferAliases::ownedPart(BufferId name) const {
  const auto found = owned_parts_.find(name);
  return found == owned_parts_.end() ? BufferId() : found->second;
}

// A chain of branches adds the same buffers again and again; each is visited once.
bool BufferAliases::mayBe(BufferId name, BufferId buffer) const {
  if (name == buffer) return true;
  if (!targets_.contains(name)) return false;
  std::vector<BufferId> open{name};
  std::unordered_set<BufferId> seen{name};
  while (!open.empty()) {
    const auto found = targets_.find(open.back());
    open.pop_back();
    if (found == targets_.end()) continue;
    for (const BufferId other : found->second) {
      if (other == buffer) return true;
      if (seen.insert(other).second) open.push_back(other);
    }
  }
  return false;
}

// Memory of this body, or of the one around an arm of a branch, without other uses later.
bool BufferExchange::canExchange(const Results& results, size_t k,
                                 const ArrayRef& destination) const {
  const ArrayRef& array = results.arrays[k];
  const bool is_whole = !array.isVirtual() && array.dense && array.offset == Operand::ofI64(0) &&
                        array.shape == destination.shape;
  if (!is_whole || !destinations_.contains(destination.buffer)) return false;
  for (size_t other = 0; other < results.arrays.size(); ++other) {
    const BufferId buffer = results.arrays[other].buffer;
    if (other != k && buffer.valid() && low_.aliases_.mayBe(buffer, array.buffer)) return false;
  }
  if (low_.scope_->owns(array.buffer)) return true;
  const Scope* around = low_.scope_->outer;
  if (!low_.scope_->is_arm || around == nullptr || !around->owns(array.buffer)) return false;
  return std::all_of(around->live.begin(), around->live.end(), [&](ValueId value) {
    const BufferId live = low_.array(value).buffer;
    if (!live.valid() || !low_.aliases_.mayBe(live, array.buffer)) return true;
    return around->isBehind(value);
  });
}

// An array of the body around the arms without a later use, or one that a loop carries: its memory
// may become the result's.
bool BufferExchange::mayTake(const Results& arm, size_t position) const {
  const ArrayRef& array = arm.arrays[position];
  if (!low_.target_.can_rebind || low_.target_.space != Space::kDevice || !isPlain(array))
    return false;
  for (size_t k = 0; k < arm.arrays.size(); ++k) {
    const ArrayRef& other = arm.arrays[k];
    const bool is_there = other.buffer.valid() && !other.isVirtual();
    if (k != position && is_there && low_.aliases_.mayBe(other.buffer, array.buffer)) return false;
  }
  const auto is_it = [&](const StepArray& carried) { return carried.buffer == array.buffer; };
  const auto carried = std::find_if(step_arrays_.begin(), step_arrays_.end(), is_it);
  if (carried == step_arrays_.end()) {
    return low_.scope_->owns(array.buffer) && areBehind(*low_.scope_, array.buffer);
  }
  for (const Scope* scope = low_.scope_; scope != carried->around; scope = scope->outer) {
    const bool is_once = scope->is_arm || scope->outer == carried->around;
    if (!is_once || !scope->isBehind(carried->param) || !areBehind(*scope, array.buffer))
      return false;
  }
  return true;
}

// Whether the last uses of all arrays in this memory are behind the statement at hand.
bool BufferExchange::areBehind(const Scope& scope, BufferId buffer) const {
  return std::all_of(scope.live.begin(), scope.live.end(), [&](ValueId value) {
    const ArrayRef& live = low_.array(value);
    return live.isVirtual() || !low_.aliases_.mayBe(live.buffer, buffer) || scope.isBehind(value);
  });
}

// The array's own name stands for empty memory then, which the body releases as it would the array.
void BufferExchange::take(BufferId name, const ArrayRef& array) {
  const ArrayRef empty = low_.target_.allocate(low_.b_, "taken", array.type, {kZero});
  low_.b_.append(Rebind{name, array.buffer});
  low_.b_.append(Rebind{array.buffer, empty.buffer});
}

}  // namespace halo::imp
