// Last elements of scans as reductions: nodes that they alone keep from fusing can then be joined.
//
//   ends: [n]i64 = screma [n] (xs) map .. scan i64.add 0
//   count: i64 = match n == 0 { true -> 0;
//                               else -> { k = i64.sub n 1; e = index ends[k]; return e } }
// becomes
//   count, ends = screma [n] (xs) map .. reduce i64.add 0 scan i64.add 0
//
// likewise `index ends[n - 1]` elsewhere, with the check it has as an assert. For scans by one
// operation on whole numbers, which gives the same bits either way, whose ends a scatter of the
// body takes. `around`: operations of the bodies around it (n - 1 may have been hoisted).
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::passes {

void reduceForLasts(core::Program& program, core::Body& body,
                    const std::vector<const core::Stm*>& around);

}  // namespace halo::passes
