// 64-bit integers as two words of 32 bits, for devices without them: arithmetic on pairs. Sums
// carry by a comparison, products are three of 32 bits and one `mul_hi`. All results are those of
// wrapping 64-bit integers; operands that make a division fail have been excluded before.
#pragma once

#include "lang/imp/builder.h"

namespace halo::gpu {

// Both u32.
struct Pair {
  imp::Operand low, high;
};

class PairCode {
 public:
  explicit PairCode(imp::Builder& code) : code_(code) {}

  // An operation at i64 or u64 whose result has 64 bits.
  Pair prim(prim::Op op, bool is_signed, const std::vector<Pair>& args);
  // Comparisons (bool) and counts of bits (i32).
  imp::Operand measure(prim::Op op, bool is_signed, const std::vector<Pair>& args);

  // A value of 32 bits or a bool; a float must be in range.
  Pair from(prim::ScalarType type, imp::Operand value, bool is_signed);
  imp::Operand to(prim::ScalarType type, const Pair& value, bool is_signed);

  Pair select(imp::Operand condition, const Pair& on_true, const Pair& on_false);

 private:
  imp::Operand op(prim::Op op, imp::Operand a, imp::Operand b);
  imp::Operand op(prim::Op op, imp::Operand a, uint32_t b);
  imp::Operand choose(imp::Operand condition, imp::Operand on_true, imp::Operand on_false);
  imp::Operand bit(imp::Operand condition);
  imp::Operand convert(prim::ConvertKind kind, prim::ScalarType from, prim::ScalarType to,
                       imp::Operand value);
  imp::Operand both(imp::Operand a, imp::Operand b);
  imp::Operand either(imp::Operand a, imp::Operand b);
  imp::Operand isZero(imp::Operand a);

  Pair bitwise(prim::Op op, const Pair& a, const Pair& b);
  Pair add(const Pair& a, const Pair& b);
  Pair sub(const Pair& a, const Pair& b);
  Pair mul(const Pair& a, const Pair& b);
  Pair shift(prim::Op op, bool is_signed, const Pair& a, imp::Operand count);
  Pair divide(const Pair& a, const Pair& b, bool wants_quotient);
  Pair divideSigned(const Pair& a, const Pair& b, bool wants_quotient);
  Pair withSign(const Pair& value, imp::Operand sign);
  imp::Operand signOf(const Pair& value);
  imp::Operand less(const Pair& a, const Pair& b, bool is_signed);
  imp::Operand asFloat(const Pair& value);
  imp::Operand roughly(const Pair& value);
  Pair truncated(imp::Operand value);
  imp::Operand leadingZeros(const Pair& value);

  imp::Builder& code_;
};

}  // namespace halo::gpu
