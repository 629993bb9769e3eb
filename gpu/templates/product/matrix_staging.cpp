// Neighbouring invocations take neighbours in memory. Vectors keep their order in shared memory:
// the matrices read them by rows or by columns.
#include "gpu/templates/product/matrix_staging.h"

#include "gpu/templates/kernel/kernel_scope.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// The last multiple of `size` that is not beyond `last`.
Operand multipleBelow(Builder& code, const Operand& last, int64_t size) {
  return code.prim(Op::kAnd, ScalarType::kI64, {last, i64(~(size - 1))});
}

}  // namespace

MatrixStaging::MatrixStaging(Builder& code, const Tile& tile, const Lines& lines,
                             const MatrixRegion& region)
    : code_(code), tile_(tile), lines_(lines), region_(region) {
  // Lines beyond the last one are the last one again: no cell of theirs is stored.
  Operand last = code_.sub(tile_.left, i64(1));
  if (!lines_.along_depth) last = multipleBelow(code_, last, lines_.vector());
  for (int64_t v = 0; v < vectors(); ++v) {
    const Operand at = code_.add(tile_.first, code_.min(place(v).first, last));
    starts_.push_back(code_.add(lines_.offset, code_.mul(at, lines_.line)));
  }
}

// Of this invocation's vector number `vector`: line and k of its first element in the tile.
std::pair<Operand, Operand> MatrixStaging::place(int64_t vector) {
  const int64_t fast = (lines_.along_depth ? tile_.depth : tile_.lines) / lines_.vector();
  const Operand number = code_.prim(Op::kMachineRem, ScalarType::kI64, {tile_.lid, i64(fast)});
  const Operand row = code_.prim(Op::kMachineDiv, ScalarType::kI64, {tile_.lid, i64(fast)});
  const Operand quick = code_.mul(number, i64(lines_.vector()));
  const Operand slow = code_.add(row, i64(vector * tile_.threads / fast));
  if (lines_.along_depth) return {slow, quick};
  return {quick, slow};
}

void MatrixStaging::load(const Operand& first_k) {
  Operand last_k = code_.max(code_.sub(tile_.length, i64(1)), i64(0));
  if (lines_.along_depth) last_k = multipleBelow(code_, last_k, lines_.vector());
  staged_.clear();
  for (int64_t v = 0; v < vectors(); ++v) {
    const Operand k = code_.min(code_.add(first_k, place(v).second), last_k);
    const Operand start = starts_[static_cast<size_t>(v)];
    LoadVector load{{}, lines_.buffer, code_.add(start, code_.mul(k, lines_.depth))};
    for (int q = 0; q < 4; ++q) load.vars.push_back(code_.program().addVar("w", ScalarType::kU32));
    staged_.emplace_back(load.vars.begin(), load.vars.end());
    code_.append(std::move(load));
  }
}

void MatrixStaging::store(const Operand& copy, const Operand& first_k) {
  const Operand base = copyAt(copy);
  for (int64_t v = 0; v < vectors(); ++v) {
    const auto [line, k] = place(v);
    const Operand row = lines_.along_depth ? line : k, within = lines_.along_depth ? k : line;
    const Operand at = code_.add(base, code_.mul(row, i64(region_.pitch)));
    const Operand here = code_.add(first_k, k);
    const Operand is_inside = code_.prim(Op::kLt, ScalarType::kI64, {here, tile_.length});
    Operands words;
    for (const Operand& word : staged_[static_cast<size_t>(v)]) {
      words.push_back(code_.let("w", ScalarType::kU32, Select{is_inside, word, u32(0)}));
    }
    code_.append(StoreVector{region_.words, code_.add(at, inWords(within)), std::move(words)});
  }
}

void MatrixStaging::loadMatrix(BufferId matrix, const Operand& copy, const Operand& line,
                               int64_t line_offset, int64_t k, bool lines_are_rows) {
  const bool along = lines_.along_depth;
  Operand at = along ? code_.mul(line, i64(region_.pitch)) : inWords(line);
  at = code_.add(copyAt(copy), at);
  // Constants are added last: devices add them while they access memory.
  const int64_t skipped = along ? line_offset * region_.pitch + wordsOf(k)
                                : k * region_.pitch + wordsOf(line_offset);
  MatrixOp load{MatrixOp::Kind::kLoad, matrix, region_.words, code_.add(at, i64(skipped)),
                i64(region_.pitch)};
  load.by_columns = lines_are_rows != along;
  code_.append(load);
}

Operand MatrixStaging::inWords(const Operand& elements) {
  const int64_t in_word = lines_.vector() / 4;
  if (in_word == 1) return elements;
  return code_.prim(Op::kMachineDiv, ScalarType::kI64, {elements, i64(in_word)});
}

Operand MatrixStaging::copyAt(const Operand& copy) {
  return code_.add(code_.mul(copy, i64(region_.size)), i64(region_.first));
}

}  // namespace halo::gpu
