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
  last_k_ = code_.max(code_.sub(tile_.length, i64(1)), i64(0));
  if (lines_.along_depth) last_k_ = multipleBelow(code_, last_k_, lines_.vector());
  for (int64_t v = 0; v < vectors(); ++v) {
    vectors_.push_back(place(v));
    std::array<VarId, 4>& words = registers_.emplace_back();
    for (VarId& word : words) word = code_.declare("word", ScalarType::kU32, u32(0));
  }
}

MatrixStaging::Vector MatrixStaging::place(int64_t number) {
  const int64_t fast = (lines_.along_depth ? tile_.depth : tile_.lines) / lines_.vector();
  const Operand rest = code_.prim(Op::kMachineRem, ScalarType::kI64, {tile_.lid, i64(fast)});
  const Operand row = code_.prim(Op::kMachineDiv, ScalarType::kI64, {tile_.lid, i64(fast)});
  const Operand quick = code_.mul(rest, i64(lines_.vector()));
  const Operand slow = code_.add(row, i64(number * tile_.threads / fast));
  Vector vector{quick, slow};
  if (lines_.along_depth) std::swap(vector.line, vector.k);
  // Lines beyond the last one are the last one again: no cell of theirs is stored.
  Operand last = code_.sub(tile_.left, i64(1));
  if (!lines_.along_depth) last = multipleBelow(code_, last, lines_.vector());
  const Operand line = code_.add(tile_.first, code_.min(vector.line, last));
  vector.start = code_.add(lines_.offset, code_.mul(line, lines_.line));
  vector.at = code_.add(vector.start, code_.mul(vector.k, lines_.depth));
  vector.word = code_.add(code_.mul(slow, i64(region_.pitch)), inWords(quick));
  return vector;
}

void MatrixStaging::load(Step step, const Operand& first_k) {
  const bool is_cut = step == Step::kCut;
  const Operand left = is_cut ? withinStep(code_.sub(last_k_, first_k)) : Operand();
  const Operand skipped = is_cut ? Operand() : code_.mul(first_k, lines_.depth);
  for (size_t v = 0; v < vectors_.size(); ++v) {
    const Vector& vector = vectors_[v];
    LoadVector load{{}, lines_.buffer};
    if (is_cut) {
      const Operand k = code_.add(first_k, code_.min(vector.k, left));
      load.index = code_.add(vector.start, code_.mul(k, lines_.depth));
    } else {
      load.index = code_.add(vector.at, skipped);
    }
    for (int q = 0; q < 4; ++q) load.vars.push_back(code_.program().addVar("w", ScalarType::kU32));
    const std::vector<VarId> words = load.vars;
    code_.append(std::move(load));
    for (size_t q = 0; q < words.size(); ++q) code_.assign(registers_[v][q], words[q]);
  }
}

void MatrixStaging::store(Step step, const Operand& copy, const Operand& first_k) {
  const Operand base = copyAt(copy);
  const bool is_cut = step == Step::kCut;
  const Operand left = is_cut ? withinStep(code_.sub(tile_.length, first_k)) : Operand();
  for (size_t v = 0; v < vectors_.size(); ++v) {
    Operands words(registers_[v].begin(), registers_[v].end());
    if (is_cut) {
      const Operand is_inside = code_.prim(Op::kLt, ScalarType::kI64, {vectors_[v].k, left});
      for (Operand& word : words) {
        word = code_.let("w", ScalarType::kU32, Select{is_inside, word, u32(0)});
      }
    }
    code_.append(StoreVector{region_.words, code_.add(base, vectors_[v].word), std::move(words)});
  }
}

void MatrixStaging::beginAt(const Operand& line) {
  own_ = lines_.along_depth ? code_.mul(line, i64(region_.pitch)) : inWords(line);
}

void MatrixStaging::loadMatrix(BufferId matrix, const Operand& copy, int64_t line, int64_t k,
                               bool lines_are_rows) {
  const bool along = lines_.along_depth;
  // Constants are added last: devices add them while they access memory.
  const int64_t skipped =
      along ? line * region_.pitch + wordsOf(k) : k * region_.pitch + wordsOf(line);
  MatrixOp load{MatrixOp::Kind::kLoad, matrix, region_.words};
  load.index = code_.add(code_.add(copyAt(copy), own_), i64(skipped));
  load.pitch = i64(region_.pitch);
  load.by_columns = lines_are_rows != along;
  code_.append(load);
}

Operand MatrixStaging::inWords(const Operand& elements) {
  return code_.prim(Op::kMachineDiv, ScalarType::kI64, {elements, i64(lines_.vector() / 4)});
}

Operand MatrixStaging::copyAt(const Operand& copy) {
  return code_.add(code_.mul(copy, i64(region_.size)), i64(region_.first));
}

Operand MatrixStaging::withinStep(const Operand& count) {
  return code_.max(code_.min(count, i64(tile_.depth)), i64(0));
}

}  // namespace halo::gpu
