// The ranks of a job: processes (or threads) that run the same program and pass messages to each
// other. Nothing here knows of arrays, of MPI or of a device.
//
// Every message is collective: all ranks call the same functions in the same order. A carrier is a
// table of C functions, so that a plug-in that was built for one MPI can fill it:
//
//   shared_memory.h   ranks of one machine, threads or processes, without MPI
//   mpi/plugin.cpp    ranks of an MPI job, a shared library that is opened on demand
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lang/base/result.h"

extern "C" {

// A piece of memory that goes to, or comes from, one rank.
struct HaloMessage {
  int32_t rank;
  void* data;
  uint64_t bytes;
};

// The functions give 0, or another number: a rank has ended, and no further message will arrive.
// kHaloOverdue + r: rank r has let this one wait for longer than the limit; kHaloOverdue - 1: some
// rank has.
enum { kHaloOverdue = 1000 };
struct HaloRanks {
  void* self;
  int32_t rank, count;
  // From each rank `bytes[r]` bytes, to all; they stand at `offsets[r]` of `all`. `mine` are those
  // of this rank.
  int32_t (*gather)(void* self, const void* mine, void* all, const uint64_t* bytes,
                    const uint64_t* offsets);
  // Point to point. Each message of `out` meets one of `in` on the other rank, of the same length;
  // between two ranks they meet in their order.
  int32_t (*exchange)(void* self, const HaloMessage* out, int32_t outs, const HaloMessage* in,
                      int32_t ins);
  int32_t (*broadcast)(void* self, void* data, uint64_t bytes, int32_t root);
  // Seconds that a message may let this rank wait from now on; 0: any time.
  void (*limit)(void* self, double seconds);
  // Rank `late` has let this one wait for too long elsewhere; may be null.
  void (*tell)(void* self, int32_t late);
  // The last call; `status` other than 0 ends the other ranks, too.
  void (*close)(void* self, int32_t status);
};
}

namespace halo::ranks {

// A rank has ended, or ranks are out of step.
struct Lost {
  std::string text;
};
template <typename T>
using Result = base::Expected<T, Lost>;

// A carrier's table, for the rest of Halo. Not copied: it closes its carrier.
class Ranks {
 public:
  explicit Ranks(HaloRanks carrier) : carrier_(carrier) {}
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return carrier_.rank; }
  int count() const { return carrier_.count; }
  bool isFirst() const { return carrier_.rank == 0; }

  // Seconds that a rank waits for another within a call; 0: any time. Between calls it may be a
  // user that the others wait for.
  void setTimeout(double seconds) { timeout_ = seconds; }
  double timeout() const { return timeout_; }
  void tellOverdue(int rank) {
    if (carrier_.tell != nullptr) carrier_.tell(carrier_.self, rank);
    is_lost_ = true;
  }
  class Call {
   public:
    explicit Call(Ranks& ranks) : ranks_(ranks) { limit(ranks.timeout_); }
    ~Call() { limit(0); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    void limit(double seconds) { ranks_.carrier_.limit(ranks_.carrier_.self, seconds); }
    Ranks& ranks_;
  };

  Result<bool> barrier();
  // The largest number that a rank gives; 0: it goes on. `site` is the place where the ranks meet.
  // If those of ranks that go on differ, they are out of step: an internal error that names both.
  Result<int64_t> agree(int64_t number, uint64_t site);
  // The same number of bytes from each rank, in the order of ranks.
  Result<bool> gather(const void* mine, size_t bytes, void* all);
  // bytes[r] of rank r, one behind the other.
  Result<bool> gather(const void* mine, const std::vector<uint64_t>& bytes, void* all);
  Result<bool> exchange(const std::vector<HaloMessage>& out, const std::vector<HaloMessage>& in);
  // The first rank's text, on all ranks.
  Result<bool> broadcast(std::string* text);
  // A message has failed, or this rank leaves the others behind: nothing more is sent.
  bool isLost() const { return is_lost_; }
  void leave() { is_lost_ = true; }
  // `status` other than 0, or a lost rank: the other ranks end as well.
  void close(int status);

 private:
  Result<bool> checked(int32_t status);

  HaloRanks carrier_;
  bool is_open_ = true;
  bool is_lost_ = false;
  double timeout_ = 0;
};

// The message of a rank that has waited for another: of `rank`, or of some rank (-1).
std::string overdue(int rank, double seconds);

// Rows 0 .. n - 1 in blocks of nearly the same size. Each starts at a multiple of `unit` rows and
// has at least so many; `active` ranks have one, the ranks behind them have none. One rank takes
// all if there are fewer than a unit.
struct Block {
  int64_t first = 0, rows = 0;
  int64_t active = 1;    // ranks with a block
  int64_t smallest = 0;  // rows of the smallest block of an active rank
};
Block blockOf(int64_t n, int64_t unit, int rank, int count);

// The neighbours of a block: k rows of each that there is. Arrays that wrap go on at their other
// end, but one block alone has no neighbour.
struct Edges {
  int64_t above = 0, below = 0;      // rows: k or 0
  int64_t before = -1, behind = -1;  // their ranks; -1: none
};
Edges edgesOf(const Block& block, int64_t k, bool wraps, int rank);
// The first and the last rows of this block, `bytes` each, go to the neighbours; theirs come to
// `above` and `below`.
Result<bool> exchangeEdges(Ranks& ranks, const Edges& edges, size_t bytes, const void* first,
                           const void* last, void* above, void* below);

}  // namespace halo::ranks
