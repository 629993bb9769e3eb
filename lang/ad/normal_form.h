// Takes nodes with derivatives apart, so that each has one kind of work left:
//
//   (s: f32, ys: [n]f32) = screma [n] (xs) map f reduce f32.add 0f32
// becomes
//   (ys: [n]f32, zs: [n]f32) = screma [n] (xs) map f
//   s: f32 = screma [n] (zs) reduce f32.add 0f32
//
// Scatters and histograms get lambdas that only pass on; a scatter writes each place at most once:
// of several values for a place the last one stays, so that the derivative is that of one value.
// Passes that come later join all this again. For reverse mode, what has no rule there becomes a
// loop: scans by operators that no small matrix describes, histograms whose operator captures what
// varies.
#pragma once

#include "lang/ad/activity.h"
#include "lang/core/ir.h"

namespace halo::ad {

void takeApart(core::Program& program, core::Body& body, const Activity& activity, bool reverse);

// Scans by operators on at most four numbers of one type: matrices describe their derivatives.
constexpr size_t kMostScanned = 4;

}  // namespace halo::ad
