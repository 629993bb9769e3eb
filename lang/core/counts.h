// Sums of flags, which count elements: bounds of the sizes of filters and partitions.
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::core {

// Whether the operand is the constant, an integer.
bool isIntegerConstant(const Operand& operand, uint64_t value);
// Whether the value of the body is 0 or 1, whatever the element.
bool isFlag(const Body& body, const Operand& value);
// The operator `(a, b) -> a + b` on integers.
bool addsIntegers(const Lambda& op);

// The node's results, by position, that are i64 sums of flags from 0: not below 0, and at most the
// node's width.
std::vector<size_t> countsOf(const Screma& node);
// The same for arrays of which each element is such a number: running counts.
std::vector<size_t> runningCountsOf(const Screma& node);

}  // namespace halo::core
