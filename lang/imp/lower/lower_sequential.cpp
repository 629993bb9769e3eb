// Sequential loops: where a step writes the arrays that the loop carries, which memory changes
// hands between two steps, and the forms of loops.
#include "lang/base/check.h"
#include "lang/imp/lower/lower_compaction.h"
#include "lang/imp/lower/lower_loop.h"
#include "lang/imp/schedule/disjoint_updates.h"
#include "lang/imp/simple_code.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

Destinations LoopLowering::carriedDestinations() {
  Destinations destinations(node_.carried.size());
  for (const CarriedArray& carried : plan_) {
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

// The carried arrays exchange their memory for the next step.
void LoopLowering::rotate() {
  using Mode = CarriedArray::Mode;
  std::vector<std::pair<BufferId, BufferId>> moves;  // exchanged, read before written
  for (const CarriedArray& carried : plan_) {
    if (!target_.can_rebind || carried.mode != Mode::kRotate || carried.from < 0) continue;
    const CarriedArray& giver = plan_[static_cast<size_t>(carried.from)];
    BufferId saved = b_.buffer("handed", giver.current.type, target_.space);
    b_.append(Rebind{saved, giver.current.buffer});
    moves.emplace_back(carried.current.buffer, saved);
  }
  for (const CarriedArray& carried : plan_) {
    if (carried.ring.size() > 1) moves.emplace_back(carried.current.buffer, carried.ring[0]);
  }
  for (auto [to, from] : moves) b_.append(Rebind{to, from});
  for (const CarriedArray& carried : plan_) {
    for (size_t i = 0; i + 1 < carried.ring.size(); ++i) {
      b_.append(Swap{carried.ring[i], carried.ring[i + 1]});
    }
  }
}

// Where memory cannot be rebound: the next array is copied to the place of this one.
void LoopLowering::keepFixed(const Results& results) {
  for (const CarriedArray& carried : plan_) {
    const ArrayRef& next = results.arrays[carried.position];
    if (carried.mode == CarriedArray::Mode::kFresh) {
      HALO_CHECK(carried.halves, "array of changing size where memory is fixed");
      low_.keepIn(halfOf(carried, b_.sub(Operand::ofI64(1), Operand(carried.half))), next);
    }
    if (!carried.ring.empty()) copyArray(b_, target_, carried.current, next);
  }
}

void LoopLowering::advance(Results& results) {
  using Mode = CarriedArray::Mode;
  if (!target_.can_rebind) keepFixed(results);
  rotate();
  // All new arrays first: one may be a view of memory that another is about to free.
  std::vector<std::pair<CarriedArray*, ArrayRef>> fresh_arrays;
  for (CarriedArray& carried : plan_) {
    if (carried.mode != Mode::kFresh || carried.halves) continue;
    fresh_arrays.emplace_back(&carried, low_.ownedDense(results.arrays[carried.position], results));
  }
  for (auto& [carried, next] : fresh_arrays) {
    low_.release({carried->current.buffer});
    b_.append(Rebind{carried->current.buffer, next.buffer});
  }
  std::vector<VarId> vars;
  Operands values;
  for (const CarriedArray& carried : plan_) {
    if (carried.halves) {
      vars.push_back(carried.half);
      values.push_back(b_.sub(Operand::ofI64(1), Operand(carried.half)));
    }
    if (carried.mode != Mode::kScalar) continue;
    vars.push_back(carried.var);
    values.push_back(results.scalars[carried.position]);
  }
  assignAll(b_, vars, values);
  low_.release(results.owned);
}

// The first buffer of a ring is dead; the others may hold results, so they live as long as these.
std::vector<BufferId> LoopLowering::releaseRings() {
  std::vector<BufferId> kept;
  for (const CarriedArray& carried : plan_) {
    if (carried.ring.size() < 2) continue;
    low_.release({carried.ring[0]});
    kept.insert(kept.end(), carried.ring.begin() + 1, carried.ring.end());
  }
  std::vector<BufferId>& owned = low_.scope_->owned;
  owned.insert(owned.end(), kept.begin(), kept.end());
  return kept;
}

ArrayRef LoopLowering::finished(CarriedArray& carried) {
  if (carried.settled) return *carried.settled;
  const core::Type& type = core_.type(stm_.results[carried.position]);
  if (carried.halves) return currentHalf(carried, type);
  const ArrayRef& array = carried.current;
  if (carried.mode != CarriedArray::Mode::kFresh) return array;
  return denseArray(b_, array.buffer, kZero, array.type, low_.scalars(type.shape));
}

void LoopLowering::finishCarried() {
  using Mode = CarriedArray::Mode;
  auto rotates = [&](const CarriedArray& carried) {
    return carried.mode == Mode::kRotate && target_.can_rebind;
  };
  const std::vector<BufferId> rings = releaseRings();
  std::vector<BufferId> memory;  // of any rotating array
  for (const CarriedArray& carried : plan_) {
    if (!rotates(carried)) continue;
    const std::vector<BufferId>& starts = low_.aliases_.of(carried.current.buffer);
    memory.insert(memory.end(), starts.begin(), starts.end());
  }
  memory.insert(memory.end(), rings.begin(), rings.end());
  for (const CarriedArray& carried : plan_) {
    if (carried.mode != Mode::kScalar) continue;
    low_.set(stm_.results[carried.position], Operand(carried.var));
  }
  for (CarriedArray& carried : plan_) {
    if (carried.mode == Mode::kScalar) continue;
    ArrayRef array = finished(carried);
    if (rotates(carried) && !carried.settled) low_.aliases_.set(array.buffer, memory);
    low_.set(stm_.results[carried.position], std::move(array));
  }
}

// Arrays that each step finds elsewhere, or in another shape: strides are products of its extents.
void LoopLowering::bindSteps() {
  for (CarriedArray& carried : plan_) {
    const ValueId param = node_.carried[carried.position].param;
    if (carried.halves) {
      carried.current = currentHalf(carried, core_.type(param));
    } else if (carried.mode == CarriedArray::Mode::kFresh) {
      carried.current = denseArray(b_, carried.current.buffer, kZero, carried.current.type,
                                   low_.scalars(core_.type(param).shape));
    } else {
      continue;
    }
    env_.arrays[param] = carried.current;
  }
}

// The memory of an array of changing size is the loop's own, and the next step's begins empty.
Results LoopLowering::step() {
  const size_t before = low_.exchange_.stepArrays();
  for (const CarriedArray& carried : plan_) {
    if (carried.mode != CarriedArray::Mode::kFresh || carried.halves) continue;
    low_.exchange_.addStepArray(
        {carried.current.buffer, node_.carried[carried.position].param, low_.scope_});
  }
  Results results = low_.body(node_.body, carriedDestinations());
  low_.exchange_.dropStepArrays(before);
  return results;
}

void LoopLowering::iteration() {
  bindSteps();
  Results results = step();
  advance(results);
}

void LoopLowering::lowerCounted(const core::ForLoop& form) {
  allowExchange();
  const Operand bound = low_.scalar(form.bound);
  const VarId var = b_.program().addVar(core_.values[form.index].name, ScalarType::kI64);
  Block made = b_.capture([&] {
    low_.set(form.index, var);
    iteration();
  });
  // Cells of a nest have lanes or threads already.
  const bool may_vector = target_.vectorise && !low_.in_lanes_ && low_.independent_ == 0;
  const bool vector = may_vector && isStraight(made) && hasDisjointUpdates(core_, node_);
  b_.append(For{var, kZero, bound, vector ? Schedule::kVector : Schedule::kSequential,
                vector ? kVectorWidth : 1, std::move(made)});
  settle([&] { return b_.prim(Op::kLt, ScalarType::kI64, {kZero, bound}); });
}

void LoopLowering::lowerWhile(const core::WhileLoop& form) {
  const auto condition = static_cast<size_t>(form.condition);
  allowExchange();
  const Operand runs = low_.scalar(node_.carried[condition].initial);
  const Operand running = plan_[condition].var;
  b_.whileLoop([&] { return running; }, [&] { iteration(); });
  settle([&] { return runs; });
}

void LoopLowering::run() {
  planCarried();
  for (CarriedArray& carried : plan_) startCarried(carried);
  for (CarriedArray& carried : plan_) {
    if (carried.mode == CarriedArray::Mode::kScalar) continue;
    env_.arrays[node_.carried[carried.position].param] = carried.current;
  }
  // A loop that carries no value still has its checks.
  if (canBlockSteps()) {
    lowerStepGroups();
  } else if (const auto* counted = std::get_if<core::ForLoop>(&node_.form)) {
    lowerCounted(*counted);
  } else if (target_.guard && target_.guard->guards(node_)) {
    lowerGuarded();
  } else {
    lowerWhile(std::get<core::WhileLoop>(node_.form));
  }
  finishCarried();
}

void Lowering::lower(const core::Stm& stm, const core::Loop& node) {
  if (target_.vectorise && !in_lanes_ && independent_ == 0) {
    if (auto compaction = asCompaction(core_, node)) {
      return CompactionLowering(*this, stm, node, *compaction).run();
    }
  }
  LoopLowering(*this, stm, node).run();
}

}  // namespace halo::imp
