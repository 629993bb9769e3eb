// Several sizes that a step returns are read when all kernels of the step are launched, so that the
// host waits once:
//
//   return count, ys    ->    box = call main_5 count;  read = index box[0]
//                             zs: [read]t = slice ys[0:read:1];  return read, zs
#pragma once

#include <functional>
#include <string>

#include "lang/core/ir.h"

namespace halo::gpu {

// Of carried arrays; `is_bounded`: whether a size has a bound (bound_sizes.h).
void readAtEnd(core::Program& program, core::Loop& loop,
               const std::function<bool(core::ValueId)>& is_bounded,
               const std::function<std::string()>& next_name);

}  // namespace halo::gpu
