// The arrays that a loop carries: how the memory of each goes from step to step, and where it
// starts.
#include <algorithm>

#include "lang/base/check.h"
#include "lang/core/rewrite.h"
#include "lang/imp/lower/in_place.h"
#include "lang/imp/lower/lowering.h"

namespace halo::imp {

using core::ValueId;

namespace {

bool isBound(const core::Loop& node, const core::Operand& operand) {
  return std::any_of(node.carried.begin(), node.carried.end(), [&](const core::Carried& carried) {
    return operand == core::Operand(carried.param);
  });
}

// One carried value starts with this array, and nothing else in the loop reads it.
bool isReadByOneStart(const core::Program& core, const core::Loop& node, ValueId initial) {
  const auto starts = std::count_if(
      node.carried.begin(), node.carried.end(),
      [&](const core::Carried& carried) { return carried.initial == core::Operand(initial); });
  return starts == 1 && !core::freeValues(core, node.body).contains(initial);
}

}  // namespace

std::vector<CarriedArray> Lowering::planCarried(const core::Loop& node) {
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

}  // namespace halo::imp
