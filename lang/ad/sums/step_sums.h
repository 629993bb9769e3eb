// Sums that a step of a loop adds up, as `loop_sums` needs them.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lang/ad/emit.h"
#include "lang/core/definitions.h"

namespace halo::ad {

// `total[indices] += sum`, in each step.
struct Term {
  Operands indices;
  ValueId sum;
};

// The inputs of a sum: arrays of a step whose outermost dimension is added up.
struct Sum {
  const Stm* stm;
  std::map<ValueId, ValueId> leaves;  // by the sum's input: the array, perhaps with axes in order
};

// Points into the statements of the loop.
class StepSums {
 public:
  StepSums(Program& program, const core::Loop& loop);

  // Of a carried value that takes nothing but sums, one for each of its parts. `dead`: the values
  // of the step that add them.
  std::optional<std::vector<Term>> terms(size_t k, std::unordered_set<ValueId>& dead) const;

  // Nothing if it reads anything else of the step.
  std::optional<Sum> read(ValueId value) const;

  bool isOfStep(ValueId value) const {
    return definitions_.contains(value) || carried_.contains(value);
  }
  const Stm* maker(const Operand& value) const;

 private:
  using Found = std::optional<std::pair<Operand, Term>>;  // the total before it

  Found ofUpdate(const core::Update& update, ValueId start, std::map<ValueId, int>& seen) const;
  static Found ofWhole(const Stm& stm);
  static bool areLiteral(const Operands& indices);
  static bool differ(const Operands& a, const Operands& b);
  bool readLevel(const core::Screma& node, std::map<ValueId, ValueId>& roots, Sum& sum) const;
  bool readsStep(const core::Lambda& map) const;  // beside its inputs
  // `rank`: of the input, which is left of the root where the nest has walked over outer axes.
  bool readLeaf(ValueId root, size_t rank, const Operand& width, Sum& sum) const;

  Program& program_;
  const core::Loop& loop_;
  std::unordered_map<ValueId, int> uses_;
  core::Definitions definitions_;
  std::unordered_set<ValueId> carried_;
  std::vector<Operands> rows_;  // shapes of the rows that the steps read of arrays
};

}  // namespace halo::ad
