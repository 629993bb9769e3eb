// The boxes that kernels of a register tile cover, and the facts of its guards.
#include <algorithm>

#include "gpu/schedule/stencil/reach.h"
#include "gpu/schedule/stencil/register_tile.h"
#include "gpu/templates/stencil/stencil_rows.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

const ArrayRef* inMemory(const KernelCall& call, core::ValueId value) {
  auto found = call.arguments.arrays.find(value);
  bool fits = found != call.arguments.arrays.end() && !found->second.isVirtual();
  return fits ? &found->second : nullptr;
}

// The largest multiple that is not more, nor less than nothing.
Operand wholeOf(Builder& host, const Operand& size, int64_t part) {
  Operand some = host.max(size, i64(0));
  return host.sub(some, host.prim(Op::kMachineRem, ScalarType::kI64, {some, i64(part)}));
}

}  // namespace

bool isRowMajor(const KernelCall& call, const core::Stencil& stencil) {
  auto is_plain = [](const ArrayRef& array) { return !array.isVirtual() && array.dense; };
  auto is_argument_plain = [&](core::ValueId value) {
    const ArrayRef* array = inMemory(call, value);
    return array == nullptr || is_plain(*array);
  };
  return std::all_of(stencil.windows.begin(), stencil.windows.end(),
                     [&](const auto& window) { return is_argument_plain(window.array); }) &&
         std::all_of(stencil.inputs.begin(), stencil.inputs.end(), is_argument_plain) &&
         std::all_of(call.results.begin(), call.results.end(), is_plain);
}

Operand beginAtVectors(Builder& host, const KernelCall& call, const core::Stencil& stencil,
                       int64_t columns) {
  Operand all = prim::Scalar::ofBool(true);
  auto note = [&](const ArrayRef& array) {
    if (array.isVirtual() || array.offset == i64(0)) return;
    Operand rest = host.prim(Op::kMachineRem, ScalarType::kI64, {array.offset, i64(columns)});
    Operand whole = host.prim(Op::kEq, ScalarType::kI64, {rest, i64(0)});
    all = all.isConstant() ? whole : host.prim(Op::kAnd, ScalarType::kBool, {all, whole});
  };
  for (const core::Window& window : stencil.windows) {
    if (const ArrayRef* array = inMemory(call, window.array)) note(*array);
  }
  for (core::ValueId input : stencil.inputs) {
    if (const ArrayRef* array = inMemory(call, input)) note(*array);
  }
  for (const ArrayRef& result : call.results) note(result);
  return all;
}

Box wholeBox(const Operands& extents) { return {Operands(extents.size(), i64(0)), extents}; }

Box rowsInterior(Builder& host, const core::Stencil& stencil, const Operands& extents) {
  std::vector<Span> spans = spansOf(stencil);
  Box interior;
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    bool is_last = axis + 1 == extents.size();
    Operand before = i64(is_last ? 0 : -spans[axis].lo);
    Operand end = host.sub(extents[axis], i64(is_last ? 0 : spans[axis].hi));
    interior.origin.push_back(before);
    interior.size.push_back(host.max(host.sub(end, before), i64(0)));
  }
  return interior;
}

std::vector<Box> boxesAround(Builder& host, const Box& interior, const Operands& extents,
                             size_t whole) {
  std::vector<Box> boxes;
  Box rest{Operands(extents.size(), i64(0)), extents};
  for (size_t axis = 0; axis + whole < extents.size(); ++axis) {
    Box before = rest, behind = rest;
    before.size[axis] = interior.origin[axis];
    behind.origin[axis] = host.add(interior.origin[axis], interior.size[axis]);
    behind.size[axis] = host.sub(extents[axis], behind.origin[axis]);
    for (const Box& box : {before, behind}) {
      if (!(box.size[axis] == i64(0))) boxes.push_back(box);
    }
    rest.origin[axis] = interior.origin[axis];
    rest.size[axis] = interior.size[axis];
  }
  return boxes;
}

std::vector<Box> boxesBesides(Builder& host, const Box& interior, const Operands& extents) {
  Box before = interior, behind = interior;
  before.origin.back() = i64(0);
  before.size.back() = interior.origin.back();
  behind.origin.back() = host.add(interior.origin.back(), interior.size.back());
  behind.size.back() = host.sub(extents.back(), behind.origin.back());
  return {before, behind};
}

Operand hasAlignmentOffset(Builder& host, const RowsShape& shape, const Operands& extents) {
  auto liesSo = [&](const Operand& cells, int64_t alignment_offset) {
    Operand rest = host.prim(Op::kMachineRem, ScalarType::kI64, {cells, i64(shape.columns)});
    return host.prim(Op::kEq, ScalarType::kI64, {rest, i64(alignment_offset)});
  };
  Operand row = liesSo(extents.back(), shape.alignment_offset.back());
  if (extents.size() == 2) return row;
  Operand plane = liesSo(host.mul(extents[1], extents[2]), shape.alignment_offset[0]);
  return host.prim(Op::kAnd, ScalarType::kBool, {row, plane});
}

Box peeledInterior(Builder& host, const core::Stencil& stencil, const RegisterTileSchedule& tile,
                   const Operands& extents) {
  Box interior = rowsInterior(host, stencil, extents);
  if (tile.ends == RegisterTileSchedule::Ends::kCells) {
    interior.origin.back() = i64(0);
    Operand all = host.add(extents.back(), i64(columnsLost(tile) + tile.columns - 1));
    interior.size.back() = wholeOf(host, all, tile.columns);
    return interior;
  }
  const int64_t origin = peeledOrigin(stencil, tile);
  interior.origin.back() = i64(origin);
  Operand rest = host.sub(extents.back(), i64(spansOf(stencil).back().hi + origin));
  interior.size.back() = wholeOf(host, rest, tile.columns);
  return interior;
}

Box peeledCover(Builder& host, const RegisterTileSchedule& tile, const Box& interior,
                const Operands& extents) {
  Box covered = interior;
  if (tile.ends == RegisterTileSchedule::Ends::kCells) {
    covered.size.back() = extents.back();
    return covered;
  }
  Operand columns = host.sub(interior.size.back(), i64(columnsLost(tile)));
  covered.size.back() = host.max(columns, i64(0));
  return covered;
}

}  // namespace halo::gpu
