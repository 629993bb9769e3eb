// A tile that lies inside is stored by the matrices themselves. All others, and results of another
// type or layout, go through shared memory, one matrix at a time.
#include "gpu/templates/product/matrix_cells.h"

#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kScratchPitch = kMatrixSide + 4;  // words; a vector of padding

}  // namespace

BufferId addMatrix(Builder& code, const std::string& name, ScalarType type, int64_t rows,
                   int64_t columns) {
  const BufferId matrix = code.buffer(name, type, Space::kMatrix, rows * columns);
  code.program().buffers[matrix].matrix_rows = rows;
  return matrix;
}

MatrixCells::MatrixCells(const Parts& parts) : parts_(parts), code_(parts.scope.code()) {
  for (int64_t k = 0; k < down() * across(); ++k) {
    const BufferId sum = addMatrix(code_, "sum", parts.form.sum, kMatrixSide, kMatrixSide);
    code_.append(MatrixOp{MatrixOp::Kind::kClear, sum});
    sums_.push_back(sum);
  }
}

bool MatrixCells::isStoredWhole() const {
  const ArrayRef& result = parts_.nest.call.results[0];
  return isWhole(result) && prim::byteSize(result.type) == 4 && !parts_.nest.hasEpilogue();
}

void MatrixCells::store() {
  if (!isStoredWhole()) return storeThroughWords();
  const TilePlace& place = parts_.place;
  const auto isEqual = [&](const Operand& a, int64_t b) {
    return code_.prim(Op::kEq, ScalarType::kI64, {a, i64(b)});
  };
  const auto both = [&](const Operand& a, const Operand& b) {
    return code_.prim(Op::kAnd, ScalarType::kBool, {a, b});
  };
  const Operand rest = code_.prim(Op::kAnd, ScalarType::kI64, {place.columns, i64(3)});
  Operand is_whole = both(isEqual(rest, 0), isEqual(place.left_rows, parts_.schedule.rows));
  is_whole = both(is_whole, isEqual(place.left_columns, parts_.schedule.columns));
  code_.ifThenElse(
      is_whole, [&] { storeWhole(); }, [&] { storeThroughWords(); });
}

void MatrixCells::storeWhole() {
  const TilePlace& place = parts_.place;
  const Operands& outer = parts_.nest.outer.extents();
  Operands batches;
  for (size_t k = 0; k + 2 < outer.size(); ++k) batches.push_back(parts_.scope.scalar(outer[k]));
  Operand start = positionOf(code_, place.batch, batches);
  const Operand row = code_.add(place.first_row, parts_.first_row);
  start = code_.add(code_.mul(start, place.rows), row);
  const Operand column = code_.add(place.first_column, parts_.first_column);
  start = code_.add(code_.mul(start, place.columns), column);
  const BufferId into = parts_.scope.buffer(parts_.nest.call.results[0].buffer);
  for (int64_t r = 0; r < down(); ++r) {
    const Operand line = code_.add(start, code_.mul(place.columns, i64(r * kMatrixSide)));
    for (int64_t c = 0; c < across(); ++c) {
      code_.append(MatrixOp{MatrixOp::Kind::kStore, sum(r, c), into,
                            code_.add(line, i64(c * kMatrixSide)), place.columns});
    }
  }
}

void MatrixCells::storeThroughWords() {
  const Operand first = code_.mul(parts_.number, i64(kMatrixSide * kScratchPitch));
  const Operand lane = parts_.scope.builtIn(BuiltIn::kLane, parts_.schedule.lanes);
  for (int64_t r = 0; r < down(); ++r) {
    for (int64_t c = 0; c < across(); ++c) {
      code_.append(
          MatrixOp{MatrixOp::Kind::kStore, sum(r, c), parts_.words, first, i64(kScratchPitch)});
      code_.append(Barrier{});
      storeElements(r, c, {first, lane});
      code_.append(Barrier{});
    }
  }
}

// Neighbouring lanes store neighbouring cells.
void MatrixCells::storeElements(int64_t row, int64_t column, const Scratch& scratch) {
  const TilePlace& place = parts_.place;
  const auto prim = [&](Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  };
  const int64_t rounds = kMatrixSide * kMatrixSide / parts_.schedule.lanes;
  code_.forLoop("round", i64(0), i64(rounds), [&](const Operand& round) {
    const Operand skipped = code_.mul(round, i64(parts_.schedule.lanes));
    const Operand element = code_.add(scratch.lane, skipped);
    const Operand down = prim(Op::kMachineShr, element, i64(4));
    const Operand across = prim(Op::kAnd, element, i64(kMatrixSide - 1));
    const Operand i = code_.add(parts_.first_row, code_.add(down, i64(row * kMatrixSide)));
    const Operand j = code_.add(parts_.first_column, code_.add(across, i64(column * kMatrixSide)));
    const Operand has_row = prim(Op::kLt, i, place.left_rows);
    const Operand has_column = prim(Op::kLt, j, place.left_columns);
    code_.ifThenElse(code_.prim(Op::kAnd, ScalarType::kBool, {has_row, has_column}), [&] {
      const Operand word = code_.add(code_.mul(down, i64(kScratchPitch)), across);
      const Operand bits = code_.load(parts_.words, code_.add(scratch.first, word));
      Operands indices = place.batch;
      indices.push_back(code_.add(place.first_row, i));
      indices.push_back(code_.add(place.first_column, j));
      parts_.nest.store(parts_.scope, indices, {total(bits)});
    });
  });
}

// The cell's value of the bits of a sum.
Operand MatrixCells::total(const Operand& bits) {
  const core::Operand& made = parts_.nest.screma.map.body.results[0];
  const ScalarType type = parts_.nest.call.core.type(made).scalar;
  Operand value = bits;
  if (parts_.form.sum == ScalarType::kF32) {
    value = code_.let("sum", ScalarType::kF32,
                      Convert{prim::ConvertKind::kBits, ScalarType::kU32, ScalarType::kF32, bits});
    if (type == ScalarType::kF32) return value;
    return code_.let("rounded", type,
                     Convert{prim::ConvertKind::kValue, ScalarType::kF32, type, value});
  }
  if (type == ScalarType::kU32) return value;
  return code_.let("sum", type, Convert{prim::ConvertKind::kBits, ScalarType::kU32, type, value});
}

}  // namespace halo::gpu
