// Accumulators of reductions and scans in sequential loops. See accumulators.cpp.
#pragma once

#include "lang/imp/lower/lowering.h"

namespace halo::imp {

struct Accumulator {
  core::ValueId result;  // of the statement
  ScalarType type;
  VarId var;             // scalars
  ArrayRef array, next;  // arrays
  bool is_array = false;
};
using Accumulators = std::vector<Accumulator>;  // of one reduction or scan

// The accumulators of one statement.
class AccumulatorLowering {
 public:
  AccumulatorLowering(Lowering& lowering, const core::Stm& stm);
  std::vector<Accumulators> startReductions(const std::vector<core::Reduction>& reductions);
  // `first_result`: the result of the statement that the first accumulator belongs to.
  Accumulators startScan(const core::Scan& scan, size_t first_result);
  // Returns how many of the values the reductions took.
  size_t combineReductions(const std::vector<core::Reduction>& reductions,
                           std::vector<Accumulators>& accumulators, const Results& values);
  void combine(const core::Lambda& op, Accumulators& accumulators, const Results& values,
               size_t first_value);
  void finish(const Accumulators& accumulators);  // sets the results

 private:
  struct Memory {
    bool is_result = false;    // the accumulator is the result's memory
    bool is_in_place = false;  // the operator may write over it
  };
  Accumulators start(const core::Operands& neutral, size_t first_result, const Memory& memory);

  Lowering& low_;
  Builder& b_;
  const core::Program& core_;
  const core::Stm& stm_;
};

}  // namespace halo::imp
