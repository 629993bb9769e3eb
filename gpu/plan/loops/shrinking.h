// Loops whose arrays become shorter, with arrays of one length instead:
//
//   (k', ys': [k']t, go') = loop (k = n, ys: [k]t = xs, go = c) while go do {
//     kept: [k]t, count, go = call main_2 (k, ys, call main_1 k)     main_1: scratch [k]t
//     shorter: [count]t = slice kept[0:count:1]
//     return count, shorter, go }
// becomes
//   (own', room': [n]t, go') = loop (own = n, room: [n]t = xs, go = c) while go do {
//     k = i64.min own n
//     ys: [k]t = slice room[0:k:1]
//     kept: [n]t, count, go = call main_2 (k, n, ys, call main_1 n)
//     return count, kept, go }
//   k' = i64.min own' n
//   ys': [k']t = call main_3 slice room'[0:k':1]                     main_3: copy
//
// Now `k` is a size that may stay on the device (bound_sizes.h), so that the host starts steps
// ahead. Arrays that no scratch makes are stored in one. A loop for which the host would wait all
// the same stays as it is.
#pragma once

#include <functional>
#include <string>

#include "lang/core/ir.h"

namespace halo::gpu {

void keepShrinking(core::Program& program, core::Function& host,
                   const std::function<std::string()>& next_name);

}  // namespace halo::gpu
