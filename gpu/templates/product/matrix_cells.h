// The cells of a subgroup, in cooperative matrices: sums, and how they are stored.
#pragma once

#include "gpu/schedule/reduce/matrix_product.h"
#include "gpu/templates/product/tile_place.h"
#include "gpu/templates/reduce/reduce_nest.h"

namespace halo::gpu {

inline constexpr int64_t kMatrixSide = 16;

class MatrixCells {
 public:
  // `first_row`, `first_column`: of the subgroup within the tile; `words`: shared memory that is
  // free behind the last step; `number`: of the subgroup.
  struct Parts {
    KernelScope& scope;
    const ReduceNest& nest;
    const MatrixProductSchedule& schedule;
    const TilePlace& place;
    MatrixForm form;
    imp::Operand first_row, first_column;
    imp::BufferId words;
    imp::Operand number;
  };
  explicit MatrixCells(const Parts& parts);

  int64_t down() const { return parts_.schedule.own_rows / kMatrixSide; }
  int64_t across() const { return parts_.schedule.own_columns / kMatrixSide; }
  // The sum of the matrix's row and column number `row` and `column`.
  imp::BufferId sum(int64_t row, int64_t column) const {
    return sums_[static_cast<size_t>(row * across() + column)];
  }
  void store();

 private:
  // Which elements of a staged matrix an invocation stores, and where the first of these lies.
  struct Scratch {
    imp::Operand first, lane;
  };
  void storeWhole();
  void storeThroughWords();
  void storeElements(int64_t row, int64_t column, const Scratch& scratch);
  imp::Operand total(const imp::Operand& bits);
  bool isStoredWhole() const;

  Parts parts_;
  imp::Builder& code_;
  std::vector<imp::BufferId> sums_;
};

// A matrix of the subgroup.
imp::BufferId addMatrix(imp::Builder& code, const std::string& name, prim::ScalarType type,
                        int64_t rows, int64_t columns);

}  // namespace halo::gpu
