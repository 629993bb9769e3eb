// Scanned columns whose inputs and results lie in memory row by row, with nothing between the rows
// (VectorScan::fits): read, mapped and written four elements at a time, whatever their columns.
#pragma once

#include "gpu/templates/kernel/four.h"
#include "gpu/templates/kernel/guarded_stores.h"

namespace halo::gpu {

class DenseRows {
 public:
  // `cells`: host, of all columns.
  DenseRows(KernelScope& scope, const core::Screma& screma, const FlatInputs& flat,
            imp::Operand cells);

  using Targets = std::vector<GuardedStores::Target>;
  // Of each input the elements at, at + 1, ..
  std::vector<imp::Operands> load(const imp::Operand& at);
  // Of four elements from `at` on, those from `end` on become the first one, which lies in front of
  // it: the map may fail for elements behind an array.
  void repeatFirst(std::vector<imp::Operands>& loaded, const imp::Operand& at,
                   const imp::Operand& end);
  struct Mapped {
    std::vector<imp::Operands> values;  // for the operators, of each element
    Targets passed;                     // results that the map passes on
  };
  Mapped map(const imp::Operand& at, const std::vector<imp::Operands>& loaded);
  // Four scanned values of each result.
  Targets scanned(const std::vector<imp::Operands>& of_result);

 private:
  KernelScope& scope_;
  const core::Screma& screma_;
  const FlatInputs& flat_;
  imp::Operand cells_;
  size_t arity_ = 0;  // values of the operators
};

}  // namespace halo::gpu
