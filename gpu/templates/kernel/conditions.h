// Conditions and clamps of indices (i64), as kernels write them.
#pragma once

#include "gpu/templates/kernel/kernel_scope.h"

namespace halo::gpu {

inline imp::Operand isLess(imp::Builder& code, const imp::Operand& a, const imp::Operand& b) {
  return code.prim(prim::Op::kLt, prim::ScalarType::kI64, {a, b});
}
inline imp::Operand isAtMost(imp::Builder& code, const imp::Operand& a, const imp::Operand& b) {
  return code.prim(prim::Op::kLe, prim::ScalarType::kI64, {a, b});
}
inline imp::Operand isEqual(imp::Builder& code, const imp::Operand& a, const imp::Operand& b) {
  return code.prim(prim::Op::kEq, prim::ScalarType::kI64, {a, b});
}
inline imp::Operand both(imp::Builder& code, const imp::Operand& a, const imp::Operand& b) {
  return code.prim(prim::Op::kAnd, prim::ScalarType::kBool, {a, b});
}

// The index at which `own` elements in a row exist. Never more than the extent, which tells the
// narrowing pass that 32 bits are enough.
inline imp::Operand clampToExtent(imp::Builder& code, const imp::Operand& index,
                                  const imp::Operand& extent, int64_t own = 1) {
  return code.max(code.min(index, code.sub(extent, i64(own))), i64(0));
}

// A number of the device, which counts in 32 bits.
inline imp::Operand widened(imp::Builder& code, const imp::Operand& narrow) {
  return code.let("wide", prim::ScalarType::kI64,
                  imp::Convert{prim::ConvertKind::kValue, prim::ScalarType::kU32,
                               prim::ScalarType::kI64, narrow});
}

}  // namespace halo::gpu
