// Neighbouring invocations take neighbours in memory. The number of invocations is a multiple of
// both extents of a tile, or divides them. So an index is a sum of one that depends on the
// invocation and one that depends on the number of its element.
#include "gpu/templates/product/staging.h"

#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/kernel/tree.h"
#include "lang/imp/lower/lower_body.h"

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
  return code_.add(start_, code_.mul(row, i64(tile_.pitch())));
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
  Operand base = at(half, i64(0));
  size_t next = 0;
  each([&](const Operand& line, const Operand& k) {
    Operand at = code_.add(base, code_.add(code_.mul(k, i64(tile_.pitch())), placeOf(line)));
    code_.store(shared(), at, staged_[next++]);
  });
}

void ElementStaging::each(const std::function<void(const Operand&, const Operand&)>& visit) {
  for (int64_t l = 0; l < tile_.lines * tile_.depth / tile_.threads; ++l) {
    const int64_t fast = tile_.along_depth ? tile_.depth : tile_.lines;
    const int64_t first = l * tile_.threads;
    Operand quick = code_.add(rest(code_, lid_, fast), i64(first % fast));
    Operand slow = code_.add(divided(code_, lid_, fast), i64(first / fast));
    if (tile_.along_depth) {
      visit(slow, quick);
    } else {
      visit(quick, slow);
    }
  }
}

VectorStaging::VectorStaging(KernelScope& scope, const StagedTile& tile, const TilePlace& place,
                             const Lines& lines, const Operand& first, const Operand& left)
    : Staging(scope, tile, lines.type, place),
      lines_(lines),
      first_(first),
      last_(code_.sub(left, i64(1))) {
  // Elements of a vector beyond the last line are not used.
  Operand last = last_;
  if (!tile_.along_depth) last = code_.prim(Op::kAnd, ScalarType::kI64, {last, i64(~int64_t{3})});
  for (int64_t v = 0; v < vectors(); ++v) {
    auto [line, k] = vectorPlace(v);
    Operand at = code_.add(first, code_.min(line, last));
    starts_.push_back(code_.add(lines_.offset, code_.mul(at, lines_.line)));
  }
}

std::pair<Operand, Operand> VectorStaging::vectorPlace(int64_t vector) {
  int64_t fast = (tile_.along_depth ? tile_.depth : tile_.lines) / 4;
  Operand quick = code_.mul(rest(code_, lid_, fast), i64(4));
  Operand slow = code_.add(divided(code_, lid_, fast), i64(vector * tile_.threads / fast));
  if (tile_.along_depth) return {slow, quick};
  return {quick, slow};
}

void VectorStaging::load(const Operand& first_k, bool is_rest) {
  staged_.clear();
  if (lines_.are_vectors.isConstant()) {
    for (int64_t v = 0; v < vectors(); ++v) staged_.push_back(loadVector(v, first_k, is_rest));
    return;
  }
  std::vector<std::vector<VarId>> staged(static_cast<size_t>(vectors()));
  for (std::vector<VarId>& vector : staged) {
    for (int q = 0; q < 4; ++q) {
      vector.push_back(code_.declare("staged", lines_.type, prim::zero(lines_.type)));
    }
    staged_.push_back(asOperands(vector));
  }
  using Load = Operands (VectorStaging::*)(int64_t, const Operand&, bool);
  const auto by = [&](Load one) {
    for (size_t v = 0; v < staged.size(); ++v) {
      assignAll(code_, staged[v], (this->*one)(static_cast<int64_t>(v), first_k, is_rest));
    }
  };
  code_.ifThenElse(
      lines_.are_vectors, [&] { by(&VectorStaging::loadVector); },
      [&] { by(&VectorStaging::loadElements); });
}

Operands VectorStaging::loadVector(int64_t vector, const Operand& first_k, bool is_rest) {
  Operand last_k = code_.sub(depth_, i64(1));
  if (tile_.along_depth) {
    last_k = code_.prim(Op::kAnd, ScalarType::kI64, {last_k, i64(~int64_t{3})});
  }
  Operand k = code_.add(first_k, vectorPlace(vector).second);
  if (is_rest) k = code_.min(k, last_k);
  const Operand& start = starts_[static_cast<size_t>(vector)];
  return loadVectors(code_, lines_.buffer, code_.add(start, code_.mul(k, lines_.depth)), 4);
}

// The vector may reach beyond the end of memory: each of its elements is taken from a line and a
// number k that there are.
Operands VectorStaging::loadElements(int64_t vector, const Operand& first_k, bool is_rest) {
  const auto [line, in_step] = vectorPlace(vector);
  const Operand last_k = code_.sub(depth_, i64(1));
  Operands values;
  for (int64_t q = 0; q < 4; ++q) {
    const Operand own_line = tile_.along_depth ? line : code_.add(line, i64(q));
    const Operand at_line = code_.add(first_, code_.min(own_line, last_));
    Operand k = code_.add(first_k, tile_.along_depth ? code_.add(in_step, i64(q)) : in_step);
    if (is_rest) k = code_.min(k, last_k);
    const Operand start = code_.add(lines_.offset, code_.mul(at_line, lines_.line));
    values.push_back(code_.load(lines_.buffer, code_.add(start, code_.mul(k, lines_.depth))));
  }
  return values;
}

void VectorStaging::store(const Operand& half) {
  Operand base = at(half, i64(0));
  for (int64_t v = 0; v < vectors(); ++v) {
    const Operands& values = staged_[static_cast<size_t>(v)];
    auto [line, k] = vectorPlace(v);
    Operand at = code_.add(base, code_.mul(k, i64(tile_.pitch())));
    if (!tile_.along_depth) {
      Operands there;
      for (size_t l = 0; l < values.size(); ++l) there.push_back(values[lineAt(l)]);
      storeVectors(code_, shared(), code_.add(at, line), there);
      continue;
    }
    at = code_.add(at, placeOf(line));
    for (size_t q = 0; q < values.size(); ++q) {
      Operand there = code_.add(at, i64(static_cast<int64_t>(q) * tile_.pitch()));
      code_.store(shared(), there, values[q]);
    }
  }
}

}  // namespace halo::gpu
