// Asserts that computed sizes are possible ones: a size without an array may be too large for
// one, and sums and products wrap.
#pragma once

#include "lang/lower/emission.h"

namespace halo::lower {

// Rows that are never made have sizes, too: no other check covers an array without rows.
struct RowSizes {
  Operands shape, sizes;  // of an array; those of its rows that are not known to be sizes
};
std::vector<RowSizes> newRowSizes(Emission& emission, const std::vector<core::Type>& types);
void requireRows(Emission& emission, const RowSizes& rows, Span span);
// Of arrays that no value shows: empty ones, and payloads of other constructors. `outer` extents,
// then those of the type.
void requireSizes(Emission& emission, const Operands& outer, const MonoTypeRef& type, Span span);
void requireNotNegative(Emission& emission, const Operand& size, Span span);
// A number that is not negative, or the sum of a few extents; it becomes an extent.
void requireSum(Emission& emission, const Operand& sum, Span span);
// The product of two extents; a failure shows `shape`.
void requireProduct(Emission& emission, const Operand& rows, const Operand& columns,
                    const Operands& shape, Span span);
// An array of this shape has come from outside, where its size was looked at.
void knowProducts(Emission& emission, const Operands& shape);

}  // namespace halo::lower
