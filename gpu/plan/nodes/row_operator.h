// Operators on rows as operators on each element of them.
#pragma once

#include <optional>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// `(x, y) { screma [m] (x, y) map f }`, at any depth, or an operator on scalars. The result: f
// itself, and for each parameter of f the operator's parameter that it is an element of.
struct RowOperator {
  const core::Lambda* element;
  std::vector<size_t> parameters;
};
// Nothing where elements depend on others of their row, or their code is long.
std::optional<RowOperator> rowOperator(const core::Program& core, const core::Lambda& op);

// Whether a histogram's map is short code of scalars and hands rows on as they are. Then each
// element may repeat the code of a whole row.
bool handsRowsOn(const core::Program& core, const core::Hist& hist);

}  // namespace halo::gpu
