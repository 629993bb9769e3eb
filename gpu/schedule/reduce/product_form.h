// Which reductions have the form of a matrix product, as far as Core says.
//
//   screma [m] (a) map (r) { screma [n] (b) map (c) { screma [k] (r, c) map f reduce op ne } }
//
// Each input of the reduction is a line of scalars that changes from row to row, or from column to
// column, or neither. Any operator, any map; more levels around are a batch. The map may read
// scalars that the levels around have for each row, column or cell.
#pragma once

#include <optional>
#include <vector>

#include "gpu/schedule/schedule.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// A scalar of the levels around that the map reads.
struct OwnValue {
  core::ValueId value;
  bool of_row = false, of_column = false;  // what it differs between; a cell's: both
};
// In the order of ids.
std::vector<OwnValue> ownValues(const core::Program& program, const core::Function& kernel,
                                const std::vector<const core::Screma*>& levels);

struct ProductForm {
  bool is_fused = false;  // sums of products of f32: one instruction for each element
  int64_t row_words = 0;  // of an element of all inputs that change from row to row
  int64_t column_words = 0;
  int64_t cell_words = 0;      // of a cell's results
  int64_t statements = 0;      // of map and operators
  int64_t own_statements = 0;  // of the levels around, once for each cell
  ProductValues values;        // words of a row's, column's, cell's own values
};

std::optional<ProductForm> productForm(const core::Program& program, const core::Function& kernel,
                                       const std::vector<const core::Screma*>& levels);

// A staged line of so many elements: one vector of padding puts neighbouring ones in other banks.
inline int64_t productPitch(int64_t elements) { return elements + 4; }

}  // namespace halo::gpu
