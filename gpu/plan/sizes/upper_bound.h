// Upper bounds of sizes, from the scalar code that makes them.
#pragma once

#include <unordered_map>

#include "lang/core/ir.h"

namespace halo::gpu {

// Scalar code of the host, by the value that it makes: how large an extent can be.
using ScalarCode = std::unordered_map<core::ValueId, core::Expr>;
void addScalarCode(const core::Body& body, ScalarCode& code);

// Of a size, and of the elements of a shape; INT64_MAX if none is known.
int64_t upperBound(const core::Operand& size, const ScalarCode& code);
int64_t productBound(const core::Operands& extents, const ScalarCode& code);

}  // namespace halo::gpu
