// A segmented reduction whose elements are reductions (or other parallel work) themselves: all
// levels in parallel, as a segmented reduction for each.
//
//   zs = screma [a] (xsss) map (xss) {                  z: [b][c] -> 1
//     z = screma [b] (xss) map (xs) { y = screma [c] (xs) reduce ..; return y } reduce ..
//     return z }
// becomes
//   ys = screma [a] (xsss) map (xss) { ys' = screma [b] (xss) map (xs) { y = .. }; return ys' }
//   zs = screma [a] (ys) map (ys') { z = screma [b] (ys') reduce ..; return z }
//
// One invocation reduces the inner level alone where the outer levels fill the device and its rows
// are short. Then no values go through memory between the levels. Products of matrices have faster
// kernels of their own.
#pragma once

#include <optional>
#include <vector>

#include "gpu/plan/variants.h"
#include "lang/core/ir.h"

namespace halo::gpu {

struct NestedReduction {
  std::vector<core::Stm> stms;  // in place of the nest, where `whole` does not hold
  std::vector<core::Stm> host;  // code of `whole`
  core::Operand whole;          // the nest as it is
};

// `levels`: the nest of a segmented reduction (nest.h), from the outside in. Nothing if its
// elements have no parallel work.
std::optional<NestedReduction> splitNestedReduction(core::Program& program, const core::Stm& nest,
                                                    const std::vector<const core::Screma*>& levels,
                                                    const Variants& variants);

// The nest with all totals of its reduction as results, where cells return some of them, such as
// the place of a least element without the element. Nothing for other nests.
std::optional<core::Stm> withAllTotals(core::Program& program, const core::Stm& nest);

// A segmented scan whose elements are made by nodes or loops, likewise: tiles hold straight code.
// Without it each element would be made twice, once for the sum of its tile (docs/gpu.md#scans).
std::optional<std::vector<core::Stm>> splitNestedScan(
    core::Program& program, const core::Stm& nest, const std::vector<const core::Screma*>& levels,
    const Variants& variants);

}  // namespace halo::gpu
