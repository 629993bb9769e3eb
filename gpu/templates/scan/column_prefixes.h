// Sums in front of a tile's rows, column by column. Lanes have consecutive rows of neighbouring
// columns: those with the next rows of the same columns stand `width` lanes further.
//
//   width 3   | lane 0 1 2 | 3 4 5 | ..    shuffles carry on from lane to lane,
//   columns     0 1 2        0 1 2         shared memory from subgroup to subgroup,
//   rows        first        next          look-back from tile to tile
#pragma once

#include "gpu/templates/scan/look_back.h"

namespace halo::gpu {

class ColumnPrefixes {
 public:
  struct Shape {
    int64_t lanes, subgroups;
    int64_t columns;  // of a tile at most
    int64_t lookback_lanes, lookback_tiles;
  };
  ColumnPrefixes(KernelScope& scope, Operators& ops, const TileState& state, const Shape& shape)
      : scope_(scope), code_(scope.code()), ops_(ops), state_(state), shape_(shape) {}

  // The invocation's place; `width`: at most as many as lanes.
  struct Place {
    imp::Operand local, lane, subgroup, width;
  };
  // The invocation's sums of its rows, in each of its columns. All invocations ask together; a
  // barrier follows.
  void scanLanes(const Place& place, const std::vector<imp::Operands>& sums,
                 const imp::Operands& columns);
  // In `count` columns of the tile; `looking`: host, invocations that look, in whole subgroups. A
  // barrier follows.
  void lookBack(const LookBack::Where& where, const imp::Operand& count,
                const imp::Operand& looking);
  // In front of the invocation's first row, in its column c.
  imp::Operands before(size_t c);

 private:
  imp::Operand prim(prim::Op op, const imp::Operand& a, const imp::Operand& b);
  imp::Operands below(const imp::Operands& values, const imp::Operand& distance);
  imp::Operand ofSubgroup(const imp::Operand& subgroup, const imp::Operand& column);

  KernelScope& scope_;
  imp::Builder& code_;
  Operators& ops_;
  const TileState& state_;
  Shape shape_;
  Place place_;
  imp::Operands columns_;                // of the invocation
  std::vector<imp::Operands> in_group_;  // sums of the subgroup's lanes before it
  std::vector<imp::BufferId> sums_, prefix_;
};

}  // namespace halo::gpu
