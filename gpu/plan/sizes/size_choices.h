// Branches that give scalars, by a condition that only the device knows: the host computes both
// arms, kernels choose.
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// Whether the statement is one, and its arms are short and total but for divisions.
bool isChoice(const core::Program& program, const core::Stm& stm);

// A statement of an arm that is not taken for sure. A divisor for which the quotient is not defined
// becomes 1: that quotient is not chosen.
void appendTotal(core::Program& program, core::Stm stm, std::vector<core::Stm>& out);

}  // namespace halo::gpu
