// The commonest primitives straight on bits: what prim/fold says, without its checks. Only
// operations that are total and one C++ operator; interp_test compares each with fold.
#pragma once

#include <cstdint>

#include "lang/prim/prim.h"

namespace halo::interp {

using FastOp = uint64_t (*)(uint64_t lhs, uint64_t rhs);

// Null: there is no fast form.
FastOp fastOp(prim::Op op, prim::ScalarType type);

}  // namespace halo::interp
