// How many operands a run-time failure carries, by its code (engine/failure.h says which): what
// the verifiers of Core and Imp ask of asserts and fails, so that every failure can be described.
#pragma once

#include <cstddef>

#include "lang/diag/diagnostic.h"

namespace halo::diag {

bool isRunTimeFailure(Code code, size_t operands);

}  // namespace halo::diag
