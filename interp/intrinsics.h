// The built-in array operations (lang/types/intrinsic.def), obviously right: one loop each, in
// linear order.
#pragma once

#include "interp/function.h"
#include "lang/types/checked.h"

namespace halo::interp {

// What an intrinsic needs to know besides its arguments.
struct IntrinsicUse {
  types::Intrinsic kind;
  int arity;
  NodeRef result_type;  // reads the type and size arguments; null where the arguments show it all
};
std::unique_ptr<Function> intrinsicFunction(IntrinsicUse use);

// stencil.cpp. `args`: offsets, function, invariant, array; the offsets' type shows the rank.
// `result_type` matters for an empty array only.
Datum runStencil(State& state, const Datum* args, const RuntimeType& result_type);

}  // namespace halo::interp
