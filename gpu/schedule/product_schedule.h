// Schedules of matrix products and everything shaped like them (schedule.h).
#pragma once

#include <cstdint>

namespace halo::gpu {

// Words of values that stay in registers; left out of the text where there are none.
struct OwnWords {
  int64_t words = 0;
  bool operator==(const OwnWords&) const = default;
};
// Of the scalars of one row, one column, one cell of a product that its elements read.
struct ProductValues {
  OwnWords of_row, of_column, of_cell;
  bool operator==(const ProductValues&) const = default;
};

// A product of matrices: a workgroup has a tile of cells, an invocation a block of them in
// registers, and lines of both inputs pass through shared memory (docs/gpu.md#products).
struct ProductSchedule {
  static constexpr const char* kName = "product";
  int64_t rows = 0, columns = 0;            // cells of a tile
  int64_t depth = 0;                        // elements of a line that are staged together
  int64_t cell_rows = 0, cell_columns = 0;  // of an invocation
  int64_t lane_rows = 8;  // of 32 neighbouring invocations, those below each other
  int64_t band = 8;       // tiles below each other before the next column of them
  // Multiply-adds: operands of an operation are in registers of different banks, and neighbouring
  // operations share one. Else the next operands are loaded while these are combined.
  bool is_fused = false;
  ProductValues values;  // of the invocation's rows, columns and cells
  int64_t lane_columns() const { return 32 / lane_rows; }
  // Registers for them.
  int64_t valueWords() const {
    return values.of_row.words * cell_rows + values.of_column.words * cell_columns +
           values.of_cell.words * cell_rows * cell_columns;
  }
  int64_t threads() const { return rows / cell_rows * (columns / cell_columns); }
  bool operator==(const ProductSchedule&) const = default;
};

// A product whose lines are cut into chunks (split-K): a tile of each chunk, then a second launch
// combines the chunks. The tile is one of splitProductTiles, by the extents.
struct SplitProductSchedule {
  static constexpr const char* kName = "split_product";
  int64_t depth = 16;          // of each tile
  bool is_fused = false;       // as of a product
  int64_t chunks = 0;          // of a line; 0: for as many workgroups
  int64_t workgroups = 0;      // for which lines are cut
  int64_t chunk_elements = 0;  // at least
  ProductValues values;        // as of a product
  // Of an invocation: up to 8 x 8 cells, or 4 x 4 where the text of an element is long.
  enum class Blocks : uint8_t { kLarge, kSmall } blocks = Blocks::kLarge;
  bool operator==(const SplitProductSchedule&) const = default;
};

// A product by cooperative matrices: a workgroup has a tile of cells, a subgroup a block of them in
// matrices of 16 x 16, and lines of both inputs pass through shared memory
// (docs/gpu.md#cooperative-matrices).
struct MatrixProductSchedule {
  static constexpr const char* kName = "matrix_product";
  int64_t rows = 0, columns = 0;          // cells of a tile
  int64_t depth = 0;                      // elements of a line that are staged together
  int64_t own_rows = 0, own_columns = 0;  // of a subgroup
  int64_t matrix_depth = 0;               // elements of a line in one matrix
  int64_t element_bytes = 0;
  int64_t lanes = 0;     // of a subgroup
  int64_t copies = 1;    // of staged lines; of two, one is filled while matrices take the other
  int64_t padding = 16;  // bytes behind a staged line: neighbours lie in other banks
  bool prefetch = true;  // the next step's lines are loaded to registers before the products
  int64_t band = 8;      // tiles below each other before the next column of them
  int64_t threads() const { return rows / own_rows * (columns / own_columns) * lanes; }
  bool operator==(const MatrixProductSchedule&) const = default;
};

}  // namespace halo::gpu
