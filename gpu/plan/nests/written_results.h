// Which results of a workgroup's cell are made where they go.
//
//   zs = screma only_intra [n] (xs) map (x) {
//     (v', back') = loop (v = v0, back = b0) for t < k do {
//       w = screma [m] (js) map (j) { .. index v[i] .. };  b = update back[t] = w;  return w, b }
//     return v', back' }
//
// Steps read `v`, which is better in shared memory and copied in the end. Nothing reads `back`: it
// is written to its place in the device's memory, however large it is.
#pragma once

#include <unordered_set>

#include "lang/core/ir.h"

namespace halo::gpu {

// Whether a loop of the cell reads elements of the array that it changes from step to step, on the
// way to `result`.
bool isReadByLoops(const core::Program& program, const core::Body& body,
                   const core::Operand& result);

// The other results that a loop makes, and the values that they are made of in place.
std::unordered_set<core::ValueId> writtenInPlace(const core::Program& program,
                                                 const core::Body& body);

}  // namespace halo::gpu
