// Constants that a compiler knows nothing about: what it would fold with them, it computes.
#pragma once

#include "lang/imp/builder.h"

namespace halo::gpu {

// A variable with the value of this integer. It is chosen by the number of workgroups, which is
// never 0.
imp::Operand hidden(imp::Builder& code, imp::Scalar integer);

}  // namespace halo::gpu
