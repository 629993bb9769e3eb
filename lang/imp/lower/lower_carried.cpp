// The arrays that a loop carries: how the memory of each goes from step to step, and where it
// starts.
#include <algorithm>

#include "lang/base/check.h"
#include "lang/core/rewrite.h"
#include "lang/imp/lower/in_place.h"
#include "lang/imp/lower/lower_loop.h"

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

void LoopLowering::planCarried() {
  plan_.resize(node_.carried.size());
  for (size_t k = 0; k < plan_.size(); ++k) {
    plan_[k].position = k;
    planMemory(plan_[k]);
  }
  planExchanges();
  planLifetimes();
  addStepBuffers();
}

void LoopLowering::planMemory(CarriedArray& carried) const {
  using Mode = CarriedArray::Mode;
  const size_t k = carried.position;
  const core::Type& type = core_.type(node_.carried[k].param);
  if (type.isScalar()) return;
  bool fixed = std::none_of(type.shape.begin(), type.shape.end(),
                            [&](const core::Operand& size) { return isBound(node_, size); });
  carried.mode = fixed ? Mode::kRotate : Mode::kFresh;
  ValueId root = inPlaceRoot(core_, node_.body, node_.body.results[k].value);
  for (size_t j = 0; j < node_.carried.size(); ++j) {
    if (node_.carried[j].param != root) continue;
    carried.from = static_cast<int>(j);
    if (j == k) carried.mode = Mode::kInPlace;
  }
  carried.is_mapped = carried.mode == Mode::kRotate && target_.space != Space::kShared &&
                      isMappedInPlace(core_, node_, k);
  if (carried.is_mapped) carried.mode = Mode::kInPlace;
}

// Memory is exchanged only between rotating arrays of one shape, and to one of them.
void LoopLowering::planExchanges() {
  using Mode = CarriedArray::Mode;
  std::vector<int> takers(plan_.size(), 0);
  for (CarriedArray& carried : plan_) {
    if (carried.from < 0 || carried.mode == Mode::kInPlace) continue;
    const CarriedArray& giver = plan_[static_cast<size_t>(carried.from)];
    bool fits = target_.can_rebind && carried.mode == Mode::kRotate &&
                giver.mode == Mode::kRotate &&
                core_.type(node_.carried[carried.position].param) ==
                    core_.type(node_.carried[giver.position].param) &&
                takers[giver.position]++ == 0;
    if (!fits) carried.from = -1;
  }
}

void LoopLowering::planLifetimes() {
  for (const CarriedArray& last : plan_) {
    size_t length = 1;
    const CarriedArray* at = &last;
    while (at->mode == CarriedArray::Mode::kRotate && at->from >= 0 && length <= plan_.size()) {
      at = &plan_[static_cast<size_t>(at->from)];
      ++length;
    }
    CarriedArray& maker = plan_[at->position];
    maker.lifetime = std::max(maker.lifetime, length);
  }
}

// An array that is the initial value of one parameter of the loop, and has no other use.
bool LoopLowering::endsAt(ValueId initial) const {
  const auto begins = std::count_if(
      node_.carried.begin(), node_.carried.end(),
      [&](const core::Carried& carried) { return carried.initial == core::Operand(initial); });
  return target_.can_rebind && target_.space == Space::kDevice && begins == 1 &&
         low_.isLastUse(initial, stm_) && !core::freeValues(core_, node_.body).contains(initial);
}

void LoopLowering::startCarried(CarriedArray& carried) {
  using Mode = CarriedArray::Mode;
  if (carried.mode == Mode::kScalar) return startScalar(carried);
  const core::Carried& binder = node_.carried[carried.position];
  const ValueId from = binder.initial.value;
  const ArrayRef initial = low_.array(from);
  bool is_own = binder.consumed || (carried.is_mapped && low_.isLastUse(from, stm_) &&
                                    isReadByOneStart(core_, node_, from));
  if (carried.mode == Mode::kInPlace && (is_own || !carried.is_mapped)) {
    carried.current = is_own ? low_.real(initial) : initial;
  } else if (carried.mode == Mode::kFresh) {
    startFresh(carried, initial);
  } else if (startHalves(carried, initial)) {
    return;
  } else if (carried.is_mapped || !target_.can_rebind) {
    carried.current = copyOf(carried, initial);
    if (carried.mode == Mode::kRotate) {
      carried.ring = {low_.fresh(nameOf(carried), initial.type, initial.shape).buffer};
    }
  } else {
    startRing(carried, initial);
  }
}

const std::string& LoopLowering::nameOf(const CarriedArray& carried) const {
  return core_.values[node_.carried[carried.position].param].name;
}

ArrayRef LoopLowering::copyOf(const CarriedArray& carried, const ArrayRef& initial) {
  ArrayRef copy = low_.fresh(nameOf(carried), initial.type, initial.shape);
  copyArray(b_, target_, copy, initial);
  return copy;
}

void LoopLowering::startScalar(CarriedArray& carried) {
  const core::Carried& binder = node_.carried[carried.position];
  carried.var =
      b_.declare(nameOf(carried), core_.type(binder.param).scalar, low_.scalar(binder.initial));
  low_.set(binder.param, Operand(carried.var));
}

void LoopLowering::startFresh(CarriedArray& carried, const ArrayRef& initial) {
  if (target_.room) return startRoom(carried, initial);
  if (!endsAt(node_.carried[carried.position].initial.value)) {
    carried.current = copyOf(carried, initial);
    return;
  }
  const BufferId current = b_.buffer(nameOf(carried), initial.type, target_.space);
  low_.scope_->owned.push_back(current);
  low_.exchange_.take(current, initial);
  carried.current = initial;
  carried.current.buffer = current;
}

// The first step reads the initial array, the others the buffers of a ring. A copy that a workgroup
// makes of the initial array is one of them.
void LoopLowering::startRing(CarriedArray& carried, const ArrayRef& initial) {
  const std::string& name = nameOf(carried);
  const bool is_copy = !isPlain(initial);
  carried.current = is_copy ? copyOf(carried, initial) : initial;
  const BufferId start = carried.current.buffer;
  const BufferId current = b_.buffer(name, initial.type, target_.space);
  b_.append(Rebind{current, start});
  low_.aliases_.set(current, {start});
  carried.current.buffer = current;
  if (carried.from >= 0) return;
  const bool holds_copy = is_copy && target_.space == Space::kShared;
  for (size_t i = holds_copy ? 1 : 0; i <= carried.lifetime; ++i) {
    carried.ring.push_back(target_.allocate(b_, name, initial.type, initial.shape).buffer);
  }
  if (!holds_copy) return;
  carried.ring.push_back(b_.buffer(name, initial.type, target_.space));
  b_.append(Rebind{carried.ring.back(), start});
  low_.aliases_.set(carried.ring.back(), {start});
}

// An array of more than a few elements is not copied in each step. The step reads one half of its
// memory and writes the other one.
bool LoopLowering::startHalves(CarriedArray& carried, const ArrayRef& initial) {
  const bool rotates =
      carried.mode == CarriedArray::Mode::kRotate && !carried.is_mapped && !target_.can_rebind;
  if (!rotates) return false;
  const Operand count = elementCount(b_, initial.shape);
  if (count.isConstant() && count.constant.asSigned() <= kFewCopied) return false;
  Operands shape = initial.shape;
  shape.insert(shape.begin(), Operand::ofI64(2));
  carried.halves = low_.fresh(nameOf(carried), initial.type, shape);
  carried.half = b_.declare("half", ScalarType::kI64, kZero);
  carried.current = halfOf(carried, kZero);
  copyArray(b_, target_, carried.current, initial);
  return true;
}

void LoopLowering::startRoom(CarriedArray& carried, const ArrayRef& initial) {
  carried.halves =
      low_.fresh(nameOf(carried), initial.type, {Operand::ofI64(2), target_.room->elements()});
  carried.half = b_.declare("half", ScalarType::kI64, kZero);
  low_.keepIn(halfOf(carried, kZero), initial);
}

ArrayRef LoopLowering::currentHalf(const CarriedArray& carried, const core::Type& type) {
  ArrayRef half = halfOf(carried, Operand(carried.half));
  return carried.mode == CarriedArray::Mode::kFresh ? inRoom(b_, half, low_.scalars(type.shape))
                                                    : half;
}

ArrayRef LoopLowering::halfOf(const CarriedArray& carried, const Operand& number) {
  ArrayRef half = prefixView(b_, *carried.halves, {number});
  half.dense = true;
  return half;
}

}  // namespace halo::imp
