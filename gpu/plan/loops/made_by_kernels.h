// Arrays that a loop carries and that kernels write where the loop wants them.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

// Whether kernels make this result of the loop's body, or it is an array that the loop carries.
// Kernels of iterations that do not run do nothing, but the host would copy any other array.
bool isMadeByKernels(const core::Program& program, const core::Loop& loop, core::ValueId result);
// Whether there is a kernel, and it changes none of its arguments.
bool overwritesNothing(const core::Function* kernel);

}  // namespace halo::gpu
