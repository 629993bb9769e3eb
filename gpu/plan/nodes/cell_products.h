// Statements of a cell that combine its own rows with all rows of an array from outside:
//
//   ys = screma [n] (qs) map (q: [d]f32) {
//     s = screma [m] (ks) map (k: [d]f32) { p = screma [d] (q, k) map .. reduce ..; return p }
//     .. }
//
// Over all cells together they are a matrix product, whose tiles read each row of `ks` once for
// many cells. A workgroup for each cell reads all of them again.
#pragma once

#include <functional>
#include <vector>

#include "gpu/plan/nests/kinds.h"

namespace halo::gpu {

// The extents of each such statement ({m, d} above). `is_outside`: bound in front of the cells.
std::vector<core::Operands> cellProducts(const core::Program& program, const core::Body& cell,
                                         const std::function<bool(core::ValueId)>& is_outside);

// Whether statements of the innermost cell reduce rows that lines of cells share, each line another
// one. Kernels of products read them once for many cells. `kinds`: of the cell's statements.
bool isTableOfProducts(const std::vector<const core::Screma*>& levels, const core::Body& cell,
                       const std::vector<Kind>& kinds);

}  // namespace halo::gpu
