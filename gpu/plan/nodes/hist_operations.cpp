// Each kind asks all operations.
#include "gpu/plan/nodes/hist_operations.h"

#include <algorithm>

#include "gpu/plan/nodes/atomic_hist.h"
#include "gpu/plan/nodes/row_operator.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

// An operator that may fail is not for bins that no element has, which tables combine as well.
bool canHaveTables(const core::Program& program, const core::Hist& hist) {
  return handsRowsOn(program, hist) &&
         std::all_of(hist.operations.begin(), hist.operations.end(), [&](const core::HistOp& op) {
           return rowOperator(program, op.op) && !core::mayFail(op.op);
         });
}

bool isAtomic(const core::Program& program, const core::Hist& hist) {
  return std::all_of(hist.operations.begin(), hist.operations.end(), [&](const core::HistOp& op) {
    return op.destinations.size() == 1 && atomicOperator(program, op);
  });
}

bool areRowsAtomic(const core::Program& program, const core::Hist& hist) {
  const auto isRowAtomic = [&](const core::HistOp& op) {
    const auto row = rowOperator(program, op.op);
    return row && op.destinations.size() == 1 && atomicOperator(program, *row->element);
  };
  return handsRowsOn(program, hist) &&
         std::all_of(hist.operations.begin(), hist.operations.end(), isRowAtomic);
}

}  // namespace halo::gpu
