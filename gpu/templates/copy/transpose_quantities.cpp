#include "gpu/templates/copy/transpose_quantities.h"

#include "gpu/templates/copy/transpose.h"
#include "gpu/templates/kernel/lanes.h"
#include "lang/base/check.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

size_t denseDimension(const ArrayRef& from) {
  for (size_t k = 0; k + 1 < from.strides.size(); ++k) {
    if (from.strides[k] == i64(1)) return k;
  }
  return from.strides.size() - 1;
}

Operand runOf(Builder& host, const ArrayRef& from, size_t first) {
  Operand all = i64(1);
  for (size_t k = first; k < from.shape.size(); ++k) all = host.mul(all, from.shape[k]);
  return all;
}

int64_t perVector(ScalarType type) { return kVectorBytes / prim::byteSize(type); }

bool isTransposed(const ArrayRef& from) {
  return !from.isVirtual() && from.rank() >= 2 && from.strides.back() != i64(1) &&
         denseDimension(from) + 1 < from.strides.size();
}

namespace {

// Whether vectors begin at multiples of 16 bytes on both sides, where the result has runs of `run`
// elements; host.
Operand isAligned(Builder& host, const ArrayRef& from, const Operand& run) {
  Operand all = host.prim(Op::kOr, ScalarType::kI64, {from.offset, run});
  for (size_t k = 0; k < from.strides.size(); ++k) {
    if (k == denseDimension(from)) continue;
    all = host.prim(Op::kOr, ScalarType::kI64, {all, from.strides[k]});
  }
  Operand rest = host.prim(Op::kAnd, ScalarType::kI64, {all, i64(perVector(from.type) - 1)});
  return host.prim(Op::kEq, ScalarType::kI64, {rest, i64(0)});
}

// Axes behind the dense one, which are a run of the result.
bool canMerge(const KernelCall& call, const ArrayRef& from) {
  return denseDimension(from) + 2 < from.shape.size() && isWhole(call.results[0]);
}

}  // namespace

Operand copyQuantity(Builder& host, const KernelCall& call, const ArrayRef& from,
                     Quantity quantity) {
  const size_t dense = denseDimension(from);
  auto isVectors = [&](size_t first) -> Operand {
    if (!isWhole(call.results[0])) return prim::Scalar::ofBool(false);
    return isAligned(host, from, runOf(host, from, first));
  };
  switch (quantity) {
    case Quantity::kElements:
      return runOf(host, from, 0);
    case Quantity::kDenseExtent:
      return from.shape[dense];
    case Quantity::kLastExtent:
      return from.shape.back();
    case Quantity::kIsTransposed:
      return prim::Scalar::ofBool(isTransposed(from));
    case Quantity::kIsMergeable:
      return prim::Scalar::ofBool(canMerge(call, from));
    case Quantity::kIsAligned:
      return isVectors(from.shape.size() - 1);
    case Quantity::kIsMergedAligned:
      return isVectors(dense + 1);
    default:
      HALO_UNREACHABLE("quantity of a copy");
  }
}

}  // namespace halo::gpu
