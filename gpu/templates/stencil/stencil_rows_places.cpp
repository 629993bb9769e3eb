// Each place is computed once and kept: rows share columns, and columns share rows.
#include "gpu/templates/stencil/stencil_rows_places.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

Operand RowsPlaces::indexOf(const ArrayRef& array, const Operands& at) {
  Operand index = array.offset;
  for (size_t axis = 0; axis < rank(); ++axis) {
    index = code_.add(index, code_.mul(at[axis], array.strides[axis]));
  }
  return index;
}

Operand RowsPlaces::indexNear(size_t number, const ArrayRef& array,
                              const std::vector<int64_t>& outer, const Operand& first, int64_t by) {
  auto [start, is_new] = starts_.try_emplace({number, first.var});
  if (is_new) {
    Operands at;
    for (size_t axis = 0; axis + 1 < rank(); ++axis) at.push_back(grid_.first(axis));
    at.push_back(first);
    start->second = indexOf(array, at);
  }
  auto [row, is_first] = row_starts_.try_emplace({number, first.var, outer});
  if (is_first) {
    Operand away = i64(by);
    for (size_t axis = 0; axis + 1 < rank(); ++axis) {
      away = code_.add(code_.mul(i64(outer[axis]), array.strides[axis]), away);
    }
    row->second = {code_.add(start->second, away), by};
  }
  return code_.add(row->second.first, i64(by - row->second.second));
}

const RowsPlaces::Beside& RowsPlaces::besideAt(int64_t block, int64_t column,
                                               const core::Boundary& boundary) {
  auto [found, is_new] = beside_.try_emplace({block, boundary.kind, column});
  if (!is_new) return found->second;
  const Operand& first = columns_[static_cast<size_t>(block)];
  if (shape_.columns > 1) return found->second = vectorBeside(first, column, boundary.kind);
  const Neighbour at = neighbourAt(code_, boundary, first, i64(column), extents_.back());
  return found->second = {at.index, at.outside};
}

// Vectors are outside as a whole: rows are whole vectors.
RowsPlaces::Beside RowsPlaces::vectorBeside(const Operand& first, int64_t column,
                                            core::BoundaryKind kind) {
  const Operand& extent = extents_.back();
  const bool left = column < 0;
  const Operand at = code_.add(first, i64(column));
  const Operand outside = left ? isBefore(at) : isBehind(at, rank() - 1);
  const Operand last = code_.sub(extent, i64(shape_.columns));
  Operand other = left ? i64(0) : last;
  if (kind == core::BoundaryKind::kWrap) {
    other = left ? code_.add(at, extent) : code_.sub(at, extent);
  } else if (kind == core::BoundaryKind::kMirror) {
    const Operand mirrored = code_.sub(i64(-shape_.columns), at);
    other = left ? mirrored : code_.add(code_.add(extent, extent), mirrored);
  }
  return {code_.let("column", ScalarType::kI64, Select{outside, other, at}), outside};
}

const Neighbour& RowsPlaces::rowAt(const core::Boundary& boundary, size_t axis, int64_t offset) {
  auto [found, is_new] = rows_.try_emplace({axis, boundary.kind, offset});
  if (!is_new) return found->second;
  return found->second =
             neighbourAt(code_, boundary, grid_.first(axis), i64(offset), extents_[axis]);
}

Operand RowsPlaces::isBefore(const Operand& at) {
  return code_.prim(Op::kLt, ScalarType::kI64, {at, i64(0)});
}

Operand RowsPlaces::isBehind(const Operand& at, size_t axis) {
  return code_.prim(Op::kLe, ScalarType::kI64, {extents_[axis], at});
}

Operand RowsPlaces::areInside(const Operand& begin, int64_t count) {
  const Operand last = code_.sub(extents_.back(), i64(count));
  const Operand from = code_.prim(Op::kLe, ScalarType::kI64, {i64(0), begin});
  const Operand to = code_.prim(Op::kLe, ScalarType::kI64, {begin, last});
  return code_.prim(Op::kAnd, ScalarType::kBool, {from, to});
}

}  // namespace halo::gpu
