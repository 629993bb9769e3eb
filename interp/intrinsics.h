// The built-in array operations (lang/types/intrinsic.def), obviously right: one loop each, in
// linear order.
#pragma once

#include "interp/function.h"
#include "lang/types/checked.h"

namespace halo::interp {

// The static facts of an intrinsic's use other than its arguments.
struct IntrinsicUse {
  types::Intrinsic kind;
  int arity;
  bool has_sizes;       // its type has size parameters: `jmp2`, not `jvp2`
  NodeRef result_type;  // reads the type and size arguments; null where the arguments show it all
};
std::unique_ptr<Function> intrinsicFunction(IntrinsicUse use);

// Reductions into and writes to places that indices name, one number or a tuple of them
// (places.cpp). `args`: destination, [function, neutral element,] indices, values.
Datum runHist(State& state, Datum* args);
Datum runScatter(State& state, Datum* args);
// [m]b out of pieces of any length, see prelude.md (places.cpp).
Datum runFlatmap(State& state, const Datum* args, const RuntimeType& elements);

// windows.cpp. `axes` of the array are padded or cut into windows.
Datum runPad(State& state, const Datum* args, size_t axes);
Datum runSlide(State& state, const Datum* args, size_t axes);

// stencil.cpp. `args`: offsets, function, invariant, array; the offsets' type shows the rank.
// `result_type` matters for an empty array only.
Datum runStencil(State& state, const Datum* args, const RuntimeType& result_type);
// With the boundary of each axis in front.
Datum runStencilWith(State& state, const Datum* args, const RuntimeType& result_type);

}  // namespace halo::interp
