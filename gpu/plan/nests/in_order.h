// The operations that --fp=strict keeps from left to right: a property of the plan. So no template
// of a reduction, scan or histogram meets it.
//
//   s: f32 = screma [n] (xs) map m reduce f32.add 0f32
// becomes
//   ys: [n]f32 = screma [n] (xs) map m;  s: f32 = screma [n] (ys) reduce f32.add 0f32
//
// whose second statement is the work of one invocation. In a nest each cell goes through its own.
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// Whether the order of elements tells: the operator has floats, and is not min or max.
bool hasOrder(const core::Program& program, const core::Lambda& op);
bool hasOrder(const core::Program& program, const core::Screma& screma);
bool hasOrder(const core::Program& program, const core::Stencil& stencil);
bool hasOrder(const core::Program& program, const core::Hist& hist);
// The same for reductions and scans of a cell.
bool hasOrderedRows(const core::Program& program, const core::Body& cell);

// The map of a histogram, then the histogram of its results; elements that the map returns
// unchanged are inputs as before. One statement, unchanged, if the map computes nothing.
std::vector<core::Stm> mapFirst(core::Program& program, const core::Stm& stm,
                                const core::Hist& hist);

// A single reduction or scan of arrays as they are.
bool isAlone(const core::Screma& screma);

// Of so many elements one invocation takes a second or two; more are left to the CPU.
inline constexpr int64_t kMaxInOrder = int64_t{1} << 22;

}  // namespace halo::gpu
