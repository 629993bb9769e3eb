// Ranks of one machine that share a piece of memory: the threads of a test, or processes that map
// the same file. Needs no MPI.
//
// Each rank owns two mailboxes. In a round every rank writes its own mailbox, all meet, and each
// reads those that it wants. The next round takes the other mailboxes, so that nothing is
// overwritten before all have read it. Longer messages take several rounds.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "lang/ranks/ranks.h"

namespace halo::ranks {

inline constexpr size_t kMailbox = size_t{1} << 20;  // bytes of a message in one round

// Bytes that `count` ranks share. The memory holds zeros before the first rank joins.
size_t sharedBytes(int count, size_t mailbox = kMailbox);

// `owner` keeps the memory. Every rank joins once.
std::unique_ptr<Ranks> joinShared(std::shared_ptr<void> owner, void* memory, int rank, int count,
                                  size_t mailbox = kMailbox);

// For a rank that has ended without a word: the others stop waiting.
void endRank(void* memory);

// Who has waited too long, and for whom: the first one that tells.
struct Overdue {
  std::atomic<int32_t> is_told;
  int32_t rank, late;
  double seconds;

  void tell(int32_t who, int32_t for_whom, double limit) {
    int32_t nobody = 0;
    if (!is_told.compare_exchange_strong(nobody, 1)) return;
    rank = who, late = for_whom, seconds = limit;
    is_told.store(2);
  }
};
Overdue& overdueOf(void* memory);

// Ranks of threads of this process: one for each, in order.
std::vector<std::unique_ptr<Ranks>> threadRanks(int count, size_t mailbox = kMailbox);

}  // namespace halo::ranks
