// Reductions, scans and histograms as loops: the form of those that have no rule of their own. The
// rules of loops then hold.
//
//   ys = screma [n] (xs) scan op ne
// becomes
//   (last, ys) = loop (acc = ne, out = scratch [n]) for i < n {
//     x = index xs[i]; .. return acc op x, out with [i] = acc op x }
#pragma once

#include "lang/ad/emit.h"

namespace halo::ad {

void sequentialReduction(Emitter& out, const std::vector<ValueId>& results, const Operand& width,
                         const std::vector<ValueId>& inputs, const core::Reduction& reduction);
void sequentialScan(Emitter& out, const std::vector<ValueId>& results, const Operand& width,
                    const std::vector<ValueId>& inputs, const core::Scan& scan);
// Of a node with one operation and a lambda that only passes on.
void sequentialHist(Emitter& out, const std::vector<ValueId>& results, const core::Hist& node);

}  // namespace halo::ad
