// All tiles of two outer levels and the elements of a lane are compared by the cost of a cell.
#include "gpu/schedule/reduce/segment_tiles.h"

#include <algorithm>

#include "gpu/schedule/node_code.h"
#include "gpu/schedule/reduce/level_costs.h"

namespace halo::gpu {

namespace {

constexpr int64_t kMaxTileCells = 16;     // of a tile
constexpr int64_t kMaxAlong = 8;          // of a level
constexpr int64_t kOverlapping = 4;       // that share their loads
constexpr double kMaxSumWords = 32;       // of a tile's sums
constexpr double kMaxTileRegisters = 96;  // besides
constexpr double kMaxTileCode = 1024;     // statements of all cells (docs/gpu.md#rules)
constexpr double kPays = 0.85;            // of the cost of a cell that stands alone
constexpr int64_t kShortLine = 32;        // elements
// All cells share the tests of exact divisions, and their values wait for them in registers. (On an
// H200, forces between 16,384 bodies: 432 us with two cells, 412 with four, 593 with eight.)
constexpr int64_t kMaxDividing = 4;
// Cells along an inner level read the same lines of memory more often. (A convolution of 16
// channels: 267 us with two cells along rows, 326 across them, 337 along images.)
constexpr double kOfLevel = 0.06;  // of the cost, for each level further out

// Whether blocks of elements would leave most of a lane's to the code of the rest.
bool isShortLine(const core::Screma& screma) {
  return screma.width.isConstant() && screma.width.constant.asSigned() < kShortLine;
}

class TileSearch {
 public:
  // `last`: the innermost level that may have several cells.
  TileSearch(const LevelCosts& costs, size_t outer, size_t last, double sums)
      : costs_(costs), outer_(outer), last_(last), sums_(sums), least_(kPays * costs.cost({})) {}

  LevelTiles run() {
    LevelTiles tile;
    extend(tile, 0);
    return best_.levels.empty() ? overlapping() : best_;
  }

 private:
  // Cells that share all loads also share the time in which each waits for its own operations. (On
  // an H200, sums of sines and cosines over 2,048 points: 1,512 us with one cell, 1,263 with four.)
  LevelTiles overlapping() const {
    const Levels cell = Levels{1} << (outer_ - 1), element = Levels{1} << outer_;
    const bool share =
        std::all_of(costs_.loads.begin(), costs_.loads.end(), [&](const LevelCost& load) {
          return (load.levels & element) == 0 || (load.levels & cell) == 0;
        });
    LevelTiles tile;
    for (int64_t cells = kOverlapping; share && cells > 1; cells /= 2) {
      tile.levels = {{static_cast<int64_t>(outer_) - 1, cells}};
      if (fits(tile)) return tile;
    }
    return {};
  }

  // Tiles that begin with these levels and have more from `level` on.
  void extend(LevelTiles& tile, size_t level) {
    if (fits(tile)) {
      const double cost = costs_.cost(tile) * apart(tile);
      if (!tile.levels.empty() && cost < least_) best_ = tile, least_ = cost;
    }
    for (; level <= last_; ++level) {
      for (int64_t cells = 2; cells <= kMaxAlong; cells *= 2) {
        tile.levels.push_back({static_cast<int64_t>(level), cells});
        if (cellsOf(tile) <= kMaxTileCells) extend(tile, level + 1);
        tile.levels.pop_back();
      }
    }
  }
  double apart(const LevelTiles& tile) const {
    double factor = 1;
    for (const LevelTile& each : tile.levels) {
      const auto further = static_cast<double>(outer_) - 1 - static_cast<double>(each.level);
      factor += kOfLevel * std::max(further, 0.0);
    }
    return factor;
  }
  bool fits(const LevelTiles& tile) const {
    if (costs_.divides && cellsOf(tile) > kMaxDividing) return false;
    const double cells = static_cast<double>(cellsOf(tile));
    return sums_ * static_cast<double>(segmentsOf(tile, outer_)) <= kMaxSumWords &&
           costs_.registers(tile) <= kMaxTileRegisters && costs_.statements * cells <= kMaxTileCode;
  }

  const LevelCosts& costs_;
  const size_t outer_, last_;
  const double sums_;
  double least_;
  LevelTiles best_;
};

}  // namespace

int64_t cellsOf(const LevelTiles& tile) {
  int64_t cells = 1;
  for (const LevelTile& each : tile.levels) cells *= each.cells;
  return cells;
}

int64_t segmentsOf(const LevelTiles& tile, size_t outer_levels) {
  int64_t cells = 1;
  for (const LevelTile& each : tile.levels) {
    if (each.level < static_cast<int64_t>(outer_levels)) cells *= each.cells;
  }
  return cells;
}

bool canTile(const core::Program& program, const core::Function& kernel,
             const std::vector<const core::Screma*>& levels) {
  const core::Screma& screma = *levels.back();
  size_t reduced = 0;
  for (const core::Reduction& reduction : screma.reductions) reduced += reduction.neutral.size();
  return levels.size() > 1 && screma.map.body.results.size() == reduced && !screma.partial_values &&
         levelCosts(program, kernel, levels).has_value();
}

LevelTiles segmentTile(const core::Program& program, const core::Function& kernel,
                       const std::vector<const core::Screma*>& levels) {
  if (!canTile(program, kernel, levels)) return {};
  const LevelCosts costs = *levelCosts(program, kernel, levels);
  if (costs.streams) return {};
  const auto sums = static_cast<double>(valueWords(program, *levels.back()));
  const size_t outer = levels.size() - 1;
  const size_t last = isShortLine(*levels.back()) ? outer - 1 : outer;
  return TileSearch(costs, outer, last, sums).run();
}

}  // namespace halo::gpu
