// Screma nodes with several kinds of results, as one node for each kind: a template makes one.
#pragma once

#include <optional>

#include "gpu/plan/variants.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// Reductions and scans together:
//
//   (s, cs, ys) = screma [n] (xs) map m reduce + 0 scan * 1
// becomes
//   s = screma [n] (xs) map m reduce + 0;  (cs, ys) = screma [n] (xs) map m scan * 1
//
// each with the code it needs of the map. Where a scan is by the reduction's own operator over
// whole numbers, s is its last element. One statement, as it was, if there is nothing to split.
std::vector<core::Stm> splitScrema(core::Program& program, const core::Stm& stm);

// Which scan of the node computes its reduction r as well, bit for bit, as its last element.
std::optional<size_t> scanOf(const core::Program& program, const core::Screma& screma, size_t r);

// Reductions and scans whose map has work for more than one invocation (distribute.h): the map
// first, then each of them on the stored operands.
bool isWorthMapping(core::Program& program, const core::Screma& screma, const Variants& variants);
std::vector<core::Stm> mapFirst(core::Program& program, const core::Stm& stm);

// A histogram of several operations as one for each, as schedules of many bins take them:
//
//   (as', bs') = hist [n] (xs) map m into as by +, bs by max
// becomes
//   as' = hist [n] (xs) map m into as by +;  bs' = hist [n] (xs) map m into bs by max
std::vector<core::Stm> splitHist(core::Program& program, const core::Stm& stm);

// All statements of a body split in both ways.
core::Body withSingleScremas(core::Program& program, const core::Body& body,
                             const Variants& variants);

}  // namespace halo::gpu
