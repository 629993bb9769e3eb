// An exchange of b bytes takes fixed + b / speed: two sizes tell both. Rows that have come from a
// neighbour lie where the engine puts them, and go back and forth.
#include "cli/distributed/rank_costs.h"

#include <algorithm>
#include <chrono>

#include "cli/distributed/row_exchange.h"

namespace halo::distributed {
namespace {

using value::Array;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kCostSite = 0x636f737473;  // `costs`: where ranks agree
constexpr int kAgreements = 200, kExchanges = 20, kTries = 3;
constexpr int64_t kFewCells = 1 << 8, kManyCells = 1 << 22;  // of a row of f32

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Measurement {
 public:
  Measurement(ranks::Ranks& ranks, std::unique_ptr<engine::PageCopies> copies)
      : ranks_(ranks), rows_(ranks, std::move(copies)) {}

  base::Expected<RankCosts, std::string> run() {
    RankCosts costs;
    const auto start = Clock::now();
    for (int i = 0; i < kAgreements; ++i) {
      if (auto met = ranks_.agree(0, kCostSite); !met) return tl::unexpected(met.error().text);
    }
    costs.agreement_us = secondsSince(start) / kAgreements * 1e6;
    const auto few = exchangeOf(kFewCells), many = exchangeOf(kManyCells);
    for (const auto* one : {&few, &many}) {
      if (!*one) return tl::unexpected(one->error());
    }
    const double bytes = 4.0 * (kManyCells - kFewCells);
    const double each = std::max(*many - *few, 1e-9) / bytes;
    costs.exchange_us = std::max(*few - 4.0 * kFewCells * each, 0.0) * 1e6;
    costs.bytes_per_second = 1 / each;
    costs.way = rows_.way();
    return costs;
  }

 private:
  // Seconds, of the fastest tries.
  base::Expected<double, std::string> exchangeOf(int64_t cells) {
    auto made = value::makeArray(prim::ScalarType::kF32, {1, cells});
    if (!made) return tl::unexpected(made.error().message);
    const ranks::Edges edges =
        ranks::edgesOf({ranks_.rank(), 1, ranks_.count(), 1}, 1, false, ranks_.rank());
    Array row = std::move(*made);
    double best = 1e9;
    for (int t = 0; t <= kTries; ++t) {  // the first one makes pages
      const auto start = Clock::now();
      for (int i = 0; i < kExchanges; ++i) {
        std::vector<Array> ghosts;
        if (auto begun = rows_.begin({row}, 1, edges, &ghosts); !begun) {
          return tl::unexpected(begun.error().message);
        }
        row = edges.before >= 0 ? ghosts[0] : ghosts[1];
      }
      if (t > 0) best = std::min(best, secondsSince(start) / kExchanges);
    }
    return best;
  }

  ranks::Ranks& ranks_;
  RowExchange rows_;
};

}  // namespace

base::Expected<RankCosts, std::string> measureCosts(ranks::Ranks& ranks,
                                                    std::unique_ptr<engine::PageCopies> copies) {
  if (ranks.count() < 2) return tl::unexpected(std::string("one rank has no messages"));
  return Measurement(ranks, std::move(copies)).run();
}

}  // namespace halo::distributed
