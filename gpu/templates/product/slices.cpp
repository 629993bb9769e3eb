// Cells of a workgroup's slices. Slice 0 takes those of slice 1, and slice 2 those of slice 3. Then
// slice 0 takes those of slice 2, and so on. One row of an invocation's cells at a time goes
// through shared memory.
#include "gpu/templates/product/product_cells.h"
#include "gpu/templates/templates.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

void ProductCells::combineSlices() {
  if (tile_.slices == 1) return;
  std::vector<BufferId> shared;
  const int64_t places = tile_.passing() * tile_.cell_columns;
  for (VarId value : cell(0, 0)) {
    shared.push_back(kernel_.scope.shared("slices", kernel_.nest.program.vars[value].type, places));
  }
  int64_t rounds = 0;
  while (int64_t{1} << rounds < tile_.slices) rounds++;
  code_.forLoop("round", i64(0), i64(rounds),
                [&](const Operand& round) { combineNeighbours(shared, round); });
}

void ProductCells::combineNeighbours(const std::vector<BufferId>& shared, const Operand& log) {
  const auto on64 = [&](Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  };
  const TilePlace& place = kernel_.place;
  const Operand number = on64(Op::kMachineShr, place.slice, log);
  const Operand skipped = on64(Op::kMachineShl, number, log);
  const Operand is_whole = on64(Op::kEq, skipped, place.slice);
  const Operand is_odd = on64(Op::kEq, on64(Op::kAnd, number, i64(1)), i64(1));
  const Operand gives = code_.prim(Op::kAnd, ScalarType::kBool, {is_whole, is_odd});
  const Operand is_even = on64(Op::kEq, on64(Op::kAnd, number, i64(1)), i64(0));
  const Operand takes = code_.prim(Op::kAnd, ScalarType::kBool, {is_whole, is_even});
  const Operand pair = on64(Op::kMachineShr, number, i64(1));
  const Operand own = code_.add(code_.mul(pair, i64(tile_.threads())), place.lid);
  const auto placeOf = [&](int64_t column) {
    return code_.add(own, i64(column * tile_.passing()));
  };
  for (int64_t r = 0; r < tile_.cell_rows; ++r) {
    code_.ifThenElse(gives, [&] {
      for (int64_t c = 0; c < tile_.cell_columns; ++c) {
        const Operands values = asOperands(cell(r, c));
        for (size_t k = 0; k < values.size(); ++k) code_.store(shared[k], placeOf(c), values[k]);
      }
    });
    code_.append(Barrier{});
    code_.ifThenElse(takes, [&] {
      for (int64_t c = 0; c < tile_.cell_columns; ++c) {
        Operands others;
        for (BufferId buffer : shared) others.push_back(code_.load(buffer, placeOf(c)));
        Environment environment = kernel_.scope.environment();
        assignAll(code_, cell(r, c), joined(environment, asOperands(cell(r, c)), others));
      }
    });
    code_.append(Barrier{});
  }
}

}  // namespace halo::gpu
