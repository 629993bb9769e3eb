// Updates by what a branch of the host makes move into its arms:
//
//   ys = match c { true -> { a = call main_1 (..);  return a }
//                  else -> { b = call main_2 (..);  return b } }
//   zs = call main_3 (i, xs, ys)                         // update xs[i] = ys
// becomes
//   zs = match c { true -> { a = call main_1 (..);  p = call main_3 (i, xs, a);  return p }
//                  else -> { b = call main_2 (..);  q = call main_3 (i, xs, b);  return q } }
//
// The kernel of each arm may then store its result where the update would copy it
// (updates_in_place.h). Versions of a nest are such branches: a loop that keeps the rows of all its
// steps has one launch less in each.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

// Requires: kernels make the result in all arms, and nothing else wants it.
void moveUpdatesIntoArms(core::Program& program, core::Function& host);

}  // namespace halo::gpu
