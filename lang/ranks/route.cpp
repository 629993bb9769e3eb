#include "lang/ranks/route.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace halo::ranks {
namespace {

// The blocks of all ranks; rows come in runs that go to one rank.
class Owners {
 public:
  Owners(int64_t n, int64_t unit, int count) {
    for (int rank = 0; rank < count; ++rank) blocks_.push_back(blockOf(n, unit, rank, count));
  }

  // The rank that has a row; -1: none.
  int of(int64_t row) {
    if (has(last_, row)) return last_;
    const auto behind = std::upper_bound(
        blocks_.begin(), blocks_.end(), row,
        [](int64_t at, const Block& block) { return at < block.first + block.rows; });
    const int rank = static_cast<int>(behind - blocks_.begin());
    if (row < 0 || behind == blocks_.end()) return -1;
    return last_ = rank;
  }
  int64_t first(int rank) const { return blocks_[static_cast<size_t>(rank)].first; }

 private:
  bool has(int rank, int64_t row) const {
    const Block& block = blocks_[static_cast<size_t>(rank)];
    return row >= block.first && row < block.first + block.rows;
  }

  std::vector<Block> blocks_;
  int last_ = 0;
};

// Messages with bytes: both ends leave out the others.
void add(std::vector<HaloMessage>& messages, size_t rank, std::byte* data, uint64_t bytes) {
  if (bytes > 0) messages.push_back({static_cast<int32_t>(rank), data, bytes});
}

Result<bool> sendInOrder(Ranks& ranks, const Route& route, const std::byte* rows, size_t bytes,
                         std::byte* all) {
  std::vector<HaloMessage> out, in;
  const auto self = static_cast<size_t>(ranks.rank());
  auto* from = const_cast<std::byte*>(rows);  // a carrier only reads sent rows
  for (size_t rank = 0; rank < route.leaving.size(); ++rank) {
    const uint64_t leaving = route.leaving[rank] * bytes, coming = route.coming[rank] * bytes;
    if (rank != self) {
      add(out, rank, from, leaving);
      add(in, rank, all, coming);
    } else if (coming > 0) {
      std::memcpy(all, from, coming);
    }
    from += leaving, all += coming;
  }
  return ranks.exchange(out, in);
}

}  // namespace

uint64_t Route::arrived() const {
  return std::accumulate(coming.begin(), coming.end(), uint64_t{0});
}

Result<Route> routeOf(Ranks& ranks, int64_t n, int64_t unit, std::span<const int64_t> at) {
  const auto count = static_cast<size_t>(ranks.count());
  Owners owners(n, unit, ranks.count());
  std::vector<int32_t> owner(at.size());
  Route route;
  route.leaving.assign(count, 0);
  for (size_t i = 0; i < at.size(); ++i) {
    owner[i] = owners.of(at[i]);
    if (owner[i] >= 0) route.leaving[static_cast<size_t>(owner[i])]++;
  }
  std::vector<uint64_t> next(count);
  std::exclusive_scan(route.leaving.begin(), route.leaving.end(), next.begin(), uint64_t{0});
  route.order.resize(next.back() + route.leaving.back());
  route.places.resize(route.order.size());
  for (size_t i = 0; i < at.size(); ++i) {
    if (owner[i] < 0) continue;
    const uint64_t to = next[static_cast<size_t>(owner[i])]++;
    route.order[to] = i;
    route.places[to] = at[i] - owners.first(owner[i]);
    route.in_order = route.in_order && to == i;
  }
  std::vector<uint64_t> all(count * count);
  if (auto told = ranks.gather(route.leaving.data(), count * sizeof(uint64_t), all.data()); !told) {
    return tl::unexpected(told.error());
  }
  for (size_t rank = 0; rank < count; ++rank) {
    route.coming.push_back(all[rank * count + static_cast<size_t>(ranks.rank())]);
  }
  return route;
}

Result<bool> send(Ranks& ranks, const Route& route, const std::byte* rows, size_t bytes,
                  std::byte* all) {
  if (route.in_order) return sendInOrder(ranks, route, rows, bytes, all);
  std::vector<std::byte> ordered(route.order.size() * bytes);
  for (size_t to = 0; bytes > 0 && to < route.order.size(); ++to) {
    std::memcpy(ordered.data() + to * bytes, rows + route.order[to] * bytes, bytes);
  }
  return sendInOrder(ranks, route, ordered.data(), bytes, all);
}

Result<std::vector<int64_t>> sendPlaces(Ranks& ranks, const Route& route) {
  std::vector<int64_t> all(route.arrived());
  auto sent = sendInOrder(ranks, route, reinterpret_cast<const std::byte*>(route.places.data()),
                          sizeof(int64_t), reinterpret_cast<std::byte*>(all.data()));
  if (!sent) return tl::unexpected(sent.error());
  return all;
}

}  // namespace halo::ranks
