// Reads of fixed places in loops, in front of the loops.
//
//   s = loop (t = x) for i < n do {            v = index cs[2]
//     v = index cs[2]                          s = loop (t = x) for i < n do {
//     u = f64.mul t v                 ->         u = f64.mul t v
//     return u }                                 return u }
//
// Only what cannot fail: literal places within a literal shape, of arrays from outside of the loop.
//
// Why: the cotangent of such a number is one sum, which the return loop carries. That of a read in
// each step would be an array of all steps.
#pragma once

#include "lang/core/ir.h"

namespace halo::ad {

void moveFixedReads(core::Program& program, core::Body& body);

}  // namespace halo::ad
