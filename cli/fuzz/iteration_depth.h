// The power of its sizes that a generated program's time grows with.
#pragma once

#include "cli/fuzz/program.h"

namespace halo::fuzz {

// The most iterations over whole arrays that enclose one another, an array's own axes among them.
// An upper bound: every lambda counts, also one that is called once.
int iterationDepth(const Program& program);

}  // namespace halo::fuzz
