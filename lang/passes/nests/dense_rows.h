// Arrays whose elements may be taken one after another in row-major order without a copy.
#pragma once

#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/core/ir.h"

namespace halo::passes {

// All arrays of the body, nested bodies included, that are views in another order or with gaps.
std::unordered_set<core::ValueId> stridedViews(const core::Program& program,
                                               const core::Body& body);

// `array` with its first `rank` dimensions as one of `count` elements.
core::ValueId flattened(core::Program& program, core::Builder& to, core::ValueId array, size_t rank,
                        const core::Operand& count);

}  // namespace halo::passes
