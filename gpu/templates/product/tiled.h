// Matrix products and everything shaped like them (gpu.md#products).
#pragma once

#include "gpu/templates/product/tiled_staging.h"
#include "gpu/templates/reduce/chunks.h"
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
//
// Where rows or columns are few, tiles are narrow. Where there are too few tiles to fill the
// device, rows are cut into chunks (split-K): a tile of each chunk, then the sum of the chunks.
class TiledReduce : public ChunkKernels {
  static constexpr int64_t kFewTiles = 120;   // leave the device idle
  static constexpr int64_t kLeastDepth = 16;  // elements of a row

 public:
  TiledReduce(imp::Program& program, imp::Builder& host, const KernelCall& call);

  // Whether the kernel is of this form.
  bool applies() const { return applies_; }
  // Host: whether the extents are large enough for it to be faster.
  imp::Operand pays();
  // The same of narrow tiles and chunks.
  imp::Operand splitPays();
  Chunks chunks() override;
  bool runChunks(const Chunks& chunks) override;
  // To `halo tune`: by the rule for tiles, or by one size of them.
  void offer() const;
  TemplateResult run();

 private:
  enum class Along : uint8_t { kRows, kColumns, kNeither };  // how an input varies: i, j
  struct Tile {
    int64_t m, n, k;       // cells of a workgroup, elements of a step
    int64_t per_m, per_n;  // cells of an invocation
    int size;              // 0: the largest
    int64_t lanes_m = 8;   // of 32 neighbouring invocations, those below each other
    int64_t lanes_n() const { return 32 / lanes_m; }
    int64_t threads() const { return m / per_m * (n / per_n); }
  };
  class Kernel;

  bool classify();
  bool isSameInEveryCell() const;
  bool classifyInputs();
  bool isFused() const;
  int64_t leastCells() const;
  bool chooseTiles();
  bool fitsDevice(const Tile& tile) const;
  struct Shape;  // a tile of chunks
  const std::vector<Shape>& shapes() const;
  imp::Operand suits(const Shape& shape);
  struct Bound {
    prim::Op op;  // <= or >=
    imp::Operand number;
    int64_t limit;
  };
  imp::Operand compared(const std::vector<Bound>& bounds);  // all of them; host
  imp::Operand tilesOfShape();
  StagedTile staged(const Tile& tile, size_t input) const;
  // The inputs' lines, by input, where all that are staged can be read as vectors.
  std::vector<Lines> vectorLines(const Tile& tile);
  std::vector<size_t> ofEachSize() const;  // the first tile of each, the largest first
  imp::Operand fills(const Tile& tile, const Tile& smaller);
  bool runTile(const Tile& tile, const std::string& name, const Chunks* chunks = nullptr);

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
