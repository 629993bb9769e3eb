// Histograms by any operator on numbers as scans within bins: the form of those that reverse mode
// has no rule for, outside of all cells.
//
//   ys = hist [n] (is, xs) op ne into d
// becomes
//   order = the positions of is, sorted by bin; equal ones stay in order
//   (_, ps) = scan (f, a) (g, b) -> (f || g, if g then b else a op b)
//                  of (whether a bin starts here, x or d[bin] op x) in that order
//   ys = scatter d of the last p of each bin
//
// The rules of gathers, scans and scatters then hold, all of them parallel [Bruun et al. 2023].
#pragma once

#include "lang/ad/emit.h"

namespace halo::ad {

// Whether the node has this form: one operation on numbers.
bool canBeSorted(const Program& program, const core::Hist& node);
void sortedHist(Emitter& out, const std::vector<ValueId>& results, const core::Hist& node);

}  // namespace halo::ad
