// Derivatives in a checked program: whether there are any, and which definitions of the prelude say
// how others are differentiated.
#pragma once

#include <string>

#include "lang/types/checked.h"

namespace halo::types {

// Whether anything in the program mentions a derivative operator.
bool hasDerivatives(const Program& program);
// Whether the entry reaches `vjp` or a kin, which adds up in an order of its own.
bool hasReverseMode(const Program& program, DefId entry);

// `exp_f32` has its partials in `d_exp_f32` (stdlib/partials_f32.fut); `f32.sort`, which works on
// bits, is replaced by `sort_ad_f32` (stdlib/sort_partials.fut).
inline std::string partialsName(const std::string& name) { return "d_" + name; }
std::string insteadName(const std::string& name);

}  // namespace halo::types
