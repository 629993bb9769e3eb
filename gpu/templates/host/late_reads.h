// Scalars that kernels have left for the host are read where it first needs one of them, all at
// once. More is launched before it waits, and it waits once.
//
//   launch "f_1" ..                             launch "f_1" ..
//   read a = x[0]; free x                       launch "f_2" ..
//   a' = i64.add a 1                    ->      read a = x[0]; free x
//   launch "f_2" ..                             a' = i64.add a 1
//   read b = y[0]; free y                       read b = y[0]; free y
//   if (a' < b) { .. }                          if (a' < b) { .. }
#pragma once

#include "lang/imp/ir.h"

namespace halo::gpu {

// Of host code. Only values read once, from memory that nothing else names and that is released at
// once.
imp::Block lateReads(const imp::Block& block);

}  // namespace halo::gpu
