// Straight-line code, blocks of lets alone: which statements depend on which.
#pragma once

#include <unordered_set>

#include "lang/imp/ir.h"

namespace halo::gpu {

bool isStraightLine(const imp::Block& block);

// Values that a straight block computes from some variable.
std::unordered_set<imp::VarId> dependents(const imp::Block& block, imp::VarId on);
// Whether the values that depend on these are sums, differences and products with others.
bool isAffine(const imp::Block& block, const imp::Operands& on);
// The statements of a straight block that compute these.
imp::Block computing(const imp::Block& block, const imp::Operands& values);

// a * b + c as one operation where a straight block multiplies, then adds the product and nothing
// else wants it.
imp::Block fused(const imp::Block& block, const imp::Operands& results);

}  // namespace halo::gpu
