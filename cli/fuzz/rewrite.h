// Metamorphic testing [Chen, Cheung, Yiu 1998]: a program and the same program with identities
// around some of its expressions must agree. Rewritten programs fuse, split, copy and fail to fuse
// at other places, so a fault of the interpreter shows that comparing engines cannot show.
#pragma once

#include "cli/fuzz/program.h"

namespace halo::fuzz {

// Puts identities around a few expressions of the results; the same ones for the same seed.
//   (map f xs)  ->  (let q' = (map f xs) in (take (n / 2) q' ++ drop (n / 2) q') :> [n]i32)
void rewrite(Program& program, uint64_t seed);

}  // namespace halo::fuzz
