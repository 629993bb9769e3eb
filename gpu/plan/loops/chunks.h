// Reductions whose operator works on arrays, in chunks.
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// An operator on arrays keeps its accumulator in memory, so a whole reduction would be the work of
// one invocation. Instead
//
//   c: [m]f32 = screma [n] (xss) reduce op ne
// becomes
//   cs: [k][m]f32 = screma [k] (iota k) map (i) {
//     part = slice xss [i * l; min l (n - i * l)];  c = screma [..] (part) reduce op ne; return c }
//   c = screma [k] (cs) reduce op ne
//
// with k invocations for the first statement and one for the second. The order of elements stays.
// Nothing if the node does anything else.
std::vector<core::Stm> chunkReduction(core::Program& program, const core::Stm& stm);

}  // namespace halo::gpu
