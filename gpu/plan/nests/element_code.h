// Code of one element, which templates may write down many times in a kernel.
#pragma once

#include <cstddef>

#include "lang/core/ir.h"

namespace halo::gpu {

// Scalars alone: no loops, no arrays but elements of them, branches of the same. `may_fail`: with
// checks.
bool isElementCode(const core::Program& program, const core::Body& body, bool may_fail);

// Statements, those in branches included: each case compares, and each branch assigns its results.
size_t codeSize(const core::Body& body);

constexpr size_t kDivisionCode = 30;  // statements of an exact division, or root, of floats
constexpr size_t kMaxOperator = 40;   // statements of operators that are written out often

// The same code where an earlier kernel has made all checks.
core::Body withoutChecks(core::Body body);

}  // namespace halo::gpu
