// What the tiles of a line before one have together, found by looking back (GPU.md 5c) so that the
// bits do not depend on who was first:
//
//   tiles    | 0 1 2 .. 31 | 32 33 34 ..      every tile posts what it has alone;
//   blocks   | 0           | 1                the last tile of a block what the block has alone,
//                                             then what all blocks up to it have
//
// A tile looks at the earlier ones of its block until all have posted, and at earlier blocks until
// one has posted its prefix and all between have posted theirs, which are combined from the oldest
// on. As that prefix was made the same way, it does not matter where it was found. Blocks let a
// look reach far: as many tiles as a device has under way.
#pragma once

#include "gpu/templates/four.h"
#include "gpu/templates/tile_state.h"

namespace halo::gpu {

class LookBack {
 public:
  LookBack(KernelScope& scope, Operators& ops, const TileState& state)
      : scope_(scope), code_(scope.code()), ops_(ops), state_(state) {}

  struct Where {
    imp::Operand line, tile;
  };
  // One of a tile's values, what the tile has of it, and whether this invocation posts that.
  struct Value {
    imp::Operand number;
    imp::Operands total;
    imp::Operand posts;
  };
  using Before = std::vector<imp::VarId>;

  static constexpr int64_t kAloneBlock = 8;  // tiles
  // Each invocation looks for a value of its own, at 8 tiles and 8 blocks.
  Before alone(const Where& where, const Value& value);
  // A subgroup looks for the same values, each lane at a tile and a block of all of them.
  std::vector<Before> together(const Where& where, const std::vector<Value>& values,
                               const imp::Operand& lane, int64_t lanes);

 private:
  // How a value is looked for. Events (u32) are odd while somebody has posted nothing yet.
  struct Search {
    Value value;
    Before tiles, blocks;  // what those before have
    std::function<imp::Operand()> see_tiles, see_blocks;
    std::function<void()> take_tiles;
    std::function<void(const imp::Operand& event)> take_blocks;
  };

  imp::Operand prim(prim::Op op, const imp::Operand& a, const imp::Operand& b);
  imp::Operand word(prim::Op op, const imp::Operand& a, const imp::Operand& b);
  imp::Operand both(const imp::Operand& a, const imp::Operand& b);
  void open(const Where& where);
  Search begin(const Value& value);
  void run(std::vector<Search>& searches);
  void take(std::vector<Search>& searches);
  void postBlock(const Search& search, bool prefix);
  void join(const Search& search);

  void lookAlone(Search& search);
  void lookTogether(Search& search, const imp::Operand& lane, int64_t lanes);
  imp::Operand missing(const TileState::Seen& seen, const imp::Operand& exists);
  imp::Operand least(imp::Operand event, int64_t lanes);
  imp::Operands folded(const std::vector<imp::Operands>& blocks, const imp::Operand& event);

  KernelScope& scope_;
  imp::Builder& code_;
  Operators& ops_;
  const TileState& state_;
  Where where_;
  imp::Operand block_, in_block_, first_;  // the tile's block, its place there, the first tile of it
  imp::Operand is_first_, speaks_;         // of the first block; the last tile of its block
};

}  // namespace halo::gpu
