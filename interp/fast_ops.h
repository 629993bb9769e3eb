// The commonest primitives straight on bits: prim/fold's results, without its checks; interp_test
// compares each with fold.
#pragma once

#include <cstdint>

#include "lang/prim/prim.h"

namespace halo::interp {

using FastOp = uint64_t (*)(uint64_t lhs, uint64_t rhs);

// Null: there is no fast form.
FastOp fastOp(prim::Op op, prim::ScalarType type);
// `/ % // %%` on integers, for a divisor that is not 0; null for all else.
FastOp fastDivision(prim::Op op, prim::ScalarType type);

using FastConvert = uint64_t (*)(uint64_t value);
FastConvert fastConvert(prim::ConvertKind kind, prim::ScalarType from, prim::ScalarType to);

}  // namespace halo::interp
