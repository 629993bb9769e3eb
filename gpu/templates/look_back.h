// What the tiles of a line before one have together, found by looking back (GPU.md 5c) so that the
// bits do not depend on who was first:
//
//   tiles    | 0 1 2 .. 15 | 16 17 18 ..      every tile posts what it has alone;
//   blocks   | 0           | 1                the last tile of a block what the block has alone,
//                                             then what all blocks up to it have
//
// A tile waits for the earlier ones of its block, then looks at earlier blocks until one has posted
// its prefix and all between have posted theirs, which are combined from the oldest on. As that
// prefix was made the same way, it does not matter where it was found. Blocks let few looks reach
// far: as many tiles as a device has under way.
#pragma once

#include "gpu/templates/four.h"
#include "gpu/templates/tile_state.h"

namespace halo::gpu {

class LookBack {
 public:
  LookBack(KernelScope& scope, Operators& ops, const TileState& state)
      : scope_(scope), code_(scope.code()), ops_(ops), state_(state) {}

  // A tile of a line, one of its values.
  struct Where {
    imp::Operand line, tile, value;
  };
  static constexpr int64_t kAloneBlock = 16;  // tiles, for alone()

  // Posts what the tile has, gives what those before have: by one invocation for its own value,
  std::vector<imp::VarId> alone(const Where& where, const imp::Operands& total);
  // or by all lanes of a subgroup for the same one; blocks have as many tiles as it has lanes.
  std::vector<imp::VarId> together(const Where& where, const imp::Operands& total,
                                   const imp::Operand& lane, int64_t lanes);

 private:
  imp::Operand prim(prim::Op op, const imp::Operand& a, const imp::Operand& b);
  imp::Operand word(prim::Op op, const imp::Operand& a, const imp::Operand& b);
  void open(const Where& where);
  void postOwn(const imp::Operands& total);
  void postBlock(const imp::Operands& total, const std::function<void()>& search,
                 const imp::Operand& posts);
  std::vector<imp::VarId> joined();
  imp::Operand missing(const TileState::Seen& seen, const imp::Operand& exists);

  void tilesAlone();
  void blocksAlone();
  void tilesTogether(const imp::Operand& lane, int64_t lanes);
  void blocksTogether(const imp::Operand& lane, int64_t lanes);
  imp::Operand least(imp::Operand event, int64_t lanes);
  void fold(const std::vector<imp::Operands>& blocks, const imp::Operand& event);

  KernelScope& scope_;
  imp::Builder& code_;
  Operators& ops_;
  const TileState& state_;
  Where where_;
  imp::Operand block_, in_block_, first_;  // the tile's block, its place there, the first tile of it
  std::vector<imp::VarId> tiles_, blocks_;  // before this one
};

}  // namespace halo::gpu
