// Pages of memory that the ranks of one machine share, for rows that go from rank to rank without a
// message. Each rank owns a piece of them and writes only that; all ranks map all pieces. Devices
// can import them (VK_EXT_external_memory_host).
//
// A piece is an anonymous file of its owner, which the others open by its number there. So this
// works with every carrier, also with MPI, as long as the ranks are on one machine.
//
// A bell tells that something stands in a piece: a number that its owner only increases.
#pragma once

#include <sys/types.h>

#include <memory>
#include <vector>

#include "lang/ranks/ranks.h"

namespace halo::ranks {

inline constexpr int kBells = 2;

class Pages {
 public:
  // Collective: a piece of `bytes` for each rank, the same number on all. Null on all ranks if one
  // of them cannot map the others' pieces.
  static Result<std::unique_ptr<Pages>> share(Ranks& ranks, uint64_t bytes);
  ~Pages();
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  std::byte* of(int rank) const { return pieces_[static_cast<size_t>(rank)].data; }
  uint64_t bytes() const { return bytes_; }  // of a piece: whole pages

  // The piece of this rank may be read as it is up to `turn`.
  void ring(int bell, uint64_t turn);
  // Waits until that rank has rung for `turn`.
  Result<bool> hear(int rank, int bell, uint64_t turn) const;

 private:
  struct Piece {
    void* mapped = nullptr;
    std::byte* data = nullptr;
    pid_t owner = 0;
  };
  struct Address;  // of a piece, for the other ranks
  Pages(int rank, uint64_t bytes) : rank_(rank), bytes_(bytes) {}
  bool make(int* file);
  bool open(const Address& address, const Address& own, int rank);

  Ranks* ranks_ = nullptr;
  double limit_ = 0;  // seconds that a rank waits for a bell; 0: any time
  int rank_;
  uint64_t bytes_;
  std::vector<Piece> pieces_;
};

}  // namespace halo::ranks
