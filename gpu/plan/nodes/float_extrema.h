// Histograms of minima and maxima of floats, as ones of integers:
//
//   out: [k]f32 = hist [n] (is, xs) map (i, x) { return i, x } op (bins) f32.min f32.inf
// becomes
//   keys: [k]i32 = screma [k] (bins) map (b: f32) { key of b }
//   made: [k]i32 = hist [n] (is, xs) map (i, x) { return i, key of x } op (keys) i32.min ..
//   out: [k]f32 = screma [k] (made) map (k: i32) { the float of key k }
//
// Keys have the order of floats, -0 before 0. A NaN's key is behind all numbers: `f32.min` of it
// and a number is the number. Which one of equal keys is first cannot show, so that devices combine
// them by atomic operations. Floats take an order, which sorts elements of many bins first.
// (Herf, Radix tricks, 2001: keys of floats.)
#pragma once

#include <optional>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

struct FloatExtrema {
  core::Body are_few;           // host code for a condition: two maps over all bins cost little
  std::vector<core::Stm> stms;  // in the place of the histogram
};

// Nothing unless some operations are such ones, and the others take atomic operations as they are.
std::optional<FloatExtrema> asIntegerExtrema(core::Program& program, const core::Stm& stm);

}  // namespace halo::gpu
