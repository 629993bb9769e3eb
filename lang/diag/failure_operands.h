// The number of a run-time failure's operands, by its code (engine/failure.h lists them). Core's
// and Imp's verifiers check it of asserts and fails, so that every failure can be described.
#pragma once

#include <cstddef>

#include "lang/diag/diagnostic.h"

namespace halo::diag {

bool isRunTimeFailure(Code code, size_t operands);

}  // namespace halo::diag
