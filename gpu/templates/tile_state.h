// What the tiles of a launch tell each other, for templates in which a tile looks back at earlier
// ones (GPU.md 5c).
#pragma once

#include "gpu/templates/lanes.h"

namespace halo::gpu {

// Of a place: nothing, what its tile has alone, what all tiles up to it have.
enum TileStatus : uint32_t { kNone = 0, kOwn = 1, kPrefix = 2 };

// A state word is the status above 32 bits of a value; longer values take several words, which
// count when all have the same status. Tiles take numbers by a ticket, so that all earlier ones
// have started.
class TileState {
 public:
  explicit TileState(std::vector<prim::ScalarType> types);

  // Host: memory for so many places, cleared by a launch of its own; `also` adds to that what is
  // done for its invocation i.
  using Also = std::function<void(KernelScope& scope, const imp::Operand& i)>;
  void make(imp::Program& program, imp::Builder& host, const KernelCall& call,
            const imp::Operand& places, const Also& also = {});
  void free(imp::Builder& host) const { host.append(imp::Free{buffer_}); }

  // The workgroup's number, as i64; all invocations ask together.
  imp::Operand ticket(KernelScope& scope) const;

  void post(KernelScope& scope, const imp::Operand& place, const imp::Operands& values,
            const imp::Operand& status) const;  // status: u64
  struct Seen {
    imp::Operands words;
    imp::Operand status;  // u32
  };
  // kNone where the place does not exist.
  Seen see(KernelScope& scope, const imp::Operand& place, const imp::Operand& exists) const;
  imp::Operands valuesOf(KernelScope& scope, const Seen& seen) const;

 private:
  imp::Operand at(imp::Builder& code, const imp::Operand& place, size_t word) const;

  std::vector<prim::ScalarType> types_;
  size_t words_ = 0;  // of a place
  imp::BufferId buffer_;
};

imp::Operand statusWord(TileStatus status);  // u64

// Looks at earlier tiles until those that are seen reach back to a prefix, which `take` then makes
// use of; the call goes to another engine if that takes too long. `look` gives the event (u32): of
// the nearest place that ends the search, twice its number if it has a prefix, odd if it has
// nothing.
void lookBackUntil(imp::Builder& code, const std::function<imp::Operand()>& look,
                   const std::function<void(const imp::Operand& event)>& take);

}  // namespace halo::gpu
