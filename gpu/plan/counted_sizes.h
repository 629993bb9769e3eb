// Sizes that kernels count and the host does not know, beside bounds that it does know:
//
//   kept, count = call main_1 (n, xs)          kept, own = call main_1 (n, xs)
//   ys: [count]t = slice kept[0:count:1]  ->   is_small = i64.le n 1048576
//   zs = call main_2 (count, ys)               most = match is_small { true -> { return n }
//                                                else -> { box = call main_3 own
//                                                          read = index box[0]; return read } }
//                                              count = i64.min own most
//                                              ys: [count]t = slice kept[0:count:1]
//                                              zs = call main_2 (count, ys)
//
// The host gives arrays of `count` elements room for `most` and launches as much. Kernels find the
// size in device memory and leave the rest alone. So the host need not wait for the size. Where
// `most` would be large, it waits as it otherwise does, and launches no more than there is.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lang/core/ir.h"

namespace halo::gpu {

// More elements than this take longer than a wait.
inline constexpr int64_t kMostCounted = int64_t{1} << 20;

struct CountedSize {
  core::ValueId own;   // the kernel's
  core::Operand most;  // a constant up to kMostCounted; or `own`, where that is more
};

// Of the statement `count = i64.min own most`. `statement` finds the one that makes a value, if
// any.
using MakerOf = std::function<const core::Stm*(core::ValueId)>;
std::optional<CountedSize> countedSize(const core::Stm& stm, const MakerOf& statement);

// Whether the kernel may take this size parameter from the device. It does something for each of so
// many elements, or reads and checks elements of arrays of that length; its order of float
// operations is the same whatever room there is.
bool takesCounted(const core::Program& program, const core::Function& kernel, size_t param);

// Gives bounds to all sizes of the function for which the host then waits no longer.
void boundSizes(core::Program& program, core::Function& host,
                const std::function<std::string()>& next_name);

}  // namespace halo::gpu
