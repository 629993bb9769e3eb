// Branches: their results get one name. It stands for memory that the branches share, that each of
// them hands over, or that the statement owns and they write to.
#include <algorithm>

#include "lang/imp/lower/lowering.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

bool isIn(const std::vector<BufferId>& buffers, BufferId buffer) {
  return std::find(buffers.begin(), buffers.end(), buffer) != buffers.end();
}

}  // namespace

void Lowering::lower(const core::Stm& stm, const core::Match& node) {
  size_t count = stm.results.size();
  std::vector<VarId> vars(count);
  Destinations destinations(count), rooms(count);
  for (size_t k = 0; k < count; k++) {
    const core::Type& type = core_.type(stm.results[k]);
    if (type.isScalar()) {
      vars[k] = b_.declare(core_.values[stm.results[k]].name, type.scalar, prim::zero(type.scalar));
      set(stm.results[k], Operand(vars[k]));
    } else if (place_.room && bindsSizeOf(stm, type)) {
      rooms[k] = fresh(core_.values[stm.results[k]].name, type.scalar, {place_.room->elements()});
    } else if (hasDestination(stm.results[k]) || (!place_.can_rebind && !isInPlace(node, k)) ||
               makeShortRow(node, type, k)) {
      destinations[k] = output(stm.results[k]);
    }
  }
  Operands conditions;
  std::vector<const core::Body*> bodies;
  for (const core::Case& arm : node.cases) {
    Operand scrutinee = scalar(node.scrutinee);
    bool is_true = arm.value == prim::Scalar::ofBool(true);
    conditions.push_back(
        is_true ? scrutinee : b_.prim(Op::kEq, arm.value.type, {scrutinee, Operand(arm.value)}));
    bodies.push_back(&arm.body);
  }
  bodies.push_back(&node.otherwise);
  std::vector<Block> arms(bodies.size());
  std::vector<Results> results(bodies.size());
  for (size_t a = 0; a < bodies.size(); a++) {
    starts_arm_ = true;
    arms[a] = b_.capture([&] { results[a] = body(*bodies[a], destinations); });
  }
  for (size_t k = 0; k < count; k++) {
    if (vars[k].valid() || rooms[k]) continue;
    set(stm.results[k],
        destinations[k] ? *destinations[k] : join(stm.results[k], k, arms, results));
  }
  for (size_t a = 0; a < arms.size(); a++) {
    arms[a] = b_.capture(
        [&] {
          for (size_t k = 0; k < count; k++) {
            if (vars[k].valid()) b_.assign(vars[k], results[a].scalars[k]);
            if (rooms[k]) keepIn(*rooms[k], results[a].arrays[k]);
          }
          release(results[a].owned);
        },
        std::move(arms[a]));
  }
  Block rest = std::move(arms.back());
  for (size_t a = node.cases.size(); a-- > 0;) {
    Block all;
    all.push_back({If{conditions[a], std::move(arms[a]), std::move(rest)}});
    rest = std::move(all);
  }
  for (Stm& statement : rest) b_.append(std::move(statement.node));
  // Strides come from sizes that the arms have set.
  for (size_t k = 0; k < count; k++) {
    if (!rooms[k]) continue;
    set(stm.results[k], inRoom(*rooms[k], scalars(core_.type(stm.results[k]).shape)));
  }
}

// Loops around rely on it that branches which work in one array leave their result there
// (`inPlaceRoot`).
bool Lowering::isInPlace(const core::Match& node, size_t k) {
  const std::optional<ValueId> root = commonRoot(core_, node, k);
  return root && !array(*root).isVirtual();
}

// One name for the arms' results. It is the array itself if all mean the same, a variable offset if
// only that differs, else a buffer set by each arm.
ArrayRef Lowering::join(ValueId value, size_t position, std::vector<Block>& arms,
                        std::vector<Results>& results) {
  const ArrayRef first = results[0].arrays[position];
  bool same_buffer = arms.size() > 1, same_offset = true;
  for (const Results& arm : results) {
    const ArrayRef& array = arm.arrays[position];
    same_buffer = same_buffer && !array.isVirtual() && !isIn(arm.owned, array.buffer) &&
                  array.buffer == first.buffer && array.strides == first.strides;
    same_offset = same_offset && array.offset == first.offset;
  }
  if (!same_buffer) return joinByRebinding(value, position, arms, results);
  ArrayRef joined = first;
  joined.shape = scalars(core_.type(value).shape);
  if (same_offset) return joined;
  VarId offset = b_.declare("offset", ScalarType::kI64, kZero);
  for (size_t a = 0; a < arms.size(); a++) {
    arms[a] = b_.capture([&] { b_.assign(offset, results[a].arrays[position].offset); },
                         std::move(arms[a]));
  }
  joined.offset = offset;
  return joined;
}

ArrayRef Lowering::joinByRebinding(ValueId value, size_t position, std::vector<Block>& arms,
                                   std::vector<Results>& results) {
  const core::Type& type = core_.type(value);
  const std::string& name = core_.values[value].name;
  BufferId joined = b_.buffer(name, type.scalar, place_.space);
  // An arm's result may be one of several buffers of its own, such as a loop's.
  // An earlier result that is the same buffer may have taken it from the arm.
  auto isOutside = [&](const Results& arm) {
    const ArrayRef& array = arm.arrays[position];
    const auto earlier = arm.arrays.begin() + static_cast<std::ptrdiff_t>(position);
    return std::none_of(arm.owned.begin(), arm.owned.end(),
                        [&](BufferId own) { return touches(array.buffer, own); }) &&
           std::none_of(arm.arrays.begin(), earlier, [&](const ArrayRef& other) {
             return !other.isVirtual() && touches(array.buffer, other.buffer);
           });
  };
  auto isBorrowed = [&](const Results& arm) {
    return isPlain(arm.arrays[position]) && isOutside(arm);
  };
  const bool borrow = std::all_of(results.begin(), results.end(), isBorrowed);
  auto isMixed = [&](const Results& arm) {
    const ArrayRef& array = arm.arrays[position];
    const auto kept = kept_.find(array.buffer);
    return isPlain(array) && kept != kept_.end() && isIn(arm.owned, kept->second);
  };
  const bool may_mix = place_.can_rebind && place_.space == Space::kDevice &&
                       std::any_of(results.begin(), results.end(), [&](const Results& arm) {
                         return isBorrowed(arm) || isMixed(arm);
                       });
  if (!borrow && may_mix) return joinMixed(value, position, arms, results, {isBorrowed, isMixed});
  for (size_t a = 0; a < arms.size(); a++) {
    arms[a] = b_.capture(
        [&] {
          const ArrayRef& array = results[a].arrays[position];
          if (borrow) joined_[joined].push_back(array.buffer);
          if (!borrow && mayTake(results[a], position)) return take(joined, array);
          ArrayRef own = borrow ? array : ownedDense(array, results[a]);
          b_.append(Rebind{joined, own.buffer});
        },
        std::move(arms[a]));
  }
  if (!borrow) scope_->owned.push_back(joined);
  return denseArray(b_, joined, kZero, type.scalar, scalars(type.shape));
}

// Some arms give arrays from outside, which are not copied. The memory of the other arms' results
// has a name of its own, which is empty behind an arm of the first kind. It is the result where no
// arm is of the first kind. An arm's own result may be such a pair of names.
ArrayRef Lowering::joinMixed(ValueId value, size_t position, std::vector<Block>& arms,
                             std::vector<Results>& results, const MixedArms& is) {
  const core::Type& type = core_.type(value);
  const std::string& name = core_.values[value].name;
  const ArrayRef kept = place_.allocate(b_, name, type.scalar, {kZero});
  const bool is_all_kept = std::none_of(results.begin(), results.end(), [&](const Results& arm) {
    return is.mixed(arm) || (is.borrowed(arm) && !mayTake(arm, position));
  });
  const BufferId joined = is_all_kept ? kept.buffer : b_.buffer(name, type.scalar, place_.space);
  auto rebind = [&](BufferId to) {
    if (joined == kept.buffer) return;
    joined_[joined].push_back(to);
    b_.append(Rebind{joined, to});
  };
  for (size_t a = 0; a < arms.size(); a++) {
    arms[a] = b_.capture(
        [&] {
          const ArrayRef& array = results[a].arrays[position];
          if (is.mixed(results[a])) {
            b_.append(Swap{kept.buffer, kept_.at(array.buffer)});
            rebind(array.buffer);
          } else if (is.borrowed(results[a]) && mayTake(results[a], position)) {
            b_.append(Swap{kept.buffer, array.buffer});
            rebind(kept.buffer);
          } else if (is.borrowed(results[a])) {
            rebind(array.buffer);
          } else {
            const ArrayRef own = ownedDense(array, results[a]);
            b_.append(Swap{kept.buffer, own.buffer});
            release({own.buffer});
            rebind(kept.buffer);
          }
        },
        std::move(arms[a]));
  }
  if (joined != kept.buffer) {
    joined_[joined].push_back(kept.buffer);
    kept_.emplace(joined, kept.buffer);
  }
  scope_->owned.push_back(kept.buffer);
  return denseArray(b_, joined, kZero, type.scalar, scalars(type.shape));
}

// An array of the body around the arms without a later use, or one that a loop carries: its memory
// may become the result's.
bool Lowering::mayTake(const Results& arm, size_t position) const {
  const ArrayRef& array = arm.arrays[position];
  if (!place_.can_rebind || place_.space != Space::kDevice || !isPlain(array)) return false;
  for (size_t k = 0; k < arm.arrays.size(); k++) {
    const ArrayRef& other = arm.arrays[k];
    const bool is_there = other.buffer.valid() && !other.isVirtual();
    if (k != position && is_there && touches(other.buffer, array.buffer)) return false;
  }
  const auto is_it = [&](const StepArray& carried) { return carried.buffer == array.buffer; };
  const auto carried = std::find_if(step_arrays_.begin(), step_arrays_.end(), is_it);
  if (carried == step_arrays_.end()) {
    return isIn(scope_->owned, array.buffer) && areBehind(*scope_, array.buffer);
  }
  for (const Scope* scope = scope_; scope != carried->around; scope = scope->outer) {
    const bool is_once = scope->is_arm || scope->outer == carried->around;
    if (!is_once || !isBehind(*scope, carried->param) || !areBehind(*scope, array.buffer))
      return false;
  }
  return true;
}

bool Lowering::isBehind(const Scope& scope, ValueId value) {
  const auto last = scope.last_use.find(value);
  return last == scope.last_use.end() || last->second <= scope.position;
}

// The uses of all arrays in this memory.
bool Lowering::areBehind(const Scope& scope, BufferId buffer) const {
  return std::all_of(scope.live.begin(), scope.live.end(), [&](ValueId value) {
    const ArrayRef& live = this->array(value);
    return live.isVirtual() || !touches(live.buffer, buffer) || isBehind(scope, value);
  });
}

// The array's name gets other memory, as the body gives it back in any case.
void Lowering::take(BufferId joined, const ArrayRef& array) {
  const ArrayRef empty = place_.allocate(b_, "taken", array.type, {kZero});
  b_.append(Rebind{joined, array.buffer});
  b_.append(Rebind{array.buffer, empty.buffer});
}

}  // namespace halo::imp
