// The cells of an invocation, in registers: their accumulators, and how they are stored.
#pragma once

#include "gpu/schedule/reduce/product_form.h"
#include "gpu/templates/product/fragments.h"

namespace halo::gpu {

class ProductCells {
 public:
  explicit ProductCells(ProductScope& kernel);

  // acc := op(acc, f(row, column)) for all cells, of elements number k.
  void combine(const Fragment& values, const imp::Operand& k);

  // Of all slices, in their order: the first slice has the whole chunk's then.
  void combineSlices();
  // To the results, by vectors where `by_vectors` and the tile allow it.
  void storeResults(bool by_vectors);
  // As the values of a chunk.
  void storeChunk(ChunkValues& values);

 private:
  using Accumulators = std::vector<imp::VarId>;  // by value
  // The operand of each cell's own value, by value; those of a row or column are the same.
  using Registers = std::vector<imp::Operands>;
  using Store = std::function<void(const imp::Operands& indices, const Accumulators& acc)>;

  const Accumulators& cell(int64_t row, int64_t column) const;
  void loadValues();
  imp::Operands valuesAt(int64_t row, int64_t column);
  void combineCell(imp::Environment& environment, const Fragment& values, int64_t row,
                   int64_t column);
  imp::Operands combined(imp::Environment& environment, const Accumulators& acc);
  imp::Operands joined(imp::Environment& environment, const imp::Operands& left,
                       const imp::Operands& right);
  void storeWhole();
  void storeInside(const Store& store);
  void combineNeighbours(const std::vector<imp::BufferId>& shared, const imp::Operand& log);
  void storeFour(const imp::Operand& start, int64_t row, int64_t column);
  void storeCell(const imp::Operands& indices, const Accumulators& acc);
  imp::Operands indicesOf(int64_t row, int64_t column);
  imp::Operands extents();

  ProductScope& kernel_;
  imp::Builder& code_;
  const core::Screma& screma_;
  const ProductSchedule& tile_;
  std::vector<Accumulators> cells_;
  std::vector<OwnValue> own_;
  Registers values_;  // by cell
};

}  // namespace halo::gpu
