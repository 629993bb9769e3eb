// Loops whose last array is exchanged for the memory of its destination, instead of being copied
// (buffer_exchange.h).
#include <algorithm>

#include "lang/imp/lower/lower_loop.h"

namespace halo::imp {

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
    if (isSettled(carried)) low_.exchange_.allow(carried.ring[0]);
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

}  // namespace halo::imp
