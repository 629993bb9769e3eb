// Bounds for sizes that kernels count and the host does not know:
//
//   kept, count = call main_1 (n, xs)          kept, own = call main_1 (n, xs)
//   ys: [count]t = slice kept[0:count:1]  ->   is_small = i64.le n 4194304
//   zs = call main_2 (count, ys)               most = match is_small { true -> { return n }
//                                                else -> { box = call main_3 own
//                                                          read = index box[0]; return read } }
//                                              count = i64.min own most
//                                              ys: [count]t = slice kept[0:count:1]
//                                              zs = call main_2 (count, ys)
//
// So the host need not wait for the size (counted_sizes.h). Where `most` would be large, it waits
// as it otherwise does, and launches no more than there is.
//
// The same for a size that is one of two by a condition of the device:
//
//   m = match c { true -> { a = ..; return a }     a = ..
//     else -> { return b } }                  ->   most = i64.max a b  ..
//                                                  own = select c a b;  m = i64.min own most
#pragma once

#include <functional>
#include <string>

#include "lang/core/ir.h"

namespace halo::gpu {

// For all sizes of the function for which the host then waits no longer.
void boundSizes(core::Program& program, core::Function& host,
                const std::function<std::string()>& next_name);

}  // namespace halo::gpu
