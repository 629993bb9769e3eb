// Calls of kernels with scalar code between them, as the call of one kernel.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// How often a function uses its values.
using Uses = std::unordered_map<core::ValueId, int>;

// A call of a kernel, or scalar code. Scalar code that no waiting kernel comes before in the data
// flow is `free`: it may run in front of them.
struct Waiting {
  core::Stm stm;
  bool is_call;
  bool is_free;
};

// The index space of the kernel that the statement calls, as the caller knows it.
core::Operands spaceOfCall(const core::Program& program, const core::Stm& call);

// Appends the call of one kernel for the statements, in their order. They are calls of
// kernels of one invocation; a whole reduction may be in front (code_behind.h).
void joinKernels(core::Program& program, const Uses& uses, std::vector<Waiting> waiting,
                 const std::string& name, std::vector<core::Stm>& out);

}  // namespace halo::gpu
