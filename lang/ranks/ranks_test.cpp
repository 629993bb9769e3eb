// Blocks and edges; messages between threads, longer than a mailbox, in odd orders and late; ranks
// that leave.
#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>
#include <thread>

#include "lang/ranks/files.h"
#include "lang/ranks/pages.h"
#include "lang/ranks/route.h"
#include "lang/ranks/shared_memory.h"

namespace halo::ranks {
namespace {

constexpr size_t kSmallMailbox = 128;  // so that messages take several rounds

void onThreads(int count, const std::function<void(Ranks&)>& run) {
  auto ranks = threadRanks(count, kSmallMailbox);
  std::vector<std::thread> threads;
  for (auto& rank : ranks) threads.emplace_back([&] { run(*rank); });
  for (std::thread& thread : threads) thread.join();
}

// Each rank comes at another time to each message.
void comeLate(int rank, int round) {
  std::mt19937 random(static_cast<unsigned>(rank * 100 + round));
  std::this_thread::sleep_for(std::chrono::microseconds(random() % 400));
}

}  // namespace

TEST_CASE("blocks cover all rows once, at multiples of a unit") {
  for (int64_t n : {0, 1, 2, 3, 4, 5, 7, 64, 127, 128, 129, 1000003}) {
    for (int64_t unit : {1, 2, 3, 128}) {
      for (int count = 1; count <= 9; ++count) {
        int64_t next = 0;
        for (int rank = 0; rank < count; ++rank) {
          const Block block = blockOf(n, unit, rank, count);
          CHECK(block.first == (rank < block.active ? next : n));
          if (block.active > 1 && rank < block.active) {
            CHECK(block.first % unit == 0);
            CHECK(block.rows >= unit);
            CHECK(block.rows >= block.smallest);
          }
          if (rank >= block.active) CHECK(block.rows == 0);
          next += block.rows;
        }
        CHECK(next == n);
      }
    }
  }
  const Block large = blockOf(INT64_MAX, 1, 2, 4);
  CHECK(large.rows > INT64_MAX / 4 - 2);
}

TEST_CASE("edges end with the array, or go round") {
  const Block middle = blockOf(10, 1, 1, 3), last = blockOf(10, 1, 2, 3);
  CHECK(edgesOf(middle, 2, false, 1).before == 0);
  CHECK(edgesOf(middle, 2, false, 1).below == 2);
  CHECK(edgesOf(last, 2, false, 2).below == 0);
  CHECK(edgesOf(last, 2, true, 2).behind == 0);
  CHECK(edgesOf(blockOf(1, 1, 0, 3), 1, true, 0).before == -1);  // one block alone
}

TEST_CASE("every rank gets every rank's bytes") {
  onThreads(3, [](Ranks& ranks) {
    for (int round = 0; round < 20; ++round) {
      comeLate(ranks.rank(), round);
      std::vector<uint64_t> bytes{static_cast<uint64_t>(round * 37), 0, 300};
      std::vector<uint8_t> mine(bytes[static_cast<size_t>(ranks.rank())],
                                static_cast<uint8_t>(ranks.rank() + round));
      std::vector<uint8_t> all(bytes[0] + bytes[2]), want(bytes[0], static_cast<uint8_t>(round));
      want.resize(all.size(), static_cast<uint8_t>(2 + round));
      REQUIRE(ranks.gather(mine.data(), bytes, all.data()));
      CHECK(all == want);
    }
    std::string text = ranks.isFirst() ? std::string(1000, 'x') : "";
    REQUIRE(ranks.broadcast(&text));
    CHECK(text == std::string(1000, 'x'));
  });
}

TEST_CASE("rows that go to the ranks of their places, in the order of ranks") {
  constexpr int64_t kPlaces = 50, kSent = 70, kFactor = 13, kMissing = -3;
  for (int count : {1, 2, 4}) {
    onThreads(count, [count](Ranks& ranks) {
      const Block own = blockOf(kPlaces, 3, ranks.rank(), count);
      for (bool in_order : {true, false}) {
        std::vector<int64_t> at, want_places, want;
        for (int rank = 0; rank < count; ++rank) {
          for (int64_t i = 0; i < kSent; ++i) {
            const int64_t place = (in_order ? i : i * kFactor % kSent) + kMissing;
            if (rank == ranks.rank()) at.push_back(place);
            if (place < own.first || place >= own.first + own.rows) continue;
            want_places.push_back(place - own.first);
            want.push_back(rank * kSent + i);
          }
        }
        std::vector<int64_t> rows(at.size());
        std::iota(rows.begin(), rows.end(), ranks.rank() * kSent);
        comeLate(ranks.rank(), count);
        auto route = routeOf(ranks, kPlaces, 3, at);
        REQUIRE(route);
        auto places = sendPlaces(ranks, *route);
        REQUIRE(places);
        CHECK(*places == want_places);
        std::vector<int64_t> all(route->arrived());
        REQUIRE(send(ranks, *route, reinterpret_cast<const std::byte*>(rows.data()),
                     sizeof(int64_t), reinterpret_cast<std::byte*>(all.data())));
        CHECK(all == want);
      }
      for (int64_t place : {INT64_MIN, int64_t{-1}, kPlaces, INT64_MAX}) {  // nowhere
        auto route = routeOf(ranks, kPlaces, 3, std::vector<int64_t>{place});
        REQUIRE(route);
        CHECK(route->arrived() == 0);
      }
    });
  }
}

TEST_CASE("rows of neighbours, for rings of two and more") {
  for (int count : {2, 3, 4}) {
    onThreads(count, [count](Ranks& ranks) {
      for (int round = 0; round < 10; ++round) {
        comeLate(ranks.rank(), round);
        const Block block = blockOf(100, 1, ranks.rank(), count);
        const Edges edges = edgesOf(block, 20, true, ranks.rank());
        std::vector<int64_t> rows(static_cast<size_t>(block.rows)), above(20), below(20);
        std::iota(rows.begin(), rows.end(), block.first);
        REQUIRE(exchangeEdges(ranks, edges, 160, rows.data(), rows.data() + rows.size() - 20,
                              above.data(), below.data()));
        for (int64_t i = 0; i < 20; ++i) {
          CHECK(above[static_cast<size_t>(i)] == (block.first - 20 + i + 100) % 100);
          CHECK(below[static_cast<size_t>(i)] == (block.first + block.rows + i) % 100);
        }
      }
    });
  }
}

TEST_CASE("rows through shared pages, with bells by turns") {
  for (int count : {2, 3}) {
    onThreads(count, [count](Ranks& ranks) {
      auto shared = Pages::share(ranks, 5000);
      REQUIRE(shared);
      REQUIRE(*shared != nullptr);
      Pages& pages = **shared;
      CHECK(pages.bytes() == 8192);
      const int next = (ranks.rank() + 1) % count;
      for (uint64_t turn = 1; turn <= 20; ++turn) {
        comeLate(ranks.rank(), static_cast<int>(turn));
        const size_t slot = turn % 2 * 4096;
        pages.of(ranks.rank())[slot] = static_cast<std::byte>(turn * 10 + ranks.rank());
        pages.ring(1, turn);
        REQUIRE(pages.hear(next, 1, turn));
        CHECK(pages.of(next)[slot] == static_cast<std::byte>(turn * 10 + next));
        REQUIRE(ranks.barrier());
      }
    });
  }
}

TEST_CASE("no bell of a rank that has ended") {
  onThreads(2, [](Ranks& ranks) {
    auto shared = Pages::share(ranks, 1);
    REQUIRE(shared);
    REQUIRE(ranks.barrier());
    if (ranks.isFirst()) return;  // its pages go
    CHECK(!(*shared)->hear(0, 0, 1));
  });
}

TEST_CASE("a rank that ends behind a meeting has come to it") {
  for (int job = 0; job < 400; ++job) {
    onThreads(3, [](Ranks& ranks) {
      CHECK(ranks.barrier().has_value());
      ranks.close(0);
    });
  }
}

TEST_CASE("agreement, ranks out of step, and ranks that leave") {
  onThreads(3, [](Ranks& ranks) {
    CHECK(ranks.agree(ranks.rank() == 1 ? 2 : 0, 7).value() == 2);
    CHECK(!ranks.agree(0, ranks.rank() == 1 ? 8 : 9).has_value());
    CHECK(ranks.isLost());
  });
  onThreads(3, [](Ranks& ranks) {
    if (ranks.rank() == 2) return ranks.close(1);
    CHECK(!ranks.barrier().has_value());
    CHECK(ranks.isLost());
  });
}

TEST_CASE("files that ranks pass to each other") {
  for (int count : {1, 2, 3, 5, 24}) {
    onThreads(count, [&](Ranks& ranks) {
      std::vector<FILE*> own;
      for (int round = 0; round < 3; ++round) {
        own.push_back(std::tmpfile());
        std::fprintf(own.back(), "%d", 10 * round + ranks.rank());
        std::fflush(own.back());
        const auto files = passFiles(ranks, fileno(own.back()));
        REQUIRE(files.has_value());
        REQUIRE(files->size() == static_cast<size_t>(count));
        for (int r = 0; r < count; ++r) {
          const int file = (*files)[static_cast<size_t>(r)];
          CHECK((file < 0) == (r == ranks.rank()));
          if (file < 0) continue;
          char text[16] = {};
          CHECK(pread(file, text, sizeof text - 1, 0) > 0);
          CHECK(std::string(text) == std::to_string(10 * round + r));
          close(file);
        }
      }
      for (FILE* file : own) std::fclose(file);
    });
  }
}

TEST_CASE("a rank without a file") {
  onThreads(3, [](Ranks& ranks) {
    const auto files = passFiles(ranks, ranks.rank() == 1 ? -1 : 0);
    REQUIRE(files.has_value());
    CHECK(files->empty());
  });
}

}  // namespace halo::ranks
