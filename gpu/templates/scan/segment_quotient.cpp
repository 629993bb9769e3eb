// (place + 1/2) / segment is at least 1 / (2 segment) away from an integer. With a place below 2^17
// the product is off by less than 2^17 / segment / 2^22, so the integer part is exact.
#include "gpu/templates/scan/segment_quotient.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kMaxElements = int64_t{1} << 16;  // of a tile

Operand converted(Builder& code, prim::ConvertKind kind, ScalarType from, ScalarType to,
                  const Operand& value) {
  return code.let("c", to, Convert{kind, from, to, value});
}

}  // namespace

SegmentQuotient::SegmentQuotient(Builder& host, KernelScope& scope, Operand segment, int64_t tile)
    : scope_(scope), segment_(std::move(segment)) {
  HALO_CHECK(tile <= kMaxElements, "a tile too large for 24 bits");
  const Operand as_float =
      host.let("segment", ScalarType::kF32,
               Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kF32, segment_});
  const Operand one = prim::Scalar::ofF32(1);
  reciprocal_ =
      host.let("inverse", ScalarType::kF32, Prim{Op::kDiv, ScalarType::kF32, {one, as_float}});
}

Operand SegmentQuotient::of(const Operand& place) {
  Builder& code = scope_.code();
  const Operand segment = scope_.scalar(segment_);
  const Operand rows = byReciprocal(place);
  const Operand beyond = code.prim(Op::kGe, ScalarType::kI64, {place, segment});
  const Operand is_long = code.prim(Op::kGe, ScalarType::kI64, {segment, i64(kMaxElements)});
  const Operand few = code.let("rows", ScalarType::kI64, Select{beyond, i64(1), i64(0)});
  return code.let("rows", ScalarType::kI64, Select{is_long, few, rows});
}

Operand SegmentQuotient::byReciprocal(const Operand& place) {
  using prim::ConvertKind;
  Builder& code = scope_.code();
  auto float_op = [&](Op op, const Operand& a, const Operand& b) {
    return code.prim(op, ScalarType::kF32, {a, b});
  };
  const Operand low = code.max(code.min(place, i64(2 * kMaxElements - 1)), i64(0));
  const Operand number =
      converted(code, ConvertKind::kValue, ScalarType::kI64, ScalarType::kF32, low);
  const Operand middle = float_op(Op::kAdd, number, prim::Scalar::ofF32(0.5F));
  const Operand quotient = float_op(Op::kMul, middle, scope_.scalar(reciprocal_));
  const Operand whole =
      converted(code, ConvertKind::kMachine, ScalarType::kF32, ScalarType::kI32, quotient);
  return converted(code, ConvertKind::kValue, ScalarType::kI32, ScalarType::kI64, whole);
}

}  // namespace halo::gpu
