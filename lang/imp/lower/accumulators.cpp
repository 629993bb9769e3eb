// Accumulators of sequential loops: scalars are variables, arrays have memory of their own, which
// the operator writes over if it works element by element.
#include "lang/imp/lower/accumulators.h"

#include "lang/core/visit.h"

namespace halo::imp {

AccumulatorLowering::AccumulatorLowering(Lowering& lowering, const core::Stm& stm)
    : low_(lowering), b_(lowering.b_), core_(lowering.core_), stm_(stm) {}

Accumulators AccumulatorLowering::start(const core::Operands& neutral, size_t first_result,
                                        const Memory& memory) {
  Accumulators accumulators;
  for (size_t k = 0; k < neutral.size(); ++k) {
    Accumulator accumulator;
    accumulator.result = stm_.results[first_result + k];
    const core::Type type = core_.type(neutral[k]);
    accumulator.type = type.scalar;
    accumulator.is_array = !type.isScalar();
    if (accumulator.is_array) {
      const ArrayRef& initial = low_.array(neutral[k].value);
      accumulator.array = memory.is_result ? low_.destinations_.output(accumulator.result)
                                           : low_.fresh("acc", type.scalar, initial.shape);
      copyArray(b_, low_.target_, accumulator.array, initial);
      accumulator.next =
          memory.is_in_place ? accumulator.array : low_.fresh("next", type.scalar, initial.shape);
    } else {
      accumulator.var = b_.declare("acc", type.scalar, low_.scalar(neutral[k]));
    }
    accumulators.push_back(std::move(accumulator));
  }
  return accumulators;
}

// The results of reductions are the statement's first.
std::vector<Accumulators> AccumulatorLowering::startReductions(
    const std::vector<core::Reduction>& reductions) {
  std::vector<Accumulators> accumulators;
  size_t position = 0;
  for (const core::Reduction& reduction : reductions) {
    accumulators.push_back(
        start(reduction.neutral, position,
              {.is_result = true, .is_in_place = isElementwise(core_, reduction.op)}));
    position += reduction.neutral.size();
  }
  return accumulators;
}

Accumulators AccumulatorLowering::startScan(const core::Scan& scan, size_t first_result) {
  return start(scan.neutral, first_result, {.is_in_place = isElementwise(core_, scan.op)});
}

size_t AccumulatorLowering::combineReductions(const std::vector<core::Reduction>& reductions,
                                              std::vector<Accumulators>& accumulators,
                                              const Results& values) {
  size_t at = 0;
  for (size_t r = 0; r < accumulators.size(); ++r) {
    combine(reductions[r].op, accumulators[r], values, at);
    at += accumulators[r].size();
  }
  return at;
}

void AccumulatorLowering::combine(const core::Lambda& op, Accumulators& accumulators,
                                  const Results& values, size_t first_value) {
  size_t count = accumulators.size();
  Destinations destinations(count);
  for (size_t k = 0; k < count; ++k) {
    if (accumulators[k].is_array) {
      low_.env_.arrays[op.params[k]] = accumulators[k].array;
      low_.env_.arrays[op.params[count + k]] = values.arrays[first_value + k];
      destinations[k] = accumulators[k].next;
    } else {
      low_.env_.scalars[op.params[k]] = accumulators[k].var;
      low_.env_.scalars[op.params[count + k]] = values.scalars[first_value + k];
    }
  }
  Results results = low_.body(op.body, destinations);
  std::vector<VarId> vars;
  Operands next;
  for (size_t k = 0; k < count; ++k) {
    if (accumulators[k].is_array) {
      if (accumulators[k].next.buffer != accumulators[k].array.buffer) {
        copyArray(b_, low_.target_, accumulators[k].array, accumulators[k].next);
      }
    } else {
      vars.push_back(accumulators[k].var);
      next.push_back(results.scalars[k]);
    }
  }
  assignAll(b_, vars, next);
}

void AccumulatorLowering::finish(const Accumulators& accumulators) {
  for (const Accumulator& accumulator : accumulators) {
    if (accumulator.is_array) {
      low_.set(accumulator.result, accumulator.array);
    } else {
      low_.set(accumulator.result, Operand(accumulator.var));
    }
  }
}

}  // namespace halo::imp
