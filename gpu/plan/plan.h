// Core to host functions and kernels: stage `kernels`.
//
//   before:  ys = screma [n] (xs) map (x) { .. };  s = screma [n] (ys) .. reduce f32.add 0
//   after:   ys = call main_1 n xs;  s = call main_2 n ys
//            kernel main_1 [n] map (..) { .. }     kernel main_2 [n] reduce (..) { .. }
//
// Parallel statements of host code, also those in host loops and branches, become kernels. Scalar
// code, views and control flow around kernels stay on the host. A loop without parallel statements
// that works on arrays becomes a kernel of one invocation. That is slower than parallel code, but
// without a round trip to the device for every element it looks at.
//
// A kernel is an ordinary function; its kind says how its statement is spread over invocations. It
// computes the same when it is run as a function.
// Requires: calls inlined. Ensures: host functions index arrays only element by element; arrays
// that leave a branch, loop or function are dense.
#pragma once

#include "gpu/plan/variants.h"
#include "lang/core/ir.h"

namespace halo::gpu {

core::Program plan(const core::Program& program, const Variants& variants = {});

}  // namespace halo::gpu
