// Products of matrices, with any operators, in register tiles. See lower_tiles.cpp.
#pragma once

#include "lang/imp/lower/lowering.h"

namespace halo::imp {

struct Product {
  const core::Screma& rows;
  const core::Screma& columns;
  const core::Screma& sum;
  core::Body rest;       // of `columns`, without the sum
  core::ValueId result;  // the sum
};

// The product that a map over rows is, if tiles reuse both of its arrays.
std::optional<Product> asProduct(const core::Program& core, const Environment& env,
                                 const core::Screma& rows);

class ProductTiles {
 public:
  ProductTiles(Lowering& lowering, const Product& product, const std::vector<ArrayRef>& outputs);
  // Rows that make whole tiles; returns their number. The remaining rows are the caller's.
  Operand run();

 private:
  void fillPanels();
  void lowerTile(Operand first_row);
  void addProduct(Operand row, Operand lane, Operand k, VarId sum);
  void finishCell(Operand row, Operand column, VarId sum);

  Lowering& low_;
  Builder& b_;
  const core::Program& core_;
  Environment& env_;
  const LoweringTarget& target_;
  const Product& product_;
  const std::vector<ArrayRef>& outputs_;
  int64_t columns_ = 0;                       // of a tile
  Operand width_, depth_;                     // of the result; of the sum
  std::map<core::ValueId, ArrayRef> panels_;  // by parameter of the columns' map
  Operand first_column_;                      // of the panel at hand
};

}  // namespace halo::imp
