// Rows that go from each rank to any others, by the places that they take in an array of which each
// rank has a block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lang/ranks/ranks.h"

namespace halo::ranks {

struct Route {
  std::vector<size_t> order;      // own rows as they are sent: those for the first rank, ..
  bool in_order = true;           // order is 0, 1, ..
  std::vector<int64_t> places;    // of the rows sent, counted from the destination's first row
  std::vector<uint64_t> leaving;  // rows to each rank
  std::vector<uint64_t> coming;   // rows from each rank

  uint64_t arrived() const;  // of all ranks
};

// Collective. Row i takes place at[i] of n; without such a place it goes nowhere.
Result<Route> routeOf(Ranks& ranks, int64_t n, int64_t unit, std::span<const int64_t> at);

// Collective. Rows of so many bytes: `all` holds those that have come, in the order of ranks.
Result<bool> send(Ranks& ranks, const Route& route, const std::byte* rows, size_t bytes,
                  std::byte* all);
// The same for the places.
Result<std::vector<int64_t>> sendPlaces(Ranks& ranks, const Route& route);

}  // namespace halo::ranks
