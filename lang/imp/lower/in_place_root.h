// Whose memory an array is in: back through updates, scatters, histograms, loops and branches that
// work in place.
#pragma once

#include <optional>

#include "lang/core/ir.h"

namespace halo::imp {

// The value whose memory `value` is, going back through in-place operations of `body`.
core::ValueId inPlaceRoot(const core::Program& core, const core::Body& body, core::ValueId value);
// The array from outside in whose memory all branches leave result `k`, if they do.
std::optional<core::ValueId> commonRoot(const core::Program& core, const core::Match& match,
                                        size_t k);
// Whether one of the statement's results is a size of this type.
bool bindsSizeOf(const core::Stm& stm, const core::Type& type);
// The consumed parameter in whose memory this array result of a function is.
std::optional<size_t> inPlaceArgument(const core::Program& core, const core::Function& function,
                                      size_t result);

}  // namespace halo::imp
