// The sum of all tiles of a line before one, found by look-back (gpu.md#look-back) so that bits do
// not depend on timing. Every tile posts its own sum, then the sum of all up to it. A tile looks at
// those before it until one has posted that prefix and all between have posted their own sums.
// These are combined from the oldest on. As the prefix was made the same way, it does not matter
// where it was found.
//
// Lines of many small tiles are looked at by blocks, so that a look reaches as many tiles as a
// device has under way:
//
//   tiles    | 0 1 2 .. 7 | 8 9 10 ..      every tile posts its own sum;
//   blocks   | 0          | 1              the last tile of a block the block's own sum, then
//                                          the sum of all blocks up to it
//
// A tile waits for the earlier ones of its block, and searches the blocks.
#pragma once

#include "gpu/templates/kernel/four.h"
#include "gpu/templates/scan/tile_state.h"

namespace halo::gpu {

class LookBack {
 public:
  LookBack(KernelScope& scope, Operators& ops, const TileState& state)
      : scope_(scope), code_(scope.code()), ops_(ops), state_(state) {}

  struct Where {
    imp::Operand line, tile;
  };
  // One of a tile's values, and the tile's sum of it.
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
  // `count` neighbouring lanes of a subgroup for one value: each sees a block of tiles, whose last
  // one posts the prefix in its own place. All lanes of the subgroup look. Powers of two.
  static constexpr int64_t kNoBlocks = 0;  // with places of their own
  struct Lookers {
    imp::Operand lane;  // of the subgroup
    int64_t subgroup, count, of_block;
  };
  Before together(const Where& where, const Value& value, const Lookers& lookers);
  // All lanes of a subgroup for one value, by blocks of as many tiles, which have places of their
  // own: each lane sees a tile of the block and an earlier block. Lanes combine a block's tiles as
  // a tree, so that costly operators wait for few others.
  Before byBlocks(const Where& where, const Value& value, const imp::Operand& lane, int64_t lanes);

 private:
  static constexpr uint32_t kWaits = 1023;  // an event: all are known, none is a prefix yet
  using Places = std::vector<TileState::Seen>;
  // A lane's view of a block before the tile.
  struct Neighbours {
    imp::Operand is_block;
    imp::Operand count;  // tiles of the block that there are before the tile
    imp::Operands places, exists;
    Places tiles;
    imp::Operand has_prefix;
  };
  imp::Operand prim(prim::Op op, const imp::Operand& a, const imp::Operand& b);
  imp::Operand word(prim::Op op, const imp::Operand& a, const imp::Operand& b);
  imp::Operand both(const imp::Operand& a, const imp::Operand& b);
  void open(const Where& where, const Value& value);
  imp::Operand isThere(const imp::Operand& tile);
  imp::Operand beside(prim::Op op, const imp::Operand& place, const imp::Operand& exists);
  imp::Operand seeTiles(Places& seen, const imp::Operand& first, int64_t count);
  void takeTiles(const Places& seen, const imp::Operand& first);
  imp::Operand seeBlocks(Places& seen);
  void takeBlocks(const Places& seen, const imp::Operand& event);
  void postBlock(bool prefix);
  Before close();
  void openBlocks(int64_t of_block);
  Neighbours neighbours();
  imp::Operand seeNeighbours(Neighbours& seen);
  void takeNeighbours(const Neighbours& seen, const imp::Operand& event, const Before& before);
  imp::Operand fromLane(const imp::Operand& event, int64_t distance);
  imp::Operand least(imp::Operand event);
  imp::Operands folded(const std::vector<imp::Operands>& nearest_first, const imp::Operand& event);
  imp::Operands anyOrder(imp::Operands values, const imp::Operand& event);
  // A lane's tile of the block and its earlier block, as far as it has seen them.
  struct Pair {
    imp::Operand tile_place, block_place;
    imp::VarId is_missing, lacks_prefix;  // its tile; all blocks are known, none has a prefix
    imp::VarId status;                    // of the block
    Before tile, block;
  };
  Pair declarePair();
  void seePair(const Pair& pair);
  imp::Operand eventOf(const Pair& pair);
  imp::Operands tree(imp::Operands values);
  void foldBlocks(const Pair& pair, const imp::Operand& event);

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
  Lookers lookers_;
  imp::Operand lane_;  // among those that look for the value
  Before with_own_;    // the sum of all up to this one
};

}  // namespace halo::gpu
