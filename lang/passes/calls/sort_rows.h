// Sorts all rows of a nest together.
//
//   ys_4: [n][m]u32 = screma [n] (xs_1) map (x_2: [m]u32) {
//     a_3; s_5: [m]u32 = call radix_sort_u32 (m, k_6); b_7 }
// becomes a nest for what is before the sort, a sort, and a nest for what is behind it
//   ks_8: [n][m]u32 = screma [n] (xs_1) map (x_2: [m]u32) { a_3; return k_6 }
//   (flat: [n * m]u32) = call rows.radix_sort_u32 (n * m, reshaped ks_8, m)
//   ys_4: [n][m]u32 = screma [n] (reshaped flat) map (s_5: [m]u32) { b_7 }
//
// Requires: sorts are calls (inlineAllButSorts), and name the functions that sort rows
// (core::KernelInfo::row_sort). Ensures: no sort is left in a nest of maps outside of other
// lambdas. The sizes of the rows must be known outside, and those of arrays made before the sort
// and used behind it.
//
// Why: the sort of a row is sequential code, and a nest may have few rows. A stable sort of all
// elements and one by the number of the row are as parallel as the elements. Segmented operations
// as operations on whole arrays: G. Blelloch, Prefix sums and their applications, 1990.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program sortRows(const core::Program& program);

}  // namespace halo::passes
