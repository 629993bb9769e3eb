// Arrays whose elements may be taken one after another in row-major order without a copy.
#pragma once

#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/core/ir.h"

namespace halo::passes {

// Results of statements, nested bodies included, that are views in another order or with gaps.
// Views that a branch or a loop returns are not followed: to flatten those takes a copy.
std::unordered_set<core::ValueId> stridedViews(const core::Program& program,
                                               const core::Body& body);

// `array` with its first `rank` dimensions as one of `count` elements.
core::ValueId flattened(core::Program& program, core::Builder& to, core::ValueId array, size_t rank,
                        const core::Operand& count);

}  // namespace halo::passes
