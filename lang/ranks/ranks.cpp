// Operations built upon a carrier.
#include "lang/ranks/ranks.h"

#include <fmt/format.h>

#include <algorithm>

namespace halo::ranks {

Result<bool> Ranks::checked(int32_t status) {
  if (status == 0) return true;
  is_lost_ = true;
  if (status >= kHaloOverdue - 1) {
    return tl::unexpected(Lost{overdue(status - kHaloOverdue, timeout_)});
  }
  return tl::unexpected(Lost{"another rank has ended; all ranks are stopped"});
}

std::string overdue(int rank, double seconds) {
  const std::string who = rank < 0 ? std::string("another rank") : fmt::format("rank {}", rank);
  return fmt::format("{} has sent nothing for {} s; all ranks are stopped", who, seconds);
}

Ranks::~Ranks() { close(0); }

void Ranks::close(int status) {
  if (!is_open_) return;
  is_open_ = false;
  carrier_.close(carrier_.self, is_lost_ ? std::max(status, 1) : status);
}

Result<bool> Ranks::gather(const void* mine, const std::vector<uint64_t>& bytes, void* all) {
  std::vector<uint64_t> offsets;
  uint64_t next = 0;
  for (uint64_t one : bytes) offsets.push_back(next), next += one;
  return checked(carrier_.gather(carrier_.self, mine, all, bytes.data(), offsets.data()));
}

Result<bool> Ranks::gather(const void* mine, size_t bytes, void* all) {
  return gather(mine, std::vector<uint64_t>(static_cast<size_t>(count()), bytes), all);
}

Result<bool> Ranks::barrier() {
  std::vector<uint8_t> all(static_cast<size_t>(count()));
  const uint8_t mine = 0;
  return gather(&mine, 1, all.data());
}

Result<int64_t> Ranks::agree(int64_t number, uint64_t site) {
  struct Word {
    int64_t number;
    uint64_t site;
  };
  const Word mine{number, site};
  std::vector<Word> all(static_cast<size_t>(count()));
  if (auto sent = gather(&mine, sizeof mine, all.data()); !sent) {
    return tl::unexpected(sent.error());
  }
  int64_t largest = number;
  for (size_t r = 0; r < all.size(); ++r) {
    if (number == 0 && all[r].number == 0 && all[r].site != site) {
      is_lost_ = true;
      return tl::unexpected(Lost{fmt::format(
          "ranks are out of step: rank {} is at {}, rank {} at {}", rank(), site, r, all[r].site)});
    }
    largest = std::max(largest, all[r].number);
  }
  return largest;
}

Result<bool> Ranks::exchange(const std::vector<HaloMessage>& out,
                             const std::vector<HaloMessage>& in) {
  return checked(carrier_.exchange(carrier_.self, out.data(), static_cast<int32_t>(out.size()),
                                   in.data(), static_cast<int32_t>(in.size())));
}

Result<bool> Ranks::broadcast(std::string* text) {
  uint64_t bytes = text->size();
  auto sent = checked(carrier_.broadcast(carrier_.self, &bytes, sizeof bytes, 0));
  if (!sent) return sent;
  text->resize(bytes);
  return checked(carrier_.broadcast(carrier_.self, text->data(), bytes, 0));
}

Block blockOf(int64_t n, int64_t unit, int rank, int count) {
  Block block;
  n = std::max<int64_t>(n, 0);  // of an array that a check keeps from being made
  unit = std::max<int64_t>(unit, 1);
  const int64_t units = n / unit;  // the remainder belongs to the last of them
  block.active = std::clamp<int64_t>(units, 1, count);
  // Without overflow: n may be any extent.
  auto start = [&](int64_t r) {
    return (units / block.active * r + units % block.active * r / block.active) * unit;
  };
  block.smallest = units == 0 ? n : units / block.active * unit;
  block.first = rank < block.active ? start(rank) : n;
  const int64_t end = rank + 1 < block.active ? start(rank + 1) : n;
  block.rows = rank < block.active ? end - block.first : 0;
  return block;
}

Edges edgesOf(const Block& block, int64_t k, bool wraps, int rank) {
  Edges edges;
  if (rank >= block.active || block.active == 1) return edges;
  const int64_t last = block.active - 1;
  if (rank > 0 || wraps) edges.above = k, edges.before = rank > 0 ? rank - 1 : last;
  if (rank < last || wraps) edges.below = k, edges.behind = rank < last ? rank + 1 : 0;
  return edges;
}

// Two blocks may be neighbours on both sides: the message for the rows above goes first.
Result<bool> exchangeEdges(Ranks& ranks, const Edges& edges, size_t bytes, const void* first,
                           const void* last, void* above, void* below) {
  std::vector<HaloMessage> out, in;
  auto message = [&](int64_t rank, const void* data) {  // a carrier only reads sent rows
    return HaloMessage{static_cast<int32_t>(rank), const_cast<void*>(data), bytes};
  };
  if (edges.behind >= 0) out.push_back(message(edges.behind, last));
  if (edges.before >= 0) {
    out.push_back(message(edges.before, first));
    in.push_back(message(edges.before, above));
  }
  if (edges.behind >= 0) in.push_back(message(edges.behind, below));
  return ranks.exchange(out, in);
}

}  // namespace halo::ranks
