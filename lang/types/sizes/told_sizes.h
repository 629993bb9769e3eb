// Sizes hidden in an argument of an abstract type, as the parameters of a function tell them.
// `val mk : c -> m c` with `type~ c = []bool` is `val mk [n] : [n]bool -> m ([n]bool)`. No array in
// the result shows the size, and each result of `mk` would have a type of its own.
#pragma once

#include "lang/types/infer/inference.h"

namespace halo::types {

TypeRef tellHiddenSizes(Inference& inference, TypeRef function);

}  // namespace halo::types
