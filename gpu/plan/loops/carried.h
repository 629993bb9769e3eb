// Scalars that loops carry on the device.
#pragma once

#include <functional>
#include <string>

#include "lang/core/ir.h"

namespace halo::gpu {

// A carried scalar that stays on the device (placement.h) lives in an array of one element:
//
//   (xs', s') = loop (xs = xs0, s = 1f32) for i < n do { .. s1 = call main_2 ys; return (ys, s1) }
// becomes
//   a0 = call main_3 1f32                                                    [1]f32
//   (xs', a') = loop (xs = xs0, a = a0) for i < n do {
//     s = index a [0]; .. s1 = call main_2 ys; a1 = call main_4 s1; return (ys, a1) }
//   s' = index a' [0]
//
// One kernel of one invocation puts all of a loop's scalars away. Where only the device knows the
// condition of a while loop, that kernel passes it on as well, at the very end of the iteration. So
// the host may launch further iterations, whose kernels do nothing (imp::ExitFlag). Whatever else
// is not done by kernels in such a loop is: asserts, results that would be copied.
//
// A scalar that the arms of a match bring moves the same way: each arm puts it away.
//
// Asserts on values that stay on the device, and elements and rows at places that do, become
// kernels anywhere:
//
//   (p, v) = call main_1 xs                                (p, v) = call main_1 xs
//   row: [m]f32 = index xss[p]                       ->    row: [m]f32 = call main_3 p xss
//
// So do long chains of scalars. All that are known in front of the first one's user become one
// kernel of one invocation:
//
//   s = call main_1 xs                                     s = call main_1 xs
//   t = f32.mul s s;  u = f32.exp t; ..           ->       u, v = call main_3 s
//   v = f32.add t u; ..                                    ys = call main_2 u v xs
//   ys = call main_2 u v xs
//
// `say` is told of while loops that end in none of these ways, and why.
void keepCarriedOnDevice(core::Program& program, core::Function& host,
                         const std::function<std::string()>& next_name,
                         const std::function<void(const std::string&)>& say);

}  // namespace halo::gpu
