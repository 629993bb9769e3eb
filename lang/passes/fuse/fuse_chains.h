// The plainest case of fuse, for chains of any length in time that grows with the length alone. A
// map is joined with the screma right behind it which takes its elements. The pass fuse looks for
// pairs again after each joint and makes both nodes anew; here a chain is one node that grows.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

// Joins the nodes that fuse would join, in one body; nested ones stay as they are.
void fuseChains(core::Program& program, core::Body& body);

}  // namespace halo::passes
