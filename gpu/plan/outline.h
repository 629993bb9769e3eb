// Moving a statement into a kernel function of its own.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// Adds `kernel NAME` with the statement as its body to the program and returns the call that takes
// the statement's place:
//
//   ys = screma [n] (xs) map ..     ->     ys = call main_1 n xs
//
// Free values become parameters. Those that `recompute` defines (iota, replicate: free to compute
// in the kernel, expensive to store and read) are defined again inside instead.
core::Stm outline(core::Program& program, const core::Stm& stm, const std::string& name,
                  core::KernelInfo info,
                  const std::unordered_map<core::ValueId, core::Stm>& recompute);

// The same for several statements; `results` are those of their results that others want.
core::Stm outlineAll(core::Program& program, std::vector<core::Stm> stms,
                     const std::vector<core::ValueId>& results, const std::string& name,
                     core::KernelInfo info,
                     const std::unordered_map<core::ValueId, core::Stm>& recompute);

}  // namespace halo::gpu
