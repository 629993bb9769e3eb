// Sums of a value and a constant decide. Elements at `k`, and those from `k + 1` on, are disjoint
// whatever `k` is.
#include "gpu/plan/in_place/regions.h"

#include <algorithm>

namespace halo::gpu {

using namespace core;

namespace {

constexpr int64_t kFar = int64_t{1} << 32;  // sums of an index and less do not wrap

bool isWhole(const SliceDim& dim) { return dim.start == kZero && dim.stride == kOne; }

const PrimOp* definedBy(const Operand& operand, const DefiningExprs& definitions) {
  const auto found = operand.isConstant() ? definitions.end() : definitions.find(operand.value);
  return found == definitions.end() ? nullptr : std::get_if<PrimOp>(&found->second);
}

// The first index behind all elements of the axis: `start + (end - start)` is `end`.
std::optional<Sum> endOf(const SliceDim& dim, const DefiningExprs& definitions) {
  if (dim.stride != kOne) return std::nullopt;
  const Sum start = sumOf(dim.start, definitions), length = sumOf(dim.length, definitions);
  if (!length.base) return Sum{start.base, start.by + length.by};
  if (start == Sum{}) return length;
  const auto* difference = definedBy(dim.length, definitions);
  const bool ends = difference != nullptr && difference->op == prim::Op::kSub &&
                    difference->type == ScalarType::kI64 &&
                    sumOf(difference->args[1], definitions) == start;
  return ends ? std::optional(sumOf(difference->args[0], definitions)) : std::nullopt;
}

bool endsBefore(const SliceDim& a, const SliceDim& b, const DefiningExprs& definitions) {
  const bool goes_up = b.stride.isConstant() && b.stride.constant.asSigned() > 0;
  const std::optional<Sum> end = goes_up ? endOf(a, definitions) : std::nullopt;
  const Sum begin = sumOf(b.start, definitions);
  return end && end->base == begin.base && end->by <= begin.by;
}

std::vector<size_t> longAxes(const Region& region) {
  std::vector<size_t> axes = region.axes;
  std::erase_if(axes, [&](size_t axis) { return region.dims[axis].length == kOne; });
  return axes;
}

}  // namespace

void define(const Stm& stm, DefiningExprs& definitions) {
  const bool is_view = std::holds_alternative<Index>(stm.expr) ||
                       std::holds_alternative<Slice>(stm.expr) ||
                       std::holds_alternative<Rearrange>(stm.expr);
  if (is_view || std::holds_alternative<PrimOp>(stm.expr)) {
    definitions[stm.results[0]] = stm.expr;
  }
}

Sum sumOf(const Operand& operand, const DefiningExprs& definitions) {
  if (operand.isConstant()) return {std::nullopt, operand.constant.asSigned()};
  const PrimOp* op = definedBy(operand, definitions);
  const bool is_sum = op != nullptr && op->type == ScalarType::kI64 && op->args.size() == 2 &&
                      (op->op == prim::Op::kAdd || op->op == prim::Op::kSub);
  const bool by_constant = is_sum && op->args[1].isConstant();
  const int64_t by = by_constant ? op->args[1].constant.asSigned() : kFar;
  if (by <= -kFar || by >= kFar) return {operand.value, 0};
  Sum sum = sumOf(op->args[0], definitions);
  sum.by += op->op == prim::Op::kAdd ? by : -by;
  return sum;
}

Region Region::ofWhole(const Operands& shape) {
  Region whole;
  for (const Operand& extent : shape) {
    whole.axes.push_back(whole.dims.size());
    whole.dims.push_back({kZero, extent, kOne});
  }
  return whole;
}

std::optional<Region> Region::at(const Operands& indices) const {
  Region part = *this;
  part.axes.erase(part.axes.begin(), part.axes.begin() + static_cast<long>(indices.size()));
  for (size_t k = 0; k < indices.size(); ++k) {
    SliceDim& dim = part.dims[axes[k]];
    if (!isWhole(dim)) return std::nullopt;
    dim = {indices[k], kOne, kOne};
  }
  return part;
}

std::optional<Region> Region::at(const std::vector<SliceDim>& parts) const {
  Region part = *this;
  for (size_t k = 0; k < parts.size(); ++k) {
    SliceDim& dim = part.dims[axes[k]];
    if (!isWhole(dim)) return std::nullopt;
    dim = parts[k];
  }
  return part;
}

std::optional<Region> regionOf(const Program& program, ValueId view, ValueId array,
                               const DefiningExprs& definitions) {
  if (view == array) return Region::ofWhole(program.type(array).shape);
  const auto found = definitions.find(view);
  if (found == definitions.end()) return std::nullopt;
  const auto of = [&](ValueId viewed) { return regionOf(program, viewed, array, definitions); };
  if (const auto* index = std::get_if<Index>(&found->second)) {
    const auto region = of(index->array);
    return region ? region->at(index->indices) : std::nullopt;
  }
  if (const auto* slice = std::get_if<Slice>(&found->second)) {
    const auto region = of(slice->array);
    return region ? region->at(slice->dims) : std::nullopt;
  }
  const auto* turned = std::get_if<Rearrange>(&found->second);
  std::optional<Region> region = turned == nullptr ? std::nullopt : of(turned->array);
  if (!region) return std::nullopt;
  const std::vector<size_t> before = region->axes;
  for (size_t k = 0; k < before.size(); ++k) {
    region->axes[k] = before[static_cast<size_t>(turned->permutation[k])];
  }
  return region;
}

Region regionOf(const Program& program, const Update& update) {
  const Region whole = Region::ofWhole(program.type(update.array).shape);
  return update.dims.empty() ? *whole.at(update.indices) : *whole.at(update.dims);
}

bool areApart(const std::vector<SliceDim>& a, const std::vector<SliceDim>& b,
              const DefiningExprs& definitions) {
  for (size_t axis = 0; axis < std::min(a.size(), b.size()); ++axis) {
    if (endsBefore(a[axis], b[axis], definitions)) return true;
    if (endsBefore(b[axis], a[axis], definitions)) return true;
  }
  return false;
}

bool areSame(const Region& a, const Region& b, const DefiningExprs& definitions) {
  const auto isEqual = [&](const Operand& one, const Operand& other) {
    return sumOf(one, definitions) == sumOf(other, definitions);
  };
  for (size_t axis = 0; axis < a.dims.size(); ++axis) {
    const SliceDim &one = a.dims[axis], &other = b.dims[axis];
    if (!isEqual(one.start, other.start) || !isEqual(one.length, other.length)) return false;
    if (one.stride != other.stride) return false;
  }
  return longAxes(a) == longAxes(b);
}

}  // namespace halo::gpu
