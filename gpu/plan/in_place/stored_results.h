// Kernels that store results in arrays which they are given (updates_in_place.h).
#pragma once

#include <optional>

#include "lang/core/ir.h"

namespace halo::gpu {

// The map, reduction of segments or stencil of a kernel in front of the updates that store its
// results.
const core::Stm* storedNode(const core::Function& kernel);
bool makes(const core::Stm& stm, const core::Operand& value);

// The update at the end of the kernel that says where its result `i` is stored, if there is one.
// Its array is a parameter, its value the result that the kernel makes, or that result with
// further axes of one element. Several results go to one array by a chain of updates, and each
// of them is the last one, in their order:
//
//   a = update xs[i, 0] = s; b = update a[i, 1] = t; return b, b
std::optional<core::Update> storedBy(const core::Function& kernel, size_t i);
// The results stored in the array of result `i`, and the statements of the updates that store them,
// both in the order of the results.
std::vector<size_t> storedBeside(const core::Function& kernel, size_t i);
std::vector<size_t> storesOf(const core::Function& kernel, size_t i);
// The update as the caller of the kernel sees it, if the kernel's parameters say all of it; its
// value, unless the kernel makes it.
std::optional<core::Update> asArguments(const core::Function& kernel, const core::Call& call,
                                        const core::Update& update);
// The kernel without those: it returns its results.
core::Function withoutStores(const core::Function& whole);

}  // namespace halo::gpu
