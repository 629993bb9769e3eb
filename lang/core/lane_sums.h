// Reductions in lanes, the order in which the CPU engine combines scalars (docs/cpu.md#reductions).
// Sizes alone decide it, so several ranks can do the same:
//
//   lanes    element i goes to lane i mod kSumLanes, as long as elements fill all lanes
//   chunks   kSumChunk elements each; a tree combines the lanes of each
//   value    neutral, then the value of each chunk in order, then the elements that are left
//
// The values of a node's chunks and the elements that are left, in this order, are its *partial
// values*.
#pragma once

#include "lang/core/ir.h"

namespace halo::core {

inline constexpr int64_t kSumLanes = 64;
inline constexpr int64_t kSumChunk = 256 * kSumLanes;

// Scans of scalars: kScanChunk elements each are scanned alone. Behind the first chunk each result
// is op(before, own), where `before` combines the last results of all chunks in front, from left to
// right.
inline constexpr int64_t kScanChunk = 8192;

// Scalar code without loops and failures, which may run in lanes.
bool isSimple(const Program& program, const Body& body);
// Is each result a commutative primitive of its own pair of parameters?
bool isCommutativeTuple(const Lambda& op);
// Whether a node with this map reduces in lanes.
bool reducesInLanes(const Program& program, const Lambda& map,
                    const std::vector<Reduction>& reductions);

// Of so many elements, for the evaluator.
int64_t partialValues(int64_t elements);

}  // namespace halo::core
