// Stencils one after another as one step of a loop, which is then done in one launch (iterated.h).
//
//   bs = stencil [n][m] (window as ..) map ..
//   cs = stencil [n][m] (window bs ..) map ..          bs without other uses
// becomes
//   cs = loop (xs = as) for i < 1 do {
//     bs = stencil [n][m] (window xs ..) map ..
//     cs = stencil [n][m] (window bs ..) map ..; return cs }
//
// Only stencils with windows on one array from outside that make one array of its type. `accepts`
// says whether the loop would be done at once, else the stencils stay.
//
// Why: each array between costs a write and a read of memory. On a large GPU rows were faster all
// the same, so this is for a forced schedule and for `halo tune`.
#pragma once

#include <functional>

#include "lang/core/ir.h"

namespace halo::gpu {

std::vector<core::Stm> chainStencils(core::Program& program, std::vector<core::Stm> stms,
                                     const core::Operands& results,
                                     const std::function<bool(const core::Stm&)>& accepts);

}  // namespace halo::gpu
