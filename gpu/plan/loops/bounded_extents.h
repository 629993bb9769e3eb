// Extents that each step of a loop makes anew, with bounds that are known before the loop:
//
//   xs' = loop (xs = xs0) for i < k do {
//     e = n - i;  ys = slice xs[i:e];  zs: [e]t = screma [e] (ys) ..; .. }
// becomes
//   most = n - 0
//   xs' = loop (xs = xs0) for i < k do {
//     own = n - i;  e = min own most;  ys = slice xs[i:e];  zs: [e]t = screma [e] (ys) ..; .. }
//
// A kernel that does all steps has room for `most` elements. The minimum changes nothing as long as
// the bounds do not wrap around: then none of them is negative, which the host tests.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

struct BoundedExtents {
  core::Body before;  // makes the bounds, its results
  core::Stm loop;
  std::unordered_map<core::ValueId, size_t> bound_of;  // extents; the number of the result

  std::optional<size_t> boundOf(const core::Operand& extent) const {
    const auto found = extent.isConstant() ? bound_of.end() : bound_of.find(extent.value);
    return found == bound_of.end() ? std::nullopt : std::optional(found->second);
  }
};

// Bounds come from sums, differences, minima and maxima of the loop's index and of values from
// outside. A slice has at most the elements of its array.
BoundedExtents withBoundedExtents(core::Program& program, const core::Stm& loop);

}  // namespace halo::gpu
