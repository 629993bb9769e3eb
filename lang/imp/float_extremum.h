// Operators of reductions that are the minimum or maximum of two floats, which
// passes/semantics_float.cpp has spelled out as comparisons:
//
//   (x, y) -> x > y ? x : x == y ? bits x & bits y : isnan y ? x : y        kMax
#pragma once

#include <optional>

#include "lang/core/ir.h"

namespace halo::imp {

// kMin or kMax; nothing if the operator is neither.
std::optional<prim::Op> floatExtremum(const core::Lambda& op);

}  // namespace halo::imp
