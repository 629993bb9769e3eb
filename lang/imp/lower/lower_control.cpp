// Match, loop, call: where values meet that live in different memory.
#include <algorithm>

#include "lang/base/check.h"
#include "lang/core/rewrite.h"
#include "lang/imp/lower/in_place.h"
#include "lang/imp/lower/in_place_root.h"
#include "lang/imp/lower/lower_compaction.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

bool isBound(const core::Loop& node, const core::Operand& operand) {
  return std::any_of(node.carried.begin(), node.carried.end(), [&](const core::Carried& carried) {
    return operand == core::Operand(carried.param);
  });
}

bool isPlain(const ArrayRef& array) {
  return !array.isVirtual() && array.dense && array.offset == kZero;
}

// One carried value starts with this array, and nothing else in the loop reads it.
bool isReadByOneStart(const core::Program& core, const core::Loop& node, ValueId initial) {
  const auto starts = std::count_if(
      node.carried.begin(), node.carried.end(),
      [&](const core::Carried& carried) { return carried.initial == core::Operand(initial); });
  return starts == 1 && !core::freeValues(core, node.body).contains(initial);
}

bool isOwned(const Results& results, const ArrayRef& array) {
  return std::find(results.owned.begin(), results.owned.end(), array.buffer) != results.owned.end();
}

}  // namespace

// ---- arrays of any size

ArrayRef Lowering::inRoom(const ArrayRef& room, Operands shape) {
  return denseArray(b_, room.buffer, room.offset, room.type, std::move(shape), room.pitch);
}

void Lowering::keepIn(const ArrayRef& room, const ArrayRef& array) {
  place_.room->check(b_, saturatingCount(b_, array.shape));
  copyArray(b_, place_, inRoom(room, array.shape), array);
}

// ---- match

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
    same_buffer = same_buffer && !array.isVirtual() && !isOwned(arm, array) &&
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
  const bool may_mix = place_.can_rebind && place_.space == Space::kDevice &&
                       std::any_of(results.begin(), results.end(), isBorrowed);
  if (!borrow && may_mix) return joinMixed(value, position, arms, results, isBorrowed);
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
// has a name of its own, which is empty behind an arm of the first kind.
ArrayRef Lowering::joinMixed(ValueId value, size_t position, std::vector<Block>& arms,
                             std::vector<Results>& results,
                             const std::function<bool(const Results&)>& is_borrowed) {
  const core::Type& type = core_.type(value);
  const std::string& name = core_.values[value].name;
  const BufferId joined = b_.buffer(name, type.scalar, place_.space);
  const ArrayRef kept = place_.allocate(b_, name, type.scalar, {kZero});
  joined_[joined].push_back(kept.buffer);
  for (size_t a = 0; a < arms.size(); a++) {
    arms[a] = b_.capture(
        [&] {
          const ArrayRef& array = results[a].arrays[position];
          if (is_borrowed(results[a]) && mayTake(results[a], position)) {
            b_.append(Swap{kept.buffer, array.buffer});
            b_.append(Rebind{joined, kept.buffer});
          } else if (is_borrowed(results[a])) {
            joined_[joined].push_back(array.buffer);
            b_.append(Rebind{joined, array.buffer});
          } else {
            const ArrayRef own = ownedDense(array, results[a]);
            b_.append(Swap{kept.buffer, own.buffer});
            release({own.buffer});
            b_.append(Rebind{joined, kept.buffer});
          }
        },
        std::move(arms[a]));
  }
  scope_->owned.push_back(kept.buffer);
  return denseArray(b_, joined, kZero, type.scalar, scalars(type.shape));
}

// An array of the body around the arms without a later use: its memory may become the result's.
bool Lowering::mayTake(const Results& arm, size_t position) const {
  const ArrayRef& array = arm.arrays[position];
  const std::vector<BufferId>& owned = scope_->owned;
  const bool is_ours = place_.can_rebind && place_.space == Space::kDevice && isPlain(array) &&
                       std::find(owned.begin(), owned.end(), array.buffer) != owned.end();
  if (!is_ours) return false;
  for (size_t k = 0; k < arm.arrays.size(); k++) {
    const ArrayRef& other = arm.arrays[k];
    const bool is_there = other.buffer.valid() && !other.isVirtual();
    if (k != position && is_there && touches(other.buffer, array.buffer)) return false;
  }
  return std::all_of(scope_->live.begin(), scope_->live.end(), [&](ValueId value) {
    const ArrayRef& live = this->array(value);
    if (live.isVirtual() || !touches(live.buffer, array.buffer)) return true;
    auto last = scope_->last_use.find(value);
    return last == scope_->last_use.end() || last->second <= scope_->position;
  });
}

// The array's name gets other memory, as the body gives it back in any case.
void Lowering::take(BufferId joined, const ArrayRef& array) {
  const ArrayRef empty = place_.allocate(b_, "taken", array.type, {kZero});
  b_.append(Rebind{joined, array.buffer});
  b_.append(Rebind{array.buffer, empty.buffer});
}

// ---- loop

std::vector<Lowering::CarriedArray> Lowering::planCarried(const core::Loop& node) {
  using Mode = CarriedArray::Mode;
  size_t count = node.carried.size();
  std::vector<CarriedArray> plan(count);
  for (size_t k = 0; k < count; k++) {
    CarriedArray& carried = plan[k];
    carried.position = k;
    const core::Type& type = core_.type(node.carried[k].param);
    if (type.isScalar()) continue;
    bool fixed = std::none_of(type.shape.begin(), type.shape.end(),
                              [&](const core::Operand& size) { return isBound(node, size); });
    carried.mode = fixed ? Mode::kRotate : Mode::kFresh;
    ValueId root = inPlaceRoot(core_, node.body, node.body.results[k].value);
    for (size_t j = 0; j < count; j++) {
      if (node.carried[j].param != root) continue;
      carried.from = static_cast<int>(j);
      if (j == k) carried.mode = Mode::kInPlace;
    }
    carried.is_mapped = carried.mode == Mode::kRotate && place_.space != Space::kShared &&
                        isMappedInPlace(core_, node, k);
    if (carried.is_mapped) carried.mode = Mode::kInPlace;
  }
  // Memory is handed over only between rotating arrays of one shape, and to one of them.
  std::vector<int> takers(count, 0);
  for (CarriedArray& carried : plan) {
    if (carried.from < 0 || carried.mode == Mode::kInPlace) continue;
    const CarriedArray& giver = plan[static_cast<size_t>(carried.from)];
    bool fits = place_.can_rebind && carried.mode == Mode::kRotate && giver.mode == Mode::kRotate &&
                core_.type(node.carried[carried.position].param) ==
                    core_.type(node.carried[giver.position].param) &&
                takers[giver.position]++ == 0;
    if (!fits) carried.from = -1;
  }
  for (const CarriedArray& last : plan) {
    size_t length = 1;
    const CarriedArray* at = &last;
    while (at->mode == Mode::kRotate && at->from >= 0 && length <= count) {
      at = &plan[static_cast<size_t>(at->from)];
      length++;
    }
    CarriedArray& maker = plan[at->position];
    maker.lifetime = std::max(maker.lifetime, length);
  }
  addStepBuffers(node, plan);
  return plan;
}

// An array that only one parameter of the loop begins with, and nothing else looks at.
bool Lowering::endsAt(const core::Stm& stm, const core::Loop& node, ValueId initial) const {
  const auto begins = std::count_if(
      node.carried.begin(), node.carried.end(),
      [&](const core::Carried& carried) { return carried.initial == core::Operand(initial); });
  return place_.can_rebind && place_.space == Space::kDevice && begins == 1 &&
         isLastUse(initial, stm) && !core::freeValues(core_, node.body).contains(initial);
}

void Lowering::startCarried(const core::Stm& stm, const core::Loop& node, CarriedArray& carried) {
  using Mode = CarriedArray::Mode;
  const core::Carried& binder = node.carried[carried.position];
  const core::Type& type = core_.type(binder.param);
  const std::string& name = core_.values[binder.param].name;
  if (carried.mode == Mode::kScalar) {
    carried.var = b_.declare(name, type.scalar, scalar(binder.initial));
    set(binder.param, Operand(carried.var));
    return;
  }
  const ArrayRef initial = array(binder.initial.value);
  Operands shape = initial.shape;
  bool is_own = binder.consumed || (carried.is_mapped && isLastUse(binder.initial.value, stm) &&
                                    isReadByOneStart(core_, node, binder.initial.value));
  if (carried.mode == Mode::kInPlace && (is_own || !carried.is_mapped)) {
    carried.current = is_own ? real(initial) : initial;
    return;
  }
  if (carried.mode == Mode::kFresh && place_.room) return startRoom(carried, name, initial);
  if (carried.mode == Mode::kFresh && endsAt(stm, node, binder.initial.value)) {
    const BufferId current = b_.buffer(name, type.scalar, place_.space);
    scope_->owned.push_back(current);
    take(current, initial);
    carried.current = initial;
    carried.current.buffer = current;
    return;
  }
  if (startHalves(carried, name, initial)) return;
  if (carried.mode == Mode::kFresh || carried.is_mapped || !place_.can_rebind) {
    carried.current = fresh(name, type.scalar, shape);
    copyArray(b_, place_, carried.current, initial);
    if (carried.mode == Mode::kRotate) {
      carried.ring = {fresh(name, type.scalar, shape).buffer};
    }
    return;
  }
  ArrayRef start = initial;
  if (!isPlain(initial)) {
    start = fresh(name, type.scalar, shape);
    copyArray(b_, place_, start, initial);
  }
  BufferId current = b_.buffer(name, type.scalar, place_.space);
  b_.append(Rebind{current, start.buffer});
  joined_[current] = {start.buffer};
  carried.current = start;
  carried.current.buffer = current;
  if (carried.from >= 0) return;
  for (size_t i = 0; i <= carried.lifetime; i++) {
    carried.ring.push_back(place_.allocate(b_, name, type.scalar, shape).buffer);
  }
}

// An array of more than a few elements is not copied in each step. The step reads one half of its
// memory and writes the other one.
bool Lowering::startHalves(CarriedArray& carried, const std::string& name,
                           const ArrayRef& initial) {
  const bool rotates =
      carried.mode == CarriedArray::Mode::kRotate && !carried.is_mapped && !place_.can_rebind;
  if (!rotates) return false;
  const Operand count = elementCount(b_, initial.shape);
  if (count.isConstant() && count.constant.asSigned() <= kFewCopied) return false;
  Operands shape = initial.shape;
  shape.insert(shape.begin(), Operand::ofI64(2));
  carried.halves = fresh(name, initial.type, shape);
  carried.half = b_.declare("half", ScalarType::kI64, kZero);
  carried.current = halfOf(carried, kZero);
  copyArray(b_, place_, carried.current, initial);
  return true;
}

void Lowering::startRoom(CarriedArray& carried, const std::string& name, const ArrayRef& initial) {
  carried.halves = fresh(name, initial.type, {Operand::ofI64(2), place_.room->elements()});
  carried.half = b_.declare("half", ScalarType::kI64, kZero);
  keepIn(halfOf(carried, kZero), initial);
}

ArrayRef Lowering::currentHalf(const CarriedArray& carried, const core::Type& type) {
  ArrayRef half = halfOf(carried, Operand(carried.half));
  return carried.mode == CarriedArray::Mode::kFresh ? inRoom(half, scalars(type.shape)) : half;
}

ArrayRef Lowering::halfOf(const CarriedArray& carried, const Operand& number) {
  ArrayRef half = prefixView(b_, *carried.halves, {number});
  half.dense = true;
  return half;
}

Destinations Lowering::carriedDestinations(const core::Loop& node,
                                           const std::vector<CarriedArray>& plan) {
  Destinations destinations(node.carried.size());
  for (const CarriedArray& carried : plan) {
    if (carried.is_mapped) destinations[carried.position] = carried.current;
    if (carried.halves && carried.mode != CarriedArray::Mode::kFresh) {
      destinations[carried.position] =
          halfOf(carried, b_.sub(Operand::ofI64(1), Operand(carried.half)));
    }
    if (carried.ring.empty()) continue;
    ArrayRef next = carried.current;
    next.buffer = carried.ring[0];
    destinations[carried.position] = next;
  }
  return destinations;
}

// Memory changes hands.
void Lowering::rotate(const std::vector<CarriedArray>& plan) {
  using Mode = CarriedArray::Mode;
  std::vector<std::pair<BufferId, BufferId>> moves;  // handed over, read before written
  for (const CarriedArray& carried : plan) {
    if (!place_.can_rebind || carried.mode != Mode::kRotate || carried.from < 0) continue;
    const CarriedArray& giver = plan[static_cast<size_t>(carried.from)];
    BufferId saved = b_.buffer("handed", giver.current.type, place_.space);
    b_.append(Rebind{saved, giver.current.buffer});
    moves.emplace_back(carried.current.buffer, saved);
  }
  for (const CarriedArray& carried : plan) {
    if (carried.ring.size() > 1) moves.emplace_back(carried.current.buffer, carried.ring[0]);
  }
  for (auto [to, from] : moves) b_.append(Rebind{to, from});
  for (const CarriedArray& carried : plan) {
    for (size_t i = 0; i + 1 < carried.ring.size(); i++) {
      b_.append(Swap{carried.ring[i], carried.ring[i + 1]});
    }
  }
}

void Lowering::advance(std::vector<CarriedArray>& plan, Results& results) {
  using Mode = CarriedArray::Mode;
  if (!place_.can_rebind) {
    for (CarriedArray& carried : plan) {
      if (carried.mode == Mode::kFresh) {
        HALO_CHECK(carried.halves, "array of changing size where memory is fixed");
        const Operand next = b_.sub(Operand::ofI64(1), Operand(carried.half));
        keepIn(halfOf(carried, next), results.arrays[carried.position]);
      }
      if (carried.ring.empty()) continue;
      copyArray(b_, place_, carried.current, results.arrays[carried.position]);
    }
  }
  rotate(plan);
  // All new arrays first: one may be a view of memory that another is about to free.
  std::vector<std::pair<CarriedArray*, ArrayRef>> fresh_arrays;
  for (CarriedArray& carried : plan) {
    if (carried.mode != Mode::kFresh || carried.halves) continue;
    fresh_arrays.emplace_back(&carried, ownedDense(results.arrays[carried.position], results));
  }
  for (auto& [carried, next] : fresh_arrays) {
    release({carried->current.buffer});
    b_.append(Rebind{carried->current.buffer, next.buffer});
  }
  std::vector<VarId> vars;
  Operands values;
  for (const CarriedArray& carried : plan) {
    if (carried.halves) {
      vars.push_back(carried.half);
      values.push_back(b_.sub(Operand::ofI64(1), Operand(carried.half)));
    }
    if (carried.mode != Mode::kScalar) continue;
    vars.push_back(carried.var);
    values.push_back(results.scalars[carried.position]);
  }
  assignAll(b_, vars, values);
  release(results.owned);
}

// The first buffer of a ring holds nothing any more; the others may, so they live as long as the
// results.
void Lowering::finishCarried(const core::Stm& stm, std::vector<CarriedArray>& plan) {
  using Mode = CarriedArray::Mode;
  std::vector<BufferId> rings;
  for (CarriedArray& carried : plan) {
    if (carried.ring.size() < 2) continue;
    release({carried.ring[0]});
    for (size_t i = 1; i < carried.ring.size(); i++) {
      rings.push_back(carried.ring[i]);
      scope_->owned.push_back(carried.ring[i]);
    }
  }
  std::vector<BufferId> starts;
  for (const CarriedArray& carried : plan) {
    if (carried.mode != Mode::kRotate || !place_.can_rebind) continue;
    starts.insert(starts.end(), joined_[carried.current.buffer].begin(),
                  joined_[carried.current.buffer].end());
  }
  for (CarriedArray& carried : plan) {
    ValueId result = stm.results[carried.position];
    if (carried.mode == Mode::kScalar) set(result, Operand(carried.var));
  }
  for (CarriedArray& carried : plan) {
    ValueId result = stm.results[carried.position];
    if (carried.mode == Mode::kScalar) continue;
    if (carried.settled) {
      set(result, *carried.settled);
      continue;
    }
    if (carried.halves) carried.current = currentHalf(carried, core_.type(result));
    ArrayRef array = carried.current;
    if (carried.mode == Mode::kRotate && place_.can_rebind) {
      std::vector<BufferId>& joined = joined_[array.buffer];
      joined = starts;
      joined.insert(joined.end(), rings.begin(), rings.end());
    }
    if (carried.mode == Mode::kFresh && !carried.halves) {
      array = denseArray(b_, array.buffer, kZero, array.type, scalars(core_.type(result).shape));
    }
    set(result, std::move(array));
  }
}

// Arrays that each step finds elsewhere, or in another shape: strides are products of its extents.
void Lowering::bindSteps(const core::Loop& node, std::vector<CarriedArray>& plan) {
  for (CarriedArray& carried : plan) {
    const ValueId param = node.carried[carried.position].param;
    if (carried.halves) {
      carried.current = currentHalf(carried, core_.type(param));
    } else if (carried.mode == CarriedArray::Mode::kFresh) {
      carried.current = denseArray(b_, carried.current.buffer, kZero, carried.current.type,
                                   scalars(core_.type(param).shape));
    } else {
      continue;
    }
    env_.arrays[param] = carried.current;
  }
}

void Lowering::lower(const core::Stm& stm, const core::Loop& node) {
  if (place_.vectorise && !in_lanes_ && independent_ == 0) {
    if (auto compaction = asCompaction(core_, node)) {
      return lowerCompaction(stm, node, *compaction);
    }
  }
  std::vector<CarriedArray> plan = planCarried(node);
  for (CarriedArray& carried : plan) startCarried(stm, node, carried);
  for (CarriedArray& carried : plan) {
    if (carried.mode == CarriedArray::Mode::kScalar) continue;
    env_.arrays[node.carried[carried.position].param] = carried.current;
  }
  auto iteration = [&] {
    bindSteps(node, plan);
    Results results = body(node.body, carriedDestinations(node, plan));
    advance(plan, results);
  };
  const auto* counted = std::get_if<core::ForLoop>(&node.form);
  // A loop may carry nothing: its checks are all that is left of it.
  if (canBlockSteps(node, plan)) {
    lowerStepGroups(node, plan);
  } else if (counted != nullptr) {
    allowExchange(plan);
    const Operand bound = scalar(counted->bound);
    b_.forLoop(core_.values[counted->index].name, kZero, bound, [&](Operand i) {
      set(counted->index, i);
      iteration();
    });
    settle(plan, [&] { return b_.prim(Op::kLt, ScalarType::kI64, {kZero, bound}); });
  } else if (place_.guard && place_.guard->guards(node)) {
    lowerGuarded(node, plan);
  } else {
    auto condition = static_cast<size_t>(std::get<core::WhileLoop>(node.form).condition);
    allowExchange(plan);
    const Operand runs = scalar(node.carried[condition].initial);
    Operand running = plan[condition].var;
    b_.whileLoop([&] { return running; }, iteration);
    settle(plan, [&] { return runs; });
  }
  finishCarried(stm, plan);
}

// ---- call

// Arrays go dense, as a buffer and an offset. The callee's results are fresh, except those in the
// place of a consumed argument, which are not returned at all.
void Lowering::lower(const core::Stm& stm, const core::Call& node) {
  const core::Function* callee = core_.find(node.function);
  HALO_CHECK(callee != nullptr, "call of an unknown function");
  Call call;
  call.function = node.function;
  std::vector<ArrayRef> arguments(node.args.size());
  for (size_t k = 0; k < node.args.size(); k++) {
    if (core_.type(node.args[k]).isScalar()) {
      call.scalars.push_back(scalar(node.args[k]));
      continue;
    }
    arguments[k] = dense(array(node.args[k].value));
    call.buffers.push_back(arguments[k].buffer);
    call.scalars.push_back(arguments[k].offset);
  }
  std::vector<std::pair<ValueId, BufferId>> fresh_results;
  std::vector<std::pair<ValueId, size_t>> in_place;
  for (size_t k = 0; k < stm.results.size(); k++) {
    ValueId result = stm.results[k];
    const core::Type& type = core_.type(result);
    const std::string& name = core_.values[result].name;
    if (type.isScalar()) {
      VarId var = b_.program().addVar(name, type.scalar);
      call.results.push_back(var);
      set(result, Operand(var));
    } else if (auto argument = inPlaceArgument(core_, *callee, k)) {
      in_place.emplace_back(result, *argument);
    } else {
      BufferId buffer = b_.buffer(name, type.scalar, place_.space);
      call.result_buffers.push_back(buffer);
      fresh_results.emplace_back(result, buffer);
    }
  }
  b_.append(std::move(call));
  for (auto [result, buffer] : fresh_results) {
    scope_->owned.push_back(buffer);
    set(result, denseArray(b_, buffer, kZero, core_.type(result).scalar,
                           scalars(core_.type(result).shape)));
  }
  for (auto [result, argument] : in_place) set(result, arguments[argument]);
}

std::optional<size_t> inPlaceArgument(const core::Program& core, const core::Function& function,
                                      size_t result) {
  const core::Operand& value = function.body.results[result];
  if (value.isConstant()) return std::nullopt;
  ValueId root = inPlaceRoot(core, function.body, value.value);
  for (size_t k = 0; k < function.params.size() && k < function.consumed.size(); k++) {
    if (function.params[k] == root && function.consumed[k]) return k;
  }
  return std::nullopt;
}

}  // namespace halo::imp
