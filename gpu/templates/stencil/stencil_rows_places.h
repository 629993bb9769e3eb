// Where the neighbours of an invocation's cells are: in memory, and whether outside.
#pragma once

#include <map>

#include "gpu/templates/stencil/stencil_rows_grid.h"
#include "lang/imp/lower/boundary.h"

namespace halo::gpu {

class RowsPlaces {
 public:
  // `extents` of the array and `columns`, the invocation's first one by block, may come later.
  RowsPlaces(imp::Builder& code, const RowsGrid& grid, const RowsShape& shape,
             const imp::Operands& extents, const imp::Operands& columns)
      : code_(code), grid_(grid), shape_(shape), extents_(extents), columns_(columns) {}

  imp::Operand indexOf(const imp::ArrayRef& array, const imp::Operands& at);
  // The same for a row so far from the invocation's first one, at the column `first` + `by`. The
  // part that rows have in common is computed once, and the part of columns, so little is left for
  // each. `number` tells the array from others.
  imp::Operand indexNear(size_t number, const imp::ArrayRef& array,
                         const std::vector<int64_t>& outer, const imp::Operand& first, int64_t by);

  // Where a piece beside the invocation's own cells is: along the last axis rows have ends.
  struct Beside {
    imp::Operand column;
    std::optional<imp::Operand> outside;
  };
  // Of a window; the same for every row.
  const Beside& besideAt(int64_t block, int64_t column, const core::Boundary& boundary);
  // Of a window's row that may be outside: where it is instead, and whether a constant is.
  const imp::Neighbour& rowAt(const core::Boundary& boundary, size_t axis, int64_t offset);

  imp::Operand isBefore(const imp::Operand& at);
  imp::Operand isBehind(const imp::Operand& at, size_t axis);
  // Whether so many cells of a row from `begin` on are cells of it.
  imp::Operand areInside(const imp::Operand& begin, int64_t count);

 private:
  size_t rank() const { return extents_.size(); }
  Beside vectorBeside(const imp::Operand& first, int64_t column, core::BoundaryKind kind);

  imp::Builder& code_;
  const RowsGrid& grid_;
  const RowsShape& shape_;
  const imp::Operands& extents_;
  const imp::Operands& columns_;
  std::map<std::pair<size_t, imp::VarId>, imp::Operand> starts_;
  // With the distance of the column that was wanted first.
  std::map<std::tuple<size_t, imp::VarId, std::vector<int64_t>>, std::pair<imp::Operand, int64_t>>
      row_starts_;
  std::map<std::tuple<int64_t, core::BoundaryKind, int64_t>, Beside> beside_;
  std::map<std::tuple<size_t, core::BoundaryKind, int64_t>, imp::Neighbour> rows_;
};

}  // namespace halo::gpu
