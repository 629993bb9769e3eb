// Internal to the check of uniqueness: stars of function types.
#pragma once

#include <optional>

#include "lang/types/consume/alias.h"
#include "lang/types/consume/consume.h"

namespace halo::types {

// As starMisfit of consume.h; `closure` says more about the first function.
StarMisfit starMisfit(const Program& program, TypeId found, TypeId needed, Unknowns unknowns,
                      std::optional<Closure> closure);
Uniqueness parameterStars(const FunctionType& function);

}  // namespace halo::types
