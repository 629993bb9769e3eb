// Neighbouring invocations take neighbours in memory. The number of invocations is a
// multiple of both extents of a tile, so that of a place only one index depends on its number.
#include "gpu/templates/product/staging.h"

#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

Operand divided(Builder& code, const Operand& a, int64_t b) {
  return code.prim(Op::kMachineDiv, ScalarType::kI64, {a, i64(b)});
}
Operand rest(Builder& code, const Operand& a, int64_t b) {
  return code.prim(Op::kMachineRem, ScalarType::kI64, {a, i64(b)});
}

}  // namespace

Operand Staging::at(const Operand& half, const Operand& k) const {
  Operand row = code_.add(code_.mul(half, i64(tile_.depth)), k);
  return code_.mul(row, i64(tile_.pitch()));
}

Operand Staging::placeOf(const Operand& line) const {
  return tile_.exchanged ? code_.prim(Op::kXor, ScalarType::kI64, {line, i64(1)}) : line;
}

void ElementStaging::load(const Operand& first_k, bool is_rest) {
  Operand last_k = code_.sub(depth_, i64(1));
  staged_.clear();
  each([&](const Operand& line, const Operand& k) {
    Operand depth = code_.add(first_k, k);
    if (is_rest) depth = code_.min(depth, last_k);
    staged_.push_back(element_(line, depth));
  });
}

void ElementStaging::store(const Operand& half) {
  Operand base = code_.mul(half, i64(tile_.depth * tile_.pitch()));
  size_t next = 0;
  each([&](const Operand& line, const Operand& k) {
    Operand at = code_.add(base, code_.add(code_.mul(k, i64(tile_.pitch())), placeOf(line)));
    code_.store(shared(), at, staged_[next++]);
  });
}

void ElementStaging::each(const std::function<void(const Operand&, const Operand&)>& visit) {
  for (int64_t l = 0; l < tile_.lines * tile_.depth / tile_.threads; l++) {
    int64_t fast = tile_.along_depth ? tile_.depth : tile_.lines;
    Operand quick = rest(code_, lid_, fast);
    Operand slow = code_.add(divided(code_, lid_, fast), i64(l * tile_.threads / fast));
    if (tile_.along_depth) {
      visit(slow, quick);
    } else {
      visit(quick, slow);
    }
  }
}

VectorStaging::VectorStaging(KernelScope& scope, const StagedTile& tile, Operand lid, Operand depth,
                             const Lines& lines, const Operand& first, const Operand& left)
    : Staging(scope, tile, lines.type, lid), depth_(depth), lines_(lines) {
  // Elements of a vector beyond the last line are not used.
  Operand last = code_.sub(left, i64(1));
  if (!tile_.along_depth) last = code_.prim(Op::kAnd, ScalarType::kI64, {last, i64(~int64_t{3})});
  for (int64_t v = 0; v < vectors(); v++) {
    auto [line, k] = place(v);
    Operand at = code_.add(first, code_.min(line, last));
    starts_.push_back(code_.add(lines_.offset, code_.mul(at, lines_.line)));
  }
}

std::pair<Operand, Operand> VectorStaging::place(int64_t vector) {
  int64_t fast = (tile_.along_depth ? tile_.depth : tile_.lines) / 4;
  Operand quick = code_.mul(rest(code_, lid_, fast), i64(4));
  Operand slow = code_.add(divided(code_, lid_, fast), i64(vector * tile_.threads / fast));
  if (tile_.along_depth) return {slow, quick};
  return {quick, slow};
}

void VectorStaging::load(const Operand& first_k, bool is_rest) {
  Operand last_k = code_.sub(depth_, i64(1));
  if (tile_.along_depth) {
    last_k = code_.prim(Op::kAnd, ScalarType::kI64, {last_k, i64(~int64_t{3})});
  }
  staged_.clear();
  for (int64_t v = 0; v < vectors(); v++) {
    Operand k = code_.add(first_k, place(v).second);
    if (is_rest) k = code_.min(k, last_k);
    Operand at = code_.add(starts_[static_cast<size_t>(v)], code_.mul(k, lines_.depth));
    staged_.push_back(loadVectors(code_, lines_.buffer, at, 4));
  }
}

void VectorStaging::store(const Operand& half) {
  Operand base = code_.mul(half, i64(tile_.depth * tile_.pitch()));
  for (int64_t v = 0; v < vectors(); v++) {
    const Operands& values = staged_[static_cast<size_t>(v)];
    auto [line, k] = place(v);
    Operand at = code_.add(base, code_.mul(k, i64(tile_.pitch())));
    if (!tile_.along_depth) {
      Operands there;
      for (size_t l = 0; l < values.size(); l++) there.push_back(values[lineAt(l)]);
      storeVectors(code_, shared(), code_.add(at, line), there);
      continue;
    }
    at = code_.add(at, placeOf(line));
    for (size_t q = 0; q < values.size(); q++) {
      Operand there = code_.add(at, i64(static_cast<int64_t>(q) * tile_.pitch()));
      code_.store(shared(), there, values[q]);
    }
  }
}

}  // namespace halo::gpu
