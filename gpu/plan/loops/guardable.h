// While loops whose iterations can be started before it is known that they run.
#pragma once

#include <string>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// In an iteration that does not run the kernels do nothing. The host's work in it must come to an
// end and need no more memory than the iterations before. Sizes and trip counts are the same
// in all of them. Nothing is read from the device but elements, which kernels copy. Names the
// obstacle in a while loop; empty: none.
std::string whyNotGuardable(const core::Program& program, const core::Loop& loop);
// Those arms of a branch that its scrutinee may choose.
std::vector<const core::Body*> livingArms(const core::Match& match);
// The first line of a statement's text, for such reasons.
std::string briefly(const core::Program& program, const core::Stm& stm);

// `[1]t`, index 0, of an array that is never overwritten: how a carried scalar stays on the device.
bool isRegister(const core::Program& program, const core::Index& index);

}  // namespace halo::gpu
