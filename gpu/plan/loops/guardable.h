// While loops whose iterations can be started before it is known that they run.
#pragma once

#include <string>

#include "lang/core/ir.h"

namespace halo::gpu {

// What the host does in an iteration that does not run, as the kernels then do nothing, must come
// to an end and need no more memory than the iterations before: sizes and trip counts are the same
// in all of them. Nothing is read from the device but single elements of what the loop carries.
// Says what prevents it in a while loop; empty: nothing does.
std::string whyNotGuardable(const core::Program& program, const core::Loop& loop);
// The first line of a statement's text, for such reasons.
std::string briefly(const core::Program& program, const core::Stm& stm);

// `[1]t`, index 0, of an array that nobody overwrites: how a carried scalar stays on the device.
bool isRegister(const core::Program& program, const core::Index& index);

}  // namespace halo::gpu
