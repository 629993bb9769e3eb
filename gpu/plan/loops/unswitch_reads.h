// While loops of which a version reads from the device in each step, by sizes that no step changes:
//
//   loop .. while go do {                     is_small = i64.le n 4194304
//     is_small = i64.le n 4194304             match is_small {
//     most = match is_small {          ->       true -> { loop .. while go do {
//       true -> { return n }                      most = match true { true -> { return n } .. }
//       else -> { box = ..;                       .. } }
//                 read = index box[0] ..        else -> { loop .. (as it was) } }
//     .. }
//
// The first of them may start iterations ahead (guardable.h): an arm that no constant chooses is
// never run. Kernels are the same functions in both.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

void unswitchReads(core::Program& program, core::Body& body);
// The first version in place of each such loop, to see which scalars stay on the device there.
void settleReads(core::Program& program, core::Body& body);

}  // namespace halo::gpu
