// Sums of rows in a loop's steps by several lanes for each row:
//
//   ys = screma [n] (xss) map (xs) { s = screma [m] (xs) map f reduce op e;  return g s }
// becomes, in a workgroup of 1,024 lanes,
//   parts = screma [n] (xss) map (xs) {
//     ps = screma [p] (iota p) map (l) {
//       own = slice xs[l:count:p];  t = screma [count] (own) map f reduce op e;  return t }
//     return ps }
//   ys = screma [n] (parts) map (ps) { s = screma [p] (ps) reduce op e;  return g s }
//
// where `p` is a power of two of at most 1,024 / n and at most 32, which the host computes, and
// `count` about m / p. A lane for each row would keep the others waiting: a product of a matrix of
// 64 rows and a vector has 64 of 1,024 lanes at work, for 64 elements each.
#pragma once

#include <optional>
#include <vector>

#include "gpu/plan/loops/bounded_extents.h"

namespace halo::gpu {

struct SharedRows {
  BoundedExtents bounded;
  // Of the results in front of the loop: lanes of rows, where the host computes them. If none is
  // above 1, the loop is better off as it was.
  std::vector<size_t> lanes;
};

// The same loop with such statements, where operators take elements in any order. Nothing if it has
// no such sums.
std::optional<SharedRows> withSharedRows(core::Program& program, const BoundedExtents& bounded);

}  // namespace halo::gpu
