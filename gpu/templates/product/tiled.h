// Matrix products and everything shaped like them (gpu.md#products).
#pragma once

#include "gpu/templates/product/tiled_staging.h"
#include "gpu/templates/templates.h"

namespace halo::gpu {

// A reduction in a nest of at least two levels, i and j, each of whose inputs is a row of scalars
// that does not change along i, or along j, or neither:
//
//   screma [m] (a) map (r) { screma [n] (b) map (c) { screma [k] (r, c) map f reduce op ne } }
//
// A workgroup then computes a tile of m x n cells. It brings rows of both inputs to shared memory,
// some elements at a time, and each invocation keeps a block of cells in registers. Any operator,
// any map; elements are combined in their order.
class TiledReduce {
 public:
  TiledReduce(imp::Program& program, imp::Builder& host, const KernelCall& call);

  // Whether the kernel is of this form.
  bool applies() const { return applies_; }
  // Host: whether the extents are large enough for it to be faster.
  imp::Operand pays();
  // To `halo tune`: by the rule for tiles, or by one size of them.
  void offer() const;
  TemplateResult run();

 private:
  enum class Along : uint8_t { kRows, kColumns, kNeither };  // how an input varies: i, j
  struct Tile {
    int64_t m, n, k;       // cells of a workgroup, elements of a step
    int64_t per_m, per_n;  // cells of an invocation
    int size;              // 0: the largest
    int64_t threads() const { return m / per_m * (n / per_n); }
  };
  class Kernel;

  bool classify();
  bool isSameInEveryCell() const;
  bool classifyInputs();
  bool isFused() const;
  int64_t leastCells() const;
  bool chooseTiles();
  StagedTile staged(const Tile& tile, size_t input) const;
  // The inputs' lines, by input, where all that are staged can be read as vectors.
  std::vector<Lines> vectorLines(const Tile& tile);
  std::vector<size_t> ofEachSize() const;  // the first tile of each, the largest first
  imp::Operand fills(const Tile& tile, const Tile& smaller);
  bool runTile(const Tile& tile, const std::string& name);

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  std::vector<const core::Screma*> levels_;
  const core::Screma& screma_;
  OuterLevels outer_;
  std::vector<Along> along_;      // of each input
  std::vector<bool> contiguous_;  // neighbouring elements of a row lie together
  bool affine_ = true;            // offsets are sums of products of indices
  std::vector<Tile> tiles_;       // that fit, the largest first
  bool is_fused_ = false;         // sums of products of f32: one instruction for each element
  bool applies_ = false;
};

}  // namespace halo::gpu
