// Lines are counted from the first row that counts.
#include "lang/core/tile_sums.h"

#include <algorithm>

#include "lang/core/operators.h"

namespace halo::core {
namespace {

constexpr size_t kFewNeighbours = 32;

bool areScalars(const Program& program, const std::vector<ValueId>& values) {
  return std::all_of(values.begin(), values.end(),
                     [&](ValueId value) { return program.type(value).isScalar(); });
}

}  // namespace

bool isInAnyOrder(const Reduction& reduction) {
  if (reduction.commutative) return true;
  const Body& body = reduction.op.body;
  const PrimOp* prim = body.stms.size() == 1 ? std::get_if<PrimOp>(&body.stms[0].expr) : nullptr;
  return prim != nullptr && mayBeReordered(prim->op);
}

bool reducesInTiles(const Program& program, const Stencil& stencil) {
  size_t neighbours = 0;
  for (const Window& window : stencil.windows) neighbours += window.offsets.size();
  const Operands& results = stencil.map.body.results;
  return neighbours <= kFewNeighbours &&
         std::all_of(results.begin(), results.end(),
                     [&](const Operand& o) { return program.type(o).isScalar(); }) &&
         std::all_of(stencil.reductions.begin(), stencil.reductions.end(),
                     [&](const Reduction& reduction) {
                       return isInAnyOrder(reduction) && areScalars(program, reduction.op.params);
                     });
}

int64_t TileGrid::tiles() const {
  int64_t all = isLine() ? 1 : rows;
  for (size_t axis = 1; axis + 1 < space.size(); ++axis) all *= space[axis];
  return (all + lines - 1) / lines * tilesOfLine();
}

std::optional<int64_t> TileGrid::tileOf(const std::vector<int64_t>& cell) const {
  const int64_t row = cell[0] - first;
  if (row < 0 || row >= rows) return std::nullopt;
  if (isLine()) return row / columns;
  int64_t line = row;
  for (size_t axis = 1; axis + 1 < space.size(); ++axis) line = line * space[axis] + cell[axis];
  return line / lines * tilesOfLine() + cell.back() / columns;
}

}  // namespace halo::core
