// Scalar code of a cell that the host may run in front of the nest, where no cell may run it.
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// Scalar code that cannot fail and reads no array, branches of it, and divisions of integers.
bool mayRunEarly(const core::Program& program, const core::Stm& stm);

// The statement for the host. The proof that a divisor is not 0 may lie in the cell: the host
// divides by 1 then.
std::vector<core::Stm> runEarly(core::Program& program, core::Stm stm);

}  // namespace halo::gpu
