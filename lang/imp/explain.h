// The schedules of stencils on the cpu engine, in words: `--explain`.
#pragma once

#include <functional>
#include <string>

#include "lang/core/ir.h"

namespace halo::imp {

// A line for each stencil and each loop of stencils of the program after its passes.
void explainStencils(const core::Program& program,
                     const std::function<void(const std::string&)>& say);

}  // namespace halo::imp
