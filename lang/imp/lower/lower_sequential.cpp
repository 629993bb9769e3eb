// Sequential loops: where a step writes the arrays that the loop carries, which memory changes
// hands between two steps, and the forms of loops.
#include "lang/base/check.h"
#include "lang/imp/lower/lower_compaction.h"
#include "lang/imp/lower/lowering.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

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

// The memory of an array of changing size is the loop's own, and the next step's begins empty.
Results Lowering::step(const core::Loop& node, const std::vector<CarriedArray>& plan) {
  const size_t before = step_arrays_.size();
  for (const CarriedArray& carried : plan) {
    if (carried.mode != CarriedArray::Mode::kFresh || carried.halves) continue;
    step_arrays_.push_back({carried.current.buffer, node.carried[carried.position].param, scope_});
  }
  Results results = body(node.body, carriedDestinations(node, plan));
  step_arrays_.resize(before);
  return results;
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
    Results results = step(node, plan);
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

}  // namespace halo::imp
