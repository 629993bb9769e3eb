// Splits nodes with derivatives, so that each has one kind of work left:
//
//   (s: f32, ys: [n]f32) = screma [n] (xs) map f reduce f32.add 0f32
// becomes
//   (ys: [n]f32, zs: [n]f32) = screma [n] (xs) map f
//   s: f32 = screma [n] (zs) reduce f32.add 0f32
//
// Scatters and histograms get lambdas that only pass on. A scatter writes each place at most once:
// of several values for a place the last one stays and has the derivative. Passes that come later
// join all this again.
//
// Scans and histograms without a rule in reverse mode get another form. Operators on rows become
// operators on their elements. Histograms by any operator on numbers but one multiplication become
// scans within bins (sorted_hist.h). Else there is a loop (sequential.h): for scans by operators
// that no small matrix describes, and for histograms in cells or of rows.
//
// So do reductions whose operator has a kink (operators/kinks.h): in reverse mode they are the last
// result of a scan.
#pragma once

#include "lang/ad/activity.h"
#include "lang/core/ir.h"

namespace halo::ad {

struct Mode {
  bool reverse = false;
  bool is_in_cells = false;  // the function is called in cells
};
void takeApart(core::Program& program, core::Body& body, const Activity& activity,
               const Mode& mode);

// Entries that are not always 0 of a matrix that describes the derivative of a scan's operator.
constexpr size_t kMaxEntries = 20;

}  // namespace halo::ad
