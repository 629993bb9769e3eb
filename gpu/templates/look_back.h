// What the tiles of a line before one have together, found by looking back (GPU.md 5c) so that the
// bits do not depend on who was first: every tile posts what it has alone, then what all up to it
// have. A tile looks at those before it until one has posted that prefix and all between have
// posted theirs, which are combined from the oldest on. As the prefix was made the same way, it
// does not matter where it was found.
//
// Lines of many small tiles are looked at by blocks, so that a look reaches as many tiles as a
// device has under way:
//
//   tiles    | 0 1 2 .. 7 | 8 9 10 ..      every tile posts what it has alone;
//   blocks   | 0          | 1              the last tile of a block what the block has alone, then
//                                          what all blocks up to it have
//
// A tile waits for the earlier ones of its block, and searches the blocks.
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
  // One of a tile's values, and what the tile has of it.
  struct Value {
    imp::Operand number;
    imp::Operands total;
  };
  using Before = std::vector<imp::VarId>;

  // Each invocation for a value of its own, by blocks of 8 tiles, all of which it sees at once,
  static constexpr int64_t kAtOnceBlock = 8;
  Before atOnce(const Where& where, const Value& value);
  // or of 32, 8 at a time;
  static constexpr int64_t kInTurnsBlock = 32;
  Before inTurns(const Where& where, const Value& value);
  // a subgroup for one value, without blocks: each lane sees a tile.
  static constexpr int64_t kNoBlocks = 0;
  Before together(const Where& where, const imp::Operands& total, const imp::Operand& lane,
                  int64_t lanes);

 private:
  using Places = std::vector<TileState::Seen>;
  imp::Operand prim(prim::Op op, const imp::Operand& a, const imp::Operand& b);
  imp::Operand word(prim::Op op, const imp::Operand& a, const imp::Operand& b);
  imp::Operand both(const imp::Operand& a, const imp::Operand& b);
  void open(const Where& where, const Value& value);
  imp::Operand isThere(const imp::Operand& tile);
  imp::Operand seeTiles(Places& seen, const imp::Operand& first, int64_t count);
  void takeTiles(const Places& seen, const imp::Operand& first);
  imp::Operand seeBlocks(Places& seen);
  void takeBlocks(const Places& seen, const imp::Operand& event);
  void postBlock(bool prefix);
  Before close();
  imp::Operand least(imp::Operand event, int64_t lanes);
  imp::Operands folded(const std::vector<imp::Operands>& nearest_first, const imp::Operand& event);
  imp::Operands anyOrder(imp::Operands values, const imp::Operand& event, const imp::Operand& lane,
                         int64_t lanes);

  KernelScope& scope_;
  imp::Builder& code_;
  Operators& ops_;
  const TileState& state_;
  Where where_;
  Value value_;
  imp::Operand block_, in_block_,
      first_;                       // the tile's block, its place there, the first tile of it
  imp::Operand is_first_, speaks_;  // of the first block; the last tile of its block
  Before tiles_, blocks_;           // before this one: of its block, and of earlier ones
};

}  // namespace halo::gpu
