// Cells of a stencil (lower_stencil.cpp): the values of its lambda's parameters.
#include <map>

#include "lang/imp/schedule/stencil/sweep.h"

namespace halo::imp {

using core::ValueId;

// Of the row at hand, along an outer axis.
Neighbour Lowering::Sweep::staticNeighbour(size_t axis, int64_t offset,
                                           const core::Boundary& boundary) const {
  Operand at = position[axis];
  if (offset == 0) return {at, {}};
  if (isEndless(axis)) return {b_.add(at, Operand::ofI64(offset)), {}};
  return neighbourAt(b_, boundary, at, Operand::ofI64(offset), extents[axis]);
}

void Lowering::Sweep::lowerCell(Operand x, bool clamped, const std::function<void(Results&)>& use) {
  bindWindows(x, clamped);
  size_t reduced = stm.results.size() - outputs.size();
  std::vector<ArrayRef> targets = outputs;
  if (!output_rows.empty()) {
    const Operands& offsets = output_rows[static_cast<size_t>(shift)];
    for (size_t k = 0; k < targets.size(); ++k) targets[k].offset = offsets[k];
  }
  Results results = low_.cellBody(node.map.body, cell(b_, x), targets, reduced);
  use(results);
}

void Lowering::Sweep::bindWindows(Operand x, bool clamped) {
  size_t param = 0;
  if (shift == 0) loaded.clear();
  const std::vector<ValueId>& params = node.map.params;
  std::map<std::pair<core::BoundaryKind, int64_t>, Neighbour> known;
  for (size_t w = 0; w < node.windows.size(); ++w) {
    const core::Window& window = node.windows[w];
    if (!window.dynamic.empty()) {
      bindDynamic(window, params[param++], x);
      continue;
    }
    for (const std::vector<int64_t>& offset : window.offsets) {
      const core::Boundary& boundary = window.boundary.back();
      auto [column, is_new] = known.try_emplace({boundary.kind, offset.back()});
      if (is_new) {
        Operand by = Operand::ofI64(offset.back());
        column->second = clamped && offset.back() != 0
                             ? neighbourAt(b_, boundary, x, by, extents.back())
                             : Neighbour{b_.add(x, by), {}};
      }
      low_.env_.scalars[params[param++]] = neighbour(w, offset, column->second, clamped);
    }
  }
  const Operands here = cell(b_, x);
  for (ValueId input : node.inputs) {
    Operands at = here;
    if (isInRing(input)) at[0] = inRing(b_, input, at[0]);
    bindElement(b_, low_.core_, low_.env_, params[param++], low_.array(input), at);
  }
  for (size_t axis : node.positions) {
    low_.env_.scalars[params[param++]] = isEndless(axis) ? wrapped(axis, here[axis]) : here[axis];
  }
}

// The position of a cell on an axis that goes on beyond its ends, by no more than its extent.
Operand Lowering::Sweep::wrapped(size_t axis, const Operand& at) const {
  const Operand& extent = extents[axis];
  const Operand is_before = b_.prim(prim::Op::kLt, ScalarType::kI64, {at, kZero});
  const Operand is_behind = b_.prim(prim::Op::kLe, ScalarType::kI64, {extent, at});
  const Operand less = b_.let("i", ScalarType::kI64, Select{is_behind, b_.sub(at, extent), at});
  return b_.let("i", ScalarType::kI64, Select{is_before, b_.add(at, extent), less});
}

// The element of window `w` at an offset, whose column is known. Rows that are done at once load
// their common elements once.
Operand Lowering::Sweep::neighbour(size_t w, const std::vector<int64_t>& offset,
                                   const Neighbour& column, bool clamped) {
  const core::Window& window = node.windows[w];
  const ArrayRef& source = low_.array(window.array);
  const std::vector<int64_t> far = outerOffsets(offset);
  std::vector<Neighbour> at;
  for (size_t axis = 0; axis < far.size(); ++axis) {
    at.push_back(coordinates.at({axis, window.boundary[axis].kind, far[axis]}));
  }
  at.push_back(column);
  Operand value;
  auto known = loaded.find({w, far, offset.back()});
  if (known != loaded.end()) {
    value = known->second;
  } else if (source.isVirtual()) {
    Operands indices;
    for (const Neighbour& on_axis : at) indices.push_back(on_axis.index);
    value = loadElement(b_, source, indices);
  } else {
    Operand in_row = b_.mul(column.index, source.strides[far.size()]);
    value = b_.load(source.buffer, b_.add(rows.at({w, far}), in_row));
  }
  if (!clamped) loaded[{w, far, offset.back()}] = value;
  return orConstant(b_, low_.env_, window.boundary, at, value);
}

}  // namespace halo::imp
