// The posts of a launch's tiles to each other, for templates with look-back at earlier tiles
// (look_back.h).
#pragma once

#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

// Of a place: nothing, the own sum of its tile or block, the sum of the line up to it.
enum TileStatus : uint32_t { kNone = 0, kOwn = 1, kPrefix = 2 };

// Tiles come in lines, one after another along the scanned axis; each has so many values. Host.
struct TileLines {
  imp::Operand count, tiles;  // lines; tiles of each
  imp::Operand values;
};

// Each value of a tile has a place, and each value of a block of neighbouring tiles. A state word
// is the launch's epoch and the status above 32 bits of a value. Longer values take several words,
// which count when all have the same status. Tiles take numbers by a ticket, so that all earlier
// ones have started. The last ticket begins the next epoch, in which nothing counts that this
// launch posts. So memory of earlier launches needs no clearing (gpu/kept_memory.h).
class TileState {
 public:
  // `of_block`: tiles, a power of two; or 0, and there are no blocks.
  TileState(std::vector<prim::ScalarType> types, int64_t of_block);

  int64_t ofBlock() const { return of_block_; }

  // Host: memory for all places.
  void make(imp::Builder& host, const TileLines& lines);
  void free(imp::Builder& host) const { host.append(imp::Free{buffer_}); }

  // The workgroup's number, as i64; all invocations ask together, before they post or see.
  imp::Operand ticket(KernelScope& scope);

  // Places in a kernel.
  imp::Operand ofTile(KernelScope& scope, const imp::Operand& line, const imp::Operand& tile,
                      const imp::Operand& value) const;
  imp::Operand ofBlock(KernelScope& scope, const imp::Operand& line, const imp::Operand& block,
                       const imp::Operand& value) const;
  // From a value's place to that in the next tile, or block, of the line.
  imp::Operand stride(KernelScope& scope) const { return scope.scalar(lines_.values); }

  void post(KernelScope& scope, const imp::Operand& place, const imp::Operands& values,
            const imp::Operand& status) const;  // status: u64
  struct Seen {
    imp::Operands words;
    imp::Operand status;  // u32
  };
  // kNone where the place does not exist; it must be in memory all the same. No bounds are tested:
  // numbers of places are computed in 32 bits then, as only their low halves count.
  Seen see(KernelScope& scope, const imp::Operand& place, const imp::Operand& exists) const;
  imp::Operands valuesOf(KernelScope& scope, const Seen& seen) const;

 private:
  imp::Operand at(imp::Builder& code, const imp::Operand& place, size_t word) const;
  imp::Operand inEpoch(imp::Builder& code, const imp::Operand& high) const;
  imp::Operand placeOf(KernelScope& scope, const imp::Operand& line, const imp::Operand& number,
                       const imp::Operand& count, const imp::Operand& value) const;

  std::vector<prim::ScalarType> types_;
  size_t words_ = 0;  // of a place
  int64_t of_block_;
  imp::BufferId buffer_;
  TileLines lines_;
  imp::Operand blocks_, first_block_;  // host: of a line; the first one's place
  imp::Operand epoch_;                 // in the kernel: as u32, above the status
};

imp::Operand statusWord(TileStatus status);  // u64

// Looks at earlier tiles until those that are seen are enough, which `take` then makes use of. The
// call goes to another engine if that takes too long. `look` gives the event (u32), which is odd
// where a tile has posted nothing yet.
void lookBackUntil(imp::Builder& code, const std::function<imp::Operand()>& look,
                   const std::function<void(const imp::Operand& event)>& take);

}  // namespace halo::gpu
