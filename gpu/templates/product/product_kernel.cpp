// A workgroup computes a tile of cells. It brings lines of both inputs to shared memory, some
// elements at a time, and each invocation keeps a block of cells in registers. Shared memory has
// two halves: one is filled while the cells take the elements of the other. Elements of a cell are
// combined in their order.
#include "gpu/templates/product/product_kernel.h"

#include "gpu/templates/product/product_cells.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class ProductKernel {
 public:
  // `lines`: as of Fragments.
  ProductKernel(const ReduceNest& nest, const ProductInputs& inputs, const ProductSchedule& tile,
                const std::string& name, const ProductChunks* chunks, std::vector<Lines> lines)
      : tile_(tile),
        chunks_(chunks),
        has_lines_(!lines.empty()),
        kernel_(nest, inputs, tile, name, chunks == nullptr ? nullptr : &chunks->chunks),
        code_(kernel_.code),
        fragments_(kernel_, std::move(lines)),
        cells_(kernel_) {}

  bool run() {
    if (tile_.slices == 1) {
      lines();
    } else {
      slicedLines();
      cells_.combineSlices();
    }
    if (chunks_ != nullptr) {
      cells_.storeChunk(chunks_->values);
    } else if (tile_.matrices == 1) {
      cells_.storeResults(has_lines_);
    } else {
      code_.ifThenElse(kernel_.place.exists, [&] { cells_.storeResults(has_lines_); });
    }
    const int workgroup[3] = {static_cast<int>(tile_.workgroup()), 1, 1};
    kernel_.scope.launch(workgroup, {kernel_.place.workgroups(), i64(1), i64(1)});
    return !kernel_.scope.unsupported();
  }

 private:
  void lines() {
    const Operand& begin = kernel_.place.begin;
    Operand steps =
        code_.prim(Op::kMachineDiv, ScalarType::kI64, {kernel_.place.length, i64(tile_.depth)});
    Operand last = code_.max(code_.sub(steps, i64(1)), i64(0));
    fragments_.load(begin, true);
    fragments_.store(i64(0));
    code_.append(Barrier{});
    code_.forLoop("step", i64(0), steps, [&](const Operand& step) {
      Operand half = code_.prim(Op::kAnd, ScalarType::kI64, {step, i64(1)});
      Operand next = code_.min(code_.add(step, i64(1)), last);
      fragments_.load(code_.add(begin, code_.mul(next, i64(tile_.depth))), false);
      multiply(half, code_.add(begin, code_.mul(step, i64(tile_.depth))));
      fragments_.store(code_.sub(i64(1), half));
      code_.append(Barrier{});
    });
    rest(steps);
  }

  // All slices take as many steps, for their common barriers. Behind the end of its elements a
  // slice brings the last ones again and combines nothing.
  void slicedLines() {
    const TilePlace& place = kernel_.place;
    const Operand steps =
        code_.prim(Op::kMachineDiv, ScalarType::kI64, {place.slice_length, i64(tile_.depth)});
    const Operand last = code_.max(code_.sub(steps, i64(1)), i64(0));
    fragments_.load(place.begin, true);
    fragments_.store(i64(0));
    code_.append(Barrier{});
    code_.forLoop("step", i64(0), steps, [&](const Operand& step) {
      const Operand half = code_.prim(Op::kAnd, ScalarType::kI64, {step, i64(1)});
      const Operand next = code_.min(code_.add(step, i64(1)), last);
      fragments_.load(code_.add(place.begin, code_.mul(next, i64(tile_.depth))), true);
      const Operand done = code_.mul(step, i64(tile_.depth));
      const Operand left = code_.max(code_.sub(place.length, done), i64(0));
      const Operand first = code_.add(place.begin, done);
      code_.ifThenElse(
          code_.prim(Op::kGe, ScalarType::kI64, {left, i64(tile_.depth)}),
          [&] { multiply(half, first); }, [&] { combineSome(half, first, left); });
      fragments_.store(code_.sub(i64(1), half));
      code_.append(Barrier{});
    });
  }

  // Fewer than a step's elements.
  void combineSome(const Operand& half, const Operand& first, const Operand& count) {
    code_.forLoop("k", i64(0), count, [&](const Operand& k) {
      cells_.combine(fragments_.at(half, k), code_.add(first, k));
    });
  }

  void multiply(const Operand& half, const Operand& first_k) {
    if (tile_.is_fused) {
      for (int64_t k = 0; k < tile_.depth; ++k) {
        const Operand number = code_.add(first_k, i64(k));
        cells_.combine(fragments_.at(half, i64(k)), number);
      }
      return;
    }
    // The next fragment is on its way while this one is used.
    Fragment now = fragments_.at(half, i64(0));
    for (int64_t k = 0; k < tile_.depth; ++k) {
      Fragment next;
      if (k + 1 < tile_.depth) next = fragments_.at(half, i64(k + 1));
      cells_.combine(now, code_.add(first_k, i64(k)));
      now = std::move(next);
    }
  }

  // The rest of k behind the last whole step.
  void rest(const Operand& steps) {
    const TilePlace& place = kernel_.place;
    Operand done = code_.add(place.begin, code_.mul(steps, i64(tile_.depth)));
    Operand left = code_.prim(Op::kMachineRem, ScalarType::kI64, {place.length, i64(tile_.depth)});
    auto emit = [&] {
      fragments_.load(done, true);
      fragments_.store(i64(0));
      code_.append(Barrier{});
      combineSome(i64(0), done, left);
    };
    code_.ifThenElse(code_.prim(Op::kGt, ScalarType::kI64, {left, i64(0)}), emit);
  }

  const ProductSchedule& tile_;
  const ProductChunks* chunks_;
  bool has_lines_;
  ProductScope kernel_;
  Builder& code_;
  Fragments fragments_;
  ProductCells cells_;
};

// The inputs' lines, by input, where all that are staged can be read as vectors.
std::vector<Lines> vectorLines(const ReduceNest& nest, const ProductInputs& inputs,
                               const ProductSchedule& tile) {
  if (!inputs.is_affine) return {};
  std::vector<Lines> all(inputs.along.size());
  for (size_t input = 0; input < all.size(); ++input) {
    if (inputs.along[input] == ProductInputs::Along::kNeither) continue;
    std::optional<Lines> lines = linesOf(nest, inputs, input);
    if (!lines) return {};
    if (VectorStaging::fits(stagedTile(tile, inputs, input))) all[input] = *lines;
  }
  return all;
}

}  // namespace

bool emitProductKernel(const ReduceNest& nest, const ProductInputs& inputs,
                       const ProductSchedule& tile, const std::string& name,
                       const ProductChunks* chunks) {
  std::vector<Lines> lines = vectorLines(nest, inputs, tile);
  std::vector<BufferId> copies;
  for (size_t input = 0; input < lines.size(); ++input) {
    if (!lines[input].buffer.valid()) continue;
    if (!tile.copies_lines || tile.matrices > 1) {
      lines[input].are_vectors = isAligned(nest.host, lines[input], nest.width());
      continue;
    }
    const bool is_row = inputs.along[input] == ProductInputs::Along::kRows;
    const std::string copy = name + "_lines_" + std::to_string(input);
    const AlignedLines made = aligned(nest, lines[input], is_row, copy);
    lines[input] = made.lines;
    if (made.copied.valid()) copies.push_back(made.copied);
  }
  const bool supported = ProductKernel(nest, inputs, tile, name, chunks, std::move(lines)).run();
  for (BufferId copied : copies) nest.host.append(Free{copied});
  return supported;
}

}  // namespace halo::gpu
