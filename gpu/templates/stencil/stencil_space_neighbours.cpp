#include "gpu/templates/stencil/stencil_space_neighbours.h"

#include "gpu/templates/kernel/conditions.h"

namespace halo::gpu {

using namespace imp;

void SpaceNeighbours::enterPlane(const Operand& plane) {
  is_first_plane_ = isEqual(code_, plane, i64(0));
  is_last_plane_ = isEqual(code_, plane, code_.sub(grid_.nz, i64(1)));
}

Operand SpaceNeighbours::at(const Cell& cell, size_t w, const std::vector<int64_t>& offset) {
  const int v = cell.instance.windows[w];
  const core::Window& window = cell.instance.stage->windows[w];
  if (v < 0) return constantAt(window, cell, offset);
  const Use use{v, stream_.age(cell.instance, v, offset[0]), stream_.age(cell.instance, v, 0),
                window.boundary, cell};
  return alongPlanes(use, offset);
}

Operand SpaceNeighbours::select(const Operand& condition, const Operand& yes, const Operand& no,
                                ScalarType type) {
  if (condition.isConstant()) return condition.constant.asBool() ? yes : no;
  return code_.let("inside", type, Select{condition, yes, no});
}

Operand SpaceNeighbours::instead(const Use& use, size_t axis, const Operand& own) {
  const core::Boundary& boundary = use.boundary[axis];
  if (boundary.kind != core::BoundaryKind::kConstant) return own;
  return operandOf(use.cell.environment, boundary.value);
}

Operand SpaceNeighbours::alongColumns(const Use& use, int64_t planes_ago, int64_t line,
                                      int64_t by) {
  const int64_t column = use.cell.column;
  const Operand own = planes_.cellAt(use.version, planes_ago, line, column);
  if (by == 0) return own;
  const int64_t at = column + by;
  const Operand beside = at >= 0 && at < shape_.vector
                             ? planes_.cellAt(use.version, planes_ago, line, at)
                             : planes_.shuffled(use.version, planes_ago, line, by);
  if (by < 0 && column != 0) return beside;
  const Operand& outside =
      by < 0 ? grid_.is_first_column : grid_.is_last_column[static_cast<size_t>(column)];
  return select(outside, instead(use, 2, own), beside, stream_.version(use.version).type);
}

Operand SpaceNeighbours::alongLines(const Use& use, int64_t planes_ago,
                                    const std::vector<int64_t>& offset) {
  const int64_t line = use.cell.line;
  const Operand own = alongColumns(use, planes_ago, line, offset[2]);
  if (offset[1] == 0) return own;
  const Operand beside = alongColumns(use, planes_ago, line + offset[1], offset[2]);
  const Operands& outside = offset[1] < 0 ? grid_.is_first_line : grid_.is_last_line;
  return select(outside[static_cast<size_t>(line)], instead(use, 1, own), beside,
                stream_.version(use.version).type);
}

Operand SpaceNeighbours::alongPlanes(const Use& use, const std::vector<int64_t>& offset) {
  if (offset[0] == 0) return alongLines(use, use.age, offset);
  const Operand own = alongLines(use, use.own_age, offset);
  const Operand beside = alongLines(use, use.age, offset);
  return select(offset[0] < 0 ? is_first_plane_ : is_last_plane_, instead(use, 0, own), beside,
                stream_.version(use.version).type);
}

// Of an array of one constant.
Operand SpaceNeighbours::constantAt(const core::Window& window, const Cell& cell,
                                    const std::vector<int64_t>& offset) {
  const core::Scalar inside = stream_.sweep.iterated.uniforms.at(window.array);
  const auto line = static_cast<size_t>(cell.line), column = static_cast<size_t>(cell.column);
  Operand value = inside;
  auto outside = [&](size_t axis, const Operand& is_outside) {
    const core::Boundary& boundary = window.boundary[axis];
    if (boundary.kind != core::BoundaryKind::kConstant) return;
    value = select(is_outside, operandOf(cell.environment, boundary.value), value, inside.type);
  };
  if (offset[0] != 0) outside(0, offset[0] < 0 ? is_first_plane_ : is_last_plane_);
  if (offset[1] != 0) {
    outside(1, offset[1] < 0 ? grid_.is_first_line[line] : grid_.is_last_line[line]);
  }
  if (offset[2] < 0 && column == 0) outside(2, grid_.is_first_column);
  if (offset[2] > 0) outside(2, grid_.is_last_column[column]);
  return value;
}

}  // namespace halo::gpu
