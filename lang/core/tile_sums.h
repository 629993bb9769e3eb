// Reductions over the cells of a stencil, in tiles of neighbouring cells. Sizes alone decide their
// order, so several ranks can do the same:
//
//   tile     `lines` lines by `columns` cells; lines are rows of the last axis, of a line that is
//            all cells. Tiles are numbered row by row
//   value    those of all tiles, joined in an order of the engine
//
// The GPU engine has tiles of kTileLines by kTileColumns (of a line: of kLineTile cells), joined by
// the lanes of a second launch. The CPU engine has bands of whole rows of the first axis, kBandRows
// by the rank of the space, joined in their order.
#pragma once

#include <optional>
#include <vector>

#include "lang/core/ir.h"

namespace halo::core {

inline constexpr int64_t kTileLines = 64, kTileColumns = 64, kLineTile = 4096;
inline constexpr int64_t kBandRows[] = {0, 1 << 14, 64, 4};

// An operator takes elements in any order: it commutes.
bool isInAnyOrder(const Reduction& reduction);
// Of cells with few neighbours, scalars in any order.
bool reducesInTiles(const Program& program, const Stencil& stencil);

// For the evaluator. Rows first .. first + rows of the space's first axis count.
struct TileGrid {
  std::vector<int64_t> space;
  int64_t first, rows, lines, columns;

  int64_t tiles() const;
  std::optional<int64_t> tileOf(const std::vector<int64_t>& cell) const;

 private:
  bool isLine() const { return space.size() == 1; }
  int64_t width() const { return isLine() ? rows : space.back(); }
  int64_t tilesOfLine() const { return (width() + columns - 1) / columns; }
};

}  // namespace halo::core
