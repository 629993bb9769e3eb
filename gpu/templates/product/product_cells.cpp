// The text is flat: every register has a name of its own (gpu.md#rules).
#include "gpu/templates/product/product_cells.h"

#include <algorithm>

#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/kernel/straight.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

ProductCells::ProductCells(ProductScope& kernel)
    : kernel_(kernel),
      code_(kernel.code),
      screma_(kernel.nest.screma),
      tile_(kernel.tile),
      cells_(static_cast<size_t>(kernel.tile.cell_rows * kernel.tile.cell_columns)) {
  for (Accumulators& cell : cells_) {
    for (const core::Reduction& reduction : screma_.reductions) {
      for (const core::Operand& neutral : reduction.neutral) {
        cell.push_back(code_.declare("acc", kernel.scope.core().type(neutral).scalar,
                                     operandOf(kernel.scope.environment(), neutral)));
      }
    }
  }
  const ReduceNest& nest = kernel.nest;
  own_ = ownValues(nest.call.core, nest.call.function, nest.levels);
  if (!own_.empty()) loadValues();
}

const ProductCells::Accumulators& ProductCells::cell(int64_t row, int64_t column) const {
  return cells_[static_cast<size_t>(row * tile_.cell_columns + column)];
}

// ---- the cells' own values

// A value of a row is taken from its first column, and so on.
void ProductCells::loadValues() {
  values_.resize(cells_.size());
  const auto number = [&](int64_t row, int64_t column) {
    return static_cast<size_t>(row * tile_.cell_columns + column);
  };
  for (int64_t r = 0; r < tile_.cell_rows; ++r) {
    for (int64_t c = 0; c < tile_.cell_columns; ++c) {
      Operands& here = values_[number(r, c)];
      here = valuesAt(r, c);
      for (size_t k = 0; k < own_.size(); ++k) {
        here[k] = values_[number(own_[k].of_row ? r : 0, own_[k].of_column ? c : 0)][k];
      }
    }
  }
}

// Of a row or column beyond the last one: the last one's.
Operands ProductCells::valuesAt(int64_t row, int64_t column) {
  const TilePlace& place = kernel_.place;
  const auto within = [&](const Operand& first, const Operand& own, const Operand& left) {
    return code_.add(first, code_.min(own, code_.sub(left, i64(1))));
  };
  const Operand own_row = code_.add(place.own_row, i64(place.rowOffset(row)));
  const Operand own_column = code_.add(place.own_column, i64(place.columnOffset(column)));
  Operands indices = place.batch;
  indices.push_back(within(place.first_row, own_row, place.left_rows));
  indices.push_back(within(place.first_column, own_column, place.left_columns));
  Environment environment = kernel_.scope.environment();
  kernel_.nest.outer.bind(code_, environment, kernel_.cellPlace(), indices);
  Operands values;
  for (const OwnValue& own : own_) values.push_back(environment.scalars.at(own.value));
  return values;
}

// ---- arithmetic

// Fused: down one column and up the next, so that neighbouring operations share an operand, which
// need not be fetched again.
void ProductCells::combine(const Fragment& values, const Operand& k) {
  Environment environment = kernel_.scope.environment();
  for (size_t input = 0; input < screma_.inputs.size(); ++input) {
    if (kernel_.isRow(input) || kernel_.isColumn(input)) continue;
    environment.scalars[screma_.map.params[input]] = kernel_.element(input, i64(0), i64(0), k);
  }
  if (!tile_.is_fused) {
    for (int64_t r = 0; r < tile_.cell_rows; ++r) {
      for (int64_t c = 0; c < tile_.cell_columns; ++c) combineCell(environment, values, r, c);
    }
    return;
  }
  for (int64_t c = 0; c < tile_.cell_columns; ++c) {
    for (int64_t r = 0; r < tile_.cell_rows; ++r) {
      combineCell(environment, values, c % 2 == 0 ? r : tile_.cell_rows - 1 - r, c);
    }
  }
}

void ProductCells::combineCell(Environment& environment, const Fragment& values, int64_t row,
                               int64_t column) {
  for (size_t input = 0; input < screma_.inputs.size(); ++input) {
    core::ValueId param = screma_.map.params[input];
    if (kernel_.isRow(input)) {
      environment.scalars[param] = values[input][static_cast<size_t>(row)];
    } else if (kernel_.isColumn(input)) {
      environment.scalars[param] = values[input][static_cast<size_t>(column)];
    }
  }
  for (size_t k = 0; k < own_.size(); ++k) {
    environment.scalars[own_[k].value] =
        values_[static_cast<size_t>(row * tile_.cell_columns + column)][k];
  }
  const Accumulators& acc = cell(row, column);
  Operands next;
  Block block = code_.capture([&] { next = combined(environment, acc); });
  for (Stm& stm : fused(block, next)) code_.append(std::move(stm.node));
  assignAll(code_, acc, next);
}

Operands ProductCells::combined(Environment& environment, const Accumulators& acc) {
  const core::Program& core = kernel_.scope.core();
  Results mapped = lowerBody(code_, core, screma_.map.body, environment, kernel_.cellPlace());
  return joined(environment, asOperands(acc), mapped.scalars);
}

Operands ProductCells::joined(Environment& environment, const Operands& left,
                              const Operands& right) {
  const core::Program& core = kernel_.scope.core();
  Operands next;
  size_t at = 0;
  for (const core::Reduction& reduction : screma_.reductions) {
    const size_t count = reduction.neutral.size();
    for (size_t k = 0; k < count; ++k) {
      environment.scalars[reduction.op.params[k]] = left[at + k];
      environment.scalars[reduction.op.params[count + k]] = right[at + k];
    }
    Results results = lowerBody(code_, core, reduction.op.body, environment, kernel_.cellPlace());
    next.insert(next.end(), results.scalars.begin(), results.scalars.end());
    at += count;
  }
  return next;
}

// ---- stores

void ProductCells::storeResults(bool by_vectors) {
  const std::vector<ArrayRef>& results = kernel_.nest.call.results;
  const bool are_words = std::all_of(results.begin(), results.end(), [](const ArrayRef& result) {
    return isWhole(result) && prim::byteSize(result.type) == 4;
  });
  const auto store = [&](const Operands& indices, const Accumulators& acc) {
    storeCell(indices, acc);
  };
  if (!by_vectors || !are_words) return storeInside(store);
  const TilePlace& place = kernel_.place;
  auto prim = [&](Op op, ScalarType type, const Operand& a, const Operand& b) {
    return code_.prim(op, type, {a, b});
  };
  auto isEqual = [&](const Operand& a, int64_t b) {
    return prim(Op::kEq, ScalarType::kI64, a, i64(b));
  };
  Operand whole = isEqual(prim(Op::kAnd, ScalarType::kI64, place.columns, i64(3)), 0);
  const Operand has_rows = isEqual(place.left_rows, tile_.rows);
  whole = prim(Op::kAnd, ScalarType::kBool, whole, has_rows);
  const Operand has_columns = isEqual(place.left_columns, tile_.columns);
  whole = prim(Op::kAnd, ScalarType::kBool, whole, has_columns);
  code_.ifThenElse(
      whole, [&] { storeWhole(); }, [&] { storeInside(store); });
}

void ProductCells::storeChunk(ChunkValues& values) {
  const TilePlace& place = kernel_.place;
  const Operand leads = code_.prim(Op::kEq, ScalarType::kI64, {place.slice, i64(0)});
  const auto to_chunk = [&](const Operands& indices, const Accumulators& acc) {
    const Operands all = extents();
    const Operand segments = kernel_.scope.scalar(kernel_.chunks->segments);
    const Operand skipped = code_.mul(place.chunk, segments);
    const Operand item = code_.add(skipped, positionOf(code_, indices, all));
    values.store(kernel_.scope, item, indices, asOperands(acc));
  };
  branch(
      code_, leads, [&] { storeInside(to_chunk); }, [] {});
}

// Of a tile that lies inside.
void ProductCells::storeWhole() {
  const TilePlace& place = kernel_.place;
  // Position of the invocation's first cell in a result.
  Operand start = positionOf(code_, place.batch, extents());
  const Operand row = code_.add(place.first_row, place.own_row);
  start = code_.add(code_.mul(start, place.rows), row);
  const Operand column = code_.add(place.first_column, place.own_column);
  start = code_.add(code_.mul(start, place.columns), column);
  for (int64_t r = 0; r < tile_.cell_rows; ++r) {
    for (int64_t c = 0; c < tile_.cell_columns; c += 4) storeFour(start, r, c);
  }
}

// Of a tile beyond the last row or column, or whose rows are not whole vectors.
void ProductCells::storeInside(const Store& store) {
  const TilePlace& place = kernel_.place;
  for (int64_t r = 0; r < tile_.cell_rows; ++r) {
    Operand i = code_.add(place.own_row, i64(place.rowOffset(r)));
    code_.ifThenElse(code_.prim(Op::kLt, ScalarType::kI64, {i, place.left_rows}), [&] {
      for (int64_t c = 0; c < tile_.cell_columns; ++c) {
        Operand j = code_.add(place.own_column, i64(place.columnOffset(c)));
        code_.ifThenElse(code_.prim(Op::kLt, ScalarType::kI64, {j, place.left_columns}), [&] {
          Operands indices = place.batch;
          indices.push_back(code_.add(place.first_row, i));
          indices.push_back(code_.add(place.first_column, j));
          store(indices, cell(r, c));
        });
      }
    });
  }
}

// Four neighbours.
void ProductCells::storeFour(const Operand& start, int64_t row, int64_t column) {
  const TilePlace& place = kernel_.place;
  Operand number = code_.add(start, code_.mul(place.columns, i64(place.rowOffset(row))));
  number = code_.add(number, i64(place.columnOffset(column)));
  std::vector<Operands> cells;
  for (int64_t q = 0; q < 4; ++q) {
    const Operands indices = indicesOf(row, column + q);
    cells.push_back(
        kernel_.nest.results(kernel_.scope, indices, asOperands(cell(row, column + q))));
  }
  const std::vector<ArrayRef>& results = kernel_.nest.call.results;
  for (size_t k = 0; k < results.size(); ++k) {
    Operands values;
    for (const Operands& each : cells) values.push_back(each[k]);
    storeVectors(code_, kernel_.scope.buffer(results[k].buffer), number, values);
  }
}

// Of the invocation's cell, in the levels around the reduction.
Operands ProductCells::indicesOf(int64_t row, int64_t column) {
  const TilePlace& place = kernel_.place;
  const Operand own_row = code_.add(place.own_row, i64(place.rowOffset(row)));
  const Operand own_column = code_.add(place.own_column, i64(place.columnOffset(column)));
  Operands indices = place.batch;
  indices.push_back(code_.add(place.first_row, own_row));
  indices.push_back(code_.add(place.first_column, own_column));
  return indices;
}

void ProductCells::storeCell(const Operands& indices, const Accumulators& acc) {
  kernel_.nest.store(kernel_.scope, indices, asOperands(acc));
}

Operands ProductCells::extents() {
  Operands all;
  for (const Operand& extent : kernel_.nest.outer.extents()) {
    all.push_back(kernel_.scope.scalar(extent));
  }
  return all;
}

}  // namespace halo::gpu
