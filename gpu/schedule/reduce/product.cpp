// Tiles of three sizes: the largest of which there are enough to fill the device. Where rows or
// columns are few, tiles are narrow. Where tiles are too few, lines are cut into chunks.
#include "gpu/schedule/reduce/product.h"

#include <algorithm>

#include "gpu/schedule/reduce/product_form.h"
#include "lang/core/product_tiles.h"

namespace halo::gpu {
namespace {

constexpr int64_t kFewTiles = 120;  // leave the device idle
constexpr int64_t kMinDepth = core::kMinProductDepth;
constexpr int64_t kMinCells = core::kMinProductCells;  // fewer are reduced one by one; half, fused
constexpr int64_t kMinExtent = core::kMinProductExtent;
constexpr int64_t kMinFusedExtent = 32;  // that of the smallest of their tiles
constexpr int64_t kOtherSharedBytes = 64;
constexpr int64_t kMaxAccumulators = 128;  // words
constexpr int64_t kMaxRegisters = 160;     // words of accumulators and a cell's own values
constexpr int64_t kMaxCode = 4096;         // statements of a step (docs/gpu.md#rules)

// Split products.
constexpr int64_t kMaxNarrow = 32;      // rows, or columns, of a narrow product ..
constexpr int64_t kMinWide = 65;        // .. and the least number of the other ones
constexpr int64_t kLargeExtent = 256;   // rows and columns of the largest tiles of chunks
constexpr int64_t kMinInput = 1 << 20;  // elements of the larger input
constexpr int64_t kMinSplitCells = 512;
constexpr int64_t kMinSplitDepth = 2048;  // elements that are cut where tiles are few
constexpr int64_t kMinChunk = 256;
constexpr int64_t kSplitWorkgroups = 512;  // fill a large device
constexpr int64_t kMinSlicedCells = 64;    // fewer are reduced one by one, all of them at once
constexpr int64_t kMinSlicedDepth = 128;   // every slice of a tile has a step
constexpr int64_t kMinSlicedChunk = 512;
constexpr int64_t kSlicedWorkgroups = 1024;   // most have 128 invocations
constexpr int64_t kMinSlicedInput = 1 << 17;  // elements of the larger inputs of a batch

// Small products of a batch. (65,536 of 16 x 16 took 67 us on an H200, by tiles of segments 151.
// 16,384 of 32 x 32 integers took 67 and 341.)
constexpr int64_t kMinMatrices = 4096;  // several workgroups for each multiprocessor
constexpr int64_t kMinBatchDepth = 4, kMaxBatchDepth = 64;

struct SizedTile {
  ProductSchedule tile;
  int size;  // 0: the largest
};

std::vector<SizedTile> tilesFor(bool is_fused) {
  if (is_fused) {
    return {{{64, 128, 16, 8, 8, 8, 8, true}, 0}, {{64, 128, 8, 8, 8, 8, 8, true}, 0},
            {{64, 64, 16, 4, 4, 8, 8, true}, 1},  {{64, 64, 8, 4, 4, 8, 8, true}, 1},
            {{32, 32, 32, 4, 4, 8, 8, true}, 2},  {{32, 32, 16, 4, 4, 8, 8, true}, 2}};
  }
  return {{{256, 128, 8, 16, 8}, 0}, {{128, 128, 16, 8, 8}, 0}, {{128, 256, 8, 8, 16}, 0},
          {{128, 128, 8, 8, 8}, 0},  {{128, 128, 4, 8, 8}, 0},  {{64, 64, 8, 4, 4}, 1}};
}

// Lines of so many words, twice.
int64_t stagedBytes(const ProductSchedule& tile, int64_t line) {
  const int64_t padding = tile.teams() > 1 ? line : 0;
  return (2 * tile.depth * line + padding) * 4;
}
// Where slices leave a row of cells for their neighbours.
int64_t joinedBytes(const ProductForm& form, const ProductSchedule& tile) {
  return tile.slices > 1 ? tile.passing() * tile.cell_columns * form.cell_words * 4 : 0;
}

// Tiles whose lines fit shared memory twice, whose cells fit registers, and whose text fits the
// device's instruction cache.
bool fits(const ProductForm& form, const ProductSchedule& tile, const Limits& limits) {
  const int64_t line =
      form.row_words * productPitch(tile.rows) + form.column_words * productPitch(tile.columns);
  const int64_t cells = tile.cell_rows * tile.cell_columns;
  return tile.teams() * stagedBytes(tile, line) + joinedBytes(form, tile) + kOtherSharedBytes <=
             usualSharedBytes(limits) &&
         form.cell_words * cells <= kMaxAccumulators &&
         form.cell_words * cells + tile.valueWords() <= kMaxRegisters &&
         (form.statements * tile.depth + form.own_statements) * cells <= kMaxCode;
}

Condition rows() { return Quantity::kRows; }
Condition columns() { return Quantity::kColumns; }
Condition depth() { return Quantity::kSegment; }
Condition cells() { return Quantity::kSegments; }
Condition isProduct() { return Quantity::kIsProduct; }
Condition tilesOf(const ProductSchedule& tile) {
  return tiles(rows(), tile.rows) * tiles(columns(), tile.columns);
}

// Small products of a batch: each has few invocations, so that a workgroup has many.
std::vector<ProductSchedule> batchTiles(const ProductForm& form) {
  const auto tile = [&](int64_t extent, int64_t depth, int64_t lane_rows, int64_t matrices) {
    ProductSchedule made{extent,    extent, depth,         4,           4,
                         lane_rows, 8,      form.is_fused, form.values, matrices};
    return made;
  };
  return {tile(8, 4, 2, 32), tile(16, 8, 4, 8), tile(32, 16, 8, 2)};
}

class ProductVersions {
 public:
  ProductVersions(KernelChoice& choice, const ProductForm& form, const Limits& limits,
                  const Request& request)
      : choice_(choice), form_(form), limits_(limits), request_(request) {
    for (SizedTile& tile : tilesFor(form.is_fused)) {
      tile.tile.values = form.values;
      if (fits(form, tile.tile, limits)) tiles_.push_back(tile);
    }
  }

  // A quarter of a tile's cells at least are used.
  void addBatches() {
    if (!request_.allows("batches")) return;
    bool is_offered = false;
    for (const ProductSchedule& tile : batchTiles(form_)) {
      if (!fits(form_, tile, limits_) || tile.workgroup() > limits_.most_invocations) continue;
      Condition pays =
          isProduct() && maximum(rows(), columns()) <= tile.rows && depth() <= kMaxBatchDepth;
      if (request_.forced.empty()) {
        pays = std::move(pays) && depth() >= kMinBatchDepth &&
               rows() * columns() * 4 >= tile.rows * tile.columns &&
               Condition(Quantity::kMatrices) >= kMinMatrices;
      }
      choice_.versions.push_back({std::move(pays), tile, "small products share a workgroup"});
      is_offered = true;
    }
    if (is_offered) choice_.alternatives.push_back("batches");
  }

  void add() {
    if (tiles_.empty()) return;
    offer();
    if (request_.allows("split")) addSplit();
    if (request_.allows("products")) addTiles();
  }

 private:
  // Of each size the first that fits, the largest first.
  std::vector<size_t> ofEachSize() const {
    std::vector<size_t> sizes;
    for (size_t k = 0; k < tiles_.size(); ++k) {
      if (k == 0 || tiles_[k].size > tiles_[k - 1].size) sizes.push_back(k);
    }
    return sizes;
  }

  void offer() {
    for (const char* name : {"products", "split", "plain"}) {
      choice_.alternatives.emplace_back(name);
    }
    const std::vector<size_t> sizes = ofEachSize();
    for (size_t tile : sizes) {
      if (sizes.size() < 2) continue;
      choice_.alternatives.push_back("products:" + std::to_string(tile + 1));
    }
  }

  void addTiles() {
    const auto number = static_cast<size_t>(request_.number("products", 0, 0));
    if (number != 0) {
      const ProductSchedule& tile = tiles_[std::min(number, tiles_.size()) - 1].tile;
      return choice_.versions.push_back({pays(), tile, "requested"});
    }
    const std::vector<size_t> sizes = ofEachSize();
    for (size_t k = 0; k + 1 < sizes.size(); ++k) {
      const ProductSchedule& tile = tiles_[sizes[k]].tile;
      choice_.versions.push_back(
          {pays() && fills(tile, tiles_[sizes[k + 1]].tile), tile, "tiles fill the device"});
    }
    choice_.versions.push_back({pays(), tiles_[sizes.back()].tile, "cells share their rows"});
  }

  // Whether extents are large enough for tiles to be faster than one cell after another.
  Condition pays() const {
    const bool is_forced = request_.forced == "products";
    const int64_t extent = is_forced ? 1 : form_.is_fused ? kMinFusedExtent : kMinExtent;
    const int64_t least = is_forced ? 1 : form_.is_fused ? kMinCells / 2 : kMinCells;
    return isProduct() && depth() >= (is_forced ? 1 : kMinDepth) && rows() >= extent &&
           columns() >= extent && cells() >= least;
  }
  // Whether there are enough tiles of this size to keep the device busy. They must not reach so far
  // beyond the last row and column that smaller ones are faster.
  Condition fills(const ProductSchedule& tile, const ProductSchedule& smaller) const {
    const Condition many = Condition(Quantity::kMatrices) * tilesOf(tile) >= kFewTiles;
    if (!form_.is_fused) return many;
    return many && tilesOf(tile) * (4 * tile.rows * tile.columns) <=
                       tilesOf(smaller) * (5 * smaller.rows * smaller.columns);
  }

  void addSplit() {
    SplitProductSchedule s;
    s.is_fused = form_.is_fused;
    s.chunks = request_.number("split", 0, 0);
    s.workgroups = kSplitWorkgroups;
    s.values = form_.values;
    addSliced(s);
    s.chunk_elements = kMinChunk;
    for (const auto blocks :
         {SplitProductSchedule::Blocks::kLarge, SplitProductSchedule::Blocks::kSmall}) {
      s.blocks = blocks;
      for (s.depth = 16; s.depth >= 8; s.depth /= 2) {
        if (!allFit(s)) continue;
        return choice_.versions.push_back(
            {isProduct() && splitPays(), s, "rows or columns are few, or tiles are"});
      }
    }
  }
  // Small products: slices of a chunk share a workgroup, whose tile is hardly larger than they are.
  void addSliced(SplitProductSchedule s) {
    s.blocks = SplitProductSchedule::Blocks::kSlices;
    s.chunk_elements = kMinSlicedChunk;
    s.workgroups = kSlicedWorkgroups;
    for (s.depth = 16; s.depth >= 4; s.depth /= 2) {
      if (!allFit(s)) continue;
      return choice_.versions.push_back(
          {isProduct() && slicesPay(), s, "rows and columns are few"});
    }
  }
  Condition slicesPay() const {
    const Condition few = minimum(rows(), columns()), many = maximum(rows(), columns());
    const Condition is_small = few <= kMaxNarrow && many < kMinWide;
    if (request_.forced == "split") return is_small && depth() >= 1;
    // Many products of 17 to 32 rows and columns fill the device without a division of lines.
    const Condition is_divided =
        few <= kMaxNarrow / 2 || Condition(Quantity::kMatrices) < kSplitWorkgroups;
    return is_small && few >= 2 && rows() * columns() >= kMinSlicedCells && is_divided &&
           depth() >= kMinSlicedDepth &&
           Condition(Quantity::kMatrices) * many * depth() >= kMinSlicedInput;
  }
  bool allFit(const SplitProductSchedule& schedule) const {
    const std::vector<SplitTile> all = splitProductTiles(schedule);
    return std::all_of(all.begin(), all.end(),
                       [&](const SplitTile& each) { return fits(form_, each.tile, limits_); });
  }
  // A narrow product reads its larger input once, and little else. Of other shapes, chunks pay
  // where tiles are too few and lines are long.
  Condition splitPays() const {
    if (request_.forced == "split") return depth() >= 1;
    const Condition few = minimum(rows(), columns()), many = maximum(rows(), columns());
    const Condition is_narrow = few >= 2 && few <= kMaxNarrow && many >= kMinWide &&
                                depth() >= kMinDepth && many * depth() >= kMinInput;
    const Condition is_long = few >= 2 && rows() * columns() >= kMinSplitCells &&
                              depth() >= kMinSplitDepth &&
                              Condition(Quantity::kChunkTiles) <= kFewTiles;
    return is_narrow || is_long;
  }

  KernelChoice& choice_;
  const ProductForm& form_;
  const Limits& limits_;
  const Request& request_;
  std::vector<SizedTile> tiles_;  // that fit, the largest first
};

// Of 128 or 256 invocations.
std::vector<SplitTile> slicedTiles(const SplitProductSchedule& s) {
  const auto tile = [&](int64_t rows, int64_t columns, int64_t depth, int64_t slices,
                        int64_t lane_rows) {
    ProductSchedule made{rows, columns, depth, 4, 4, lane_rows, 8, s.is_fused, s.values};
    made.slices = slices;
    made.copies_lines = false;
    return made;
  };
  const auto within = [](int64_t most_rows, int64_t most_columns) {
    return rows() <= most_rows && columns() <= most_columns;
  };
  return {{within(8, 8), tile(8, 8, s.depth / 4, 32, 2), "_8x8_slices"},
          {within(16, 16), tile(16, 16, s.depth, 8, 4), "_16x16_slices"},
          {columns() <= 16, tile(64, 16, s.depth, 2, 8), "_64x16_slices"},
          {rows() <= 16, tile(16, 64, s.depth, 2, 4), "_16x64_slices"},
          {{}, tile(32, 32, s.depth, 4, 8), "_32x32_slices"}};
}

}  // namespace

void addBatchedProducts(KernelChoice& choice, const core::Program& program,
                        const core::Function& kernel,
                        const std::vector<const core::Screma*>& levels, const Limits& limits,
                        const Request& request) {
  if (levels.size() < 4 || !request.allows("batches")) return;
  const std::optional<ProductForm> form = productForm(program, kernel, levels);
  if (form) ProductVersions(choice, *form, limits, request).addBatches();
}

void addProducts(KernelChoice& choice, const core::Program& program, const core::Function& kernel,
                 const std::vector<const core::Screma*>& levels, const Limits& limits,
                 const Request& request) {
  if (!request.allows("products") && !request.allows("split")) return;
  const std::optional<ProductForm> form = productForm(program, kernel, levels);
  if (form) ProductVersions(choice, *form, limits, request).add();
}

std::vector<SplitTile> splitProductTiles(const SplitProductSchedule& s) {
  const auto tile = [&](int64_t rows, int64_t columns, int64_t cell_rows, int64_t cell_columns,
                        int64_t lane_rows) {
    ProductSchedule made{rows,      columns, s.depth,    cell_rows, cell_columns,
                         lane_rows, 8,       s.is_fused, s.values};
    made.copies_lines = std::min(rows, columns) > kMaxNarrow;
    return made;
  };
  if (s.blocks == SplitProductSchedule::Blocks::kSlices) return slicedTiles(s);
  if (s.blocks == SplitProductSchedule::Blocks::kSmall) {
    return {{columns() <= kMaxNarrow && rows() >= kMinWide, tile(128, 32, 4, 4, 8), "_tall_tile"},
            {rows() <= kMaxNarrow && columns() >= kMinWide, tile(32, 128, 4, 4, 4), "_flat_tile"},
            {{}, tile(64, 64, 4, 4, 8), "_chunk_tile"}};
  }
  return {
      {columns() <= 16 && rows() >= kMinWide, tile(128, 16, 4, 4, 8), "_tall_tile"},
      {columns() <= kMaxNarrow && rows() >= kMinWide, tile(128, 32, 8, 4, 8), "_wider_tall_tile"},
      {rows() <= 16 && columns() >= kMinWide, tile(16, 128, 4, 4, 4), "_flat_tile"},
      {rows() <= kMaxNarrow && columns() >= kMinWide, tile(32, 128, 4, 8, 4), "_higher_flat_tile"},
      {rows() >= kLargeExtent && columns() >= kLargeExtent, tile(64, 128, 8, 8, 8),
       "_large_chunk_tile"},
      {{}, tile(64, 64, 4, 4, 8), "_chunk_tile"}};
}

}  // namespace halo::gpu
