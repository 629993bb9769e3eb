// Replaces calls by the bodies of the called functions.
//
//   fn square(x_1: f32) -> (f32) { y_2: f32 = f32.mul x_1 x_1; return y_2 }
//   entry main(a_3: f32) -> (f32) { b_4: f32 = call square (a_3); return b_4 }
// becomes
//   entry main(a_3: f32) -> (f32) { y_5: f32 = f32.mul a_3 a_3; return y_5 }
//
// Requires nothing. Ensures: the only calls left are of recursive functions, of kernels (sorts are
// inlined), and of functions with too many copies. A chain of functions that call the next one
// twice would make the program grow exponentially. Every function left is reachable from an entry.
// Statements run in the same order as before, so the pass also belongs to the pipeline `plain`.
//
// Why: all other passes look at one body. Programs are small (lowering made a copy of every
// function for its types and closures anyway) and LLVM could inline code, but not SOACs.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program inlineCalls(const core::Program& program);

// The same, but calls of sorts of arrays of scalars stay (sorts.h). Later passes write sorts of few
// elements as networks and join the sorts of a nest's rows. Then the other calls of sorts go: all
// of them, or those in lambdas, for engines with a template for sorts.
core::Program inlineAllButSorts(const core::Program& program);
core::Program inlineSorts(const core::Program& program);
core::Program inlineSortsOfCells(const core::Program& program);

// For lang/ad: calls stay of sorts outside of lambdas. Calls also stay of functions whose
// derivative others define, and of functions that are differentiated (lang/core/derivative_name.h).
core::Program inlineForDerivatives(const core::Program& program);

}  // namespace halo::passes
