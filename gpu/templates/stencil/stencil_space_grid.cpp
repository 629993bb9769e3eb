#include "gpu/templates/stencil/stencil_space_grid.h"

#include "gpu/templates/kernel/conditions.h"

namespace halo::gpu {

using namespace imp;

namespace {

class GridBuilder {
 public:
  GridBuilder(Stream& stream, const SpaceStreamSchedule& schedule, SpaceGrid& grid)
      : stream_(stream), schedule_(schedule), grid_(grid), code_(stream.code) {}

  void build() {
    const Sweep& sweep = stream_.sweep;
    grid_.nz = stream_.scope.scalar(sweep.extents[0]);
    grid_.ny = stream_.scope.scalar(sweep.extents[1]);
    grid_.nx = stream_.scope.scalar(sweep.extents[2]);
    grid_.plane = stream_.scope.scalar(sweep.from[0].strides[0]);
    grid_.pitch = stream_.scope.scalar(sweep.from[0].strides[1]);
    const Operand strips = findColumns();
    const Operand tiles = findLines();
    grid_.groups = {strips, tiles, findPlanes(sweep.host.mul(strips, tiles))};
  }

 private:
  int64_t lost(size_t axis) const { return stream_.margin.lost[axis]; }

  Operand findColumns() {
    const int64_t all = schedule_.lanes * schedule_.vector, kept = all - 2 * lost(2);
    grid_.lane =
        widened(code_, code_.let("lane", ScalarType::kU32, BuiltInValue{BuiltIn::kLane, 0}));
    const Operand of_tile = code_.mul(grid_.lane, i64(schedule_.vector));
    const Operand strip = code_.mul(stream_.scope.groupId(0), i64(kept));
    const Operand own = code_.add(code_.sub(strip, i64(lost(2))), of_tile);
    grid_.column = clampToExtent(code_, own, grid_.pitch, schedule_.vector);
    const Operand from = isAtMost(code_, i64(lost(2)), of_tile);
    const Operand to = isLess(code_, of_tile, i64(all - lost(2)));
    const Operand exists = isLess(code_, own, grid_.nx);
    stores_ = both(code_, both(code_, from, to), exists);
    grid_.is_first_column = isEqual(code_, own, i64(0));
    const Operand last = code_.sub(grid_.nx, i64(1));
    for (int64_t i = 0; i < schedule_.vector; ++i) {
      const bool may_be = schedule_.copies_arrays || i + 1 == schedule_.vector;
      grid_.is_last_column.push_back(may_be ? isEqual(code_, code_.add(own, i64(i)), last)
                                            : Operand(Scalar::ofBool(false)));
    }
    return divideUp(stream_.sweep.host, stream_.sweep.extents[2], i64(kept));
  }

  Operand findLines() {
    const int64_t all = schedule_.subgroups * schedule_.lines, kept = all - 2 * lost(1);
    grid_.subgroup = widened(
        code_, code_.let("subgroup", ScalarType::kU32, BuiltInValue{BuiltIn::kSubgroup, 0}));
    const Operand first = code_.mul(grid_.subgroup, i64(schedule_.lines));
    const Operand tile = code_.sub(code_.mul(stream_.scope.groupId(1), i64(kept)), i64(lost(1)));
    for (int64_t l = 0; l < schedule_.lines; ++l) {
      const Operand of_tile = code_.add(first, i64(l));
      const Operand line = code_.add(tile, of_tile);
      const Operand existing = clampToExtent(code_, line, grid_.ny);
      grid_.lines.push_back(existing);
      grid_.line_at.push_back(code_.add(code_.mul(existing, grid_.pitch), grid_.column));
      grid_.is_first_line.push_back(isEqual(code_, line, i64(0)));
      grid_.is_last_line.push_back(isEqual(code_, line, code_.sub(grid_.ny, i64(1))));
      const Operand from = isAtMost(code_, i64(lost(1)), of_tile);
      const Operand to = isLess(code_, of_tile, i64(all - lost(1)));
      const Operand exists = isLess(code_, line, grid_.ny);
      const Operand inside = both(code_, exists, stores_);
      grid_.stores_line.push_back(both(code_, both(code_, from, to), inside));
    }
    return divideUp(stream_.sweep.host, stream_.sweep.extents[1], i64(kept));
  }

  Operand findPlanes(const Operand& columns) {
    Builder& host = stream_.sweep.host;
    const Operand& extent = stream_.sweep.extents[0];
    const Operand even = stream_.evenChunk(extent, columns, schedule_.busy_workgroups);
    const Operand chunk = host.max(even, i64(schedule_.chunk_planes));
    const Operand planes = stream_.scope.scalar(chunk);
    const Operand group = stream_.scope.groupId(2);
    stream_.findChunk(code_.mul(group, planes), grid_.nz, grid_.nz, planes);
    return divideUp(host, extent, chunk);
  }

  Stream& stream_;
  const SpaceStreamSchedule& schedule_;
  SpaceGrid& grid_;
  Builder& code_;
  Operand stores_;  // whether the lane's columns are stored
};

}  // namespace

SpaceGrid::SpaceGrid(Stream& stream, const SpaceStreamSchedule& schedule) {
  GridBuilder(stream, schedule, *this).build();
}

}  // namespace halo::gpu
