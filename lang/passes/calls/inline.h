// Replaces calls by the bodies of the called functions.
//
//   fn square(x_1: f32) -> (f32) { y_2: f32 = f32.mul x_1 x_1; return y_2 }
//   entry main(a_3: f32) -> (f32) { b_4: f32 = call square (a_3); return b_4 }
// becomes
//   entry main(a_3: f32) -> (f32) { y_5: f32 = f32.mul a_3 a_3; return y_5 }
//
// Requires nothing. Ensures: the only calls left are of recursive functions, of kernels (sorts are
// inlined), and of functions with too many copies: where each of a chain of functions calls the
// next one twice, the program would grow exponentially. Every function left is reachable from an
// entry. Statements run in the same order as before, so the pass also belongs to the pipeline
// `plain`.
//
// Why: all other passes look at one body. Programs are small (lowering made a copy of every
// function for its types and closures anyway) and LLVM could inline code, but not SOACs.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program inlineCalls(const core::Program& program);

// The same, but calls of sorts (isSort) stay where whole arrays of scalars are sorted outside of
// all lambdas. For engines with a template for them.
// Lower has made it a kernel (lang/lower/sorts.h): its first array has unsigned integers. It puts
// these into order, and all else with them. Its body says the same and stands for it elsewhere.
bool isSort(const core::Function& function);
core::Program inlineAllButSorts(const core::Program& program);

// For lang/ad: as inlineAllButSorts. Calls also stay of functions whose derivative others define,
// and of functions that are differentiated (lang/core/derivative_name.h).
core::Program inlineForDerivatives(const core::Program& program);

}  // namespace halo::passes
