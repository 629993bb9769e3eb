// Run-time failures: the same code, text and span on every engine. An engine reports the code, the
// operands as integers and the span; the text is made here, once.
#pragma once

#include <cstdint>
#include <span>

#include "lang/diag/diagnostic.h"

namespace halo::engine {

// Operands by code (k = number of indices or dimensions, known from their count):
//   index_out_of_range   k indices, then k extents: `index [5, 2] is out of range for shape [3][4]`
//   slice_out_of_range   start, end, stride, extent
//   division_by_zero, negative_exponent, assertion_failed: none
//   negative_size        the size
//   size_overflow        the extents
//   shape_mismatch       k found extents, then k needed ones
//   malformed_range      first, second, last
//   irregular_array      k extents of the first element, k of the other
//   hole_reached: none
//   bad_window           0, size, step, extent (slide) or 1, before, after, extent (pad; 2 where
//                        there would be too many cells)
//   out_of_memory        bytes
//   bound_exceeded       the bound
//   tangent_constructor  the element or -1, then the constructor found and the one needed, each as
//                        the bytes of its name, eight to a number
//   interrupted, stack_exhausted: none
diag::Diagnostic describeFailure(diag::Code code, std::span<const int64_t> operands,
                                 source::Span span);

}  // namespace halo::engine
