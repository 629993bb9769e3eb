// Scans whose results only say where a scatter writes: filter, partition, compaction.
//
//   ends, count = screma [n] (xs) map .. reduce + scan +
//   ys = scatter [n] (ends, xs) map (end, x) ..
// becomes
//   ys, count = call main_1 ..      kernel main_1 [n] scan { both statements }
//
// so that places need not go through memory (lang/passes/fuse/fuse_scans.h finds the pairs). The
// same for scans whose results only a map reads, element by element: exclusive scans, sums of
// segments.
#pragma once

#include "gpu/plan/variants.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// Whether one of the two algorithms can do it, and both lambdas are short and straight.
bool isScanAndScatter(const core::Program& program, const core::Stm& scan, const core::Stm& scatter,
                      const Variants& variants);

// Whether tiles that look back can do both, and the map is short and straight.
bool isScanAndMap(const core::Program& program, const core::Stm& scan, const core::Stm& map,
                  const Variants& variants);

// Whether a kernel's body ends with a scan and that map.
bool hasMapBehind(const core::Body& kernel);

// Whether flags are counted first and elements then moved (variant `compact`): all scans add up
// ones where some condition holds.
bool isCompaction(const core::Screma& screma, const Request& request);
// Whether that, or tiles that look back: the choice on a device that has both.
bool hasTwoWays(const core::Screma& screma, const Limits& limits);

// Whether the scatter takes sums of the whole scan, as a radix sort's zeros come before its ones.
// Elements that are moved behind all counts know these sums; tiles that look back do not.
bool takesTotals(const core::Program& program, const core::Stm& scan, const core::Stm& scatter);

// The scan without its reductions, all of which some scan computes as well (scanOf).
core::Screma withoutReductions(const core::Screma& screma);

}  // namespace halo::gpu
