// Programs on several ranks against the same programs on one: by the evaluator, a thread a rank.
// Small programs with a place for each rule of `shard`; then all programs of the execution tests.
#include "lang/passes/ranks/shard.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <numeric>
#include <thread>

#include "lang/core/evaluate/evaluate.h"
#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/passes/parts.h"
#include "lang/passes/pipeline.h"
#include "lang/passes/ranks/checkpoint.h"
#include "lang/passes/simplify/simplify.h"
#include "lang/ranks/route.h"
#include "lang/ranks/shared_memory.h"
#include "tests/golden.h"

namespace halo::passes {
namespace {

using core::Datum;
using core::Evaluation;
using core::Move;
using Data = std::vector<Datum>;

// ---- moves of the evaluator's values

class Mover {
 public:
  // Of a loop, behind some of its steps: their number, then the carried values.
  struct Checkpoint {
    int64_t loop;
    Data values;
  };
  static constexpr int64_t kSteps = 2;  // of a piece

  explicit Mover(ranks::Ranks& ranks) : ranks_(ranks) {}
  std::vector<Checkpoint> saved, resumed;

  std::optional<Data> operator()(Move move, const Data& args) {
    switch (move) {
      case Move::kBlock: {
        const ranks::Block block = own(args[0], args[1]);
        return Data{number(block.first), number(block.rows), number(block.smallest)};
      }
      case Move::kRows: {
        const size_t row = rowOf(args[2]);
        const auto first = args[2].bits->begin() +
                           static_cast<std::ptrdiff_t>(static_cast<size_t>(value(args[0])) * row);
        const auto count = static_cast<std::ptrdiff_t>(static_cast<size_t>(value(args[1])) * row);
        return Data{withRows(args[2], value(args[1]), {first, first + count})};
      }
      case Move::kEdges:
        return edges(args);
      case Move::kGhost:
        return ghosts(args);
      case Move::kWhole:
        return whole(args);
      case Move::kEach:
        return each(args, ranks_.count());
      case Move::kBefore:
        return each(args, ranks_.rank());
      case Move::kJoin:
        return join(args);
      case Move::kRoute:
        return route(args);
      case Move::kPaste:
        return paste(args);
      case Move::kRenew:
        return renew(args);
      case Move::kResume:
        return resume(args);
      case Move::kSteps:
        return Data{number(std::min(value(args[1]), kSteps))};
      case Move::kSave:
        saved.push_back({value(args[0]), {args.begin() + 3, args.end()}});
        saved.back().values.insert(saved.back().values.begin(), args[1]);
        return Data{args[1]};
    }
    return std::nullopt;
  }

 private:
  static Datum number(int64_t i) { return Datum::of(prim::Scalar::ofI64(i)); }
  static int64_t value(const Datum& datum) { return datum.scalar().asSigned(); }
  ranks::Block own(const Datum& n, const Datum& least) const {
    return ranks::blockOf(value(n), value(least), ranks_.rank(), ranks_.count());
  }

  Data resume(const Data& args) const {
    for (const Checkpoint& one : resumed) {
      if (one.loop == value(args[0])) return one.values;
    }
    Data start = args;
    start[0] = number(0);
    return start;
  }

  Data edges(const Data& args) const {
    const ranks::Block block = own(args[0], args[1]);
    const ranks::Edges edges =
        ranks::edgesOf(block, value(args[2]), args[3].scalar().asBool(), ranks_.rank());
    return {number(edges.above), number(edges.below), number(edges.before), number(edges.behind),
            number(edges.above + block.rows + edges.below)};
  }

  static size_t rowOf(const Datum& array) {
    size_t count = 1;
    for (size_t i = 1; i < array.shape.size(); ++i) count *= static_cast<size_t>(array.shape[i]);
    return count;
  }
  static Datum withRows(const Datum& like, int64_t rows, std::vector<uint64_t> bits) {
    std::vector<int64_t> shape = like.shape;
    shape[0] = rows;
    return Datum::of(like.type, shape, std::move(bits));
  }

  std::optional<Data> ghosts(const Data& args) {
    const auto k = static_cast<size_t>(value(args[0]));
    const int64_t above = value(args[1]), below = value(args[2]);
    Data results;
    for (size_t i = 5; i < args.size(); ++i) {
      const size_t row = rowOf(args[i]), rows = args[i].bits->size() / std::max<size_t>(row, 1);
      std::vector<uint64_t> mine = *args[i].bits, a(static_cast<size_t>(above) * row),
                            b(static_cast<size_t>(below) * row);
      CHECK((row == 0 || (above == 0 && below == 0) || rows >= k));
      const ranks::Edges edges{above, below, value(args[3]), value(args[4])};
      const uint64_t* last = mine.data() + (mine.size() - std::min(mine.size(), k * row));
      if (!ranks::exchangeEdges(ranks_, edges, k * row * 8, mine.data(), last, a.data(),
                                b.data())) {
        return std::nullopt;
      }
      results.push_back(withRows(args[i], above, std::move(a)));
      results.push_back(withRows(args[i], below, std::move(b)));
    }
    return results;
  }

  std::optional<Data> renew(const Data& args) {
    const int64_t above = value(args[1]), below = value(args[2]);
    Data own = args, results;
    for (size_t i = 5; i < args.size(); ++i) {
      const int64_t row = static_cast<int64_t>(rowOf(args[i]));
      const auto begin = args[i].bits->begin() + above * row;
      const auto end = args[i].bits->end() - below * row;
      own[i] = withRows(args[i], args[i].shape[0] - above - below, {begin, end});
    }
    const std::optional<Data> theirs = ghosts(own);
    if (!theirs) return std::nullopt;
    for (size_t i = 5; i < args.size(); ++i) {
      const int64_t last = args[i].shape[0] - below;
      const Data first = paste({number(0), args[i], theirs->at(2 * (i - 5))});
      results.push_back(paste({number(last), first[0], theirs->at(2 * (i - 5) + 1)})[0]);
    }
    return results;
  }

  static Data paste(const Data& args) {
    std::vector<uint64_t> bits = *args[1].bits;
    const size_t first = static_cast<size_t>(value(args[0])) * rowOf(args[1]);
    CHECK(first + args[2].bits->size() <= bits.size());
    std::copy(args[2].bits->begin(), args[2].bits->end(),
              bits.begin() + static_cast<std::ptrdiff_t>(first));
    std::vector<int64_t> shape = args[1].shape;
    return {Datum::of(args[1].type, shape, std::move(bits))};
  }

  std::optional<Data> whole(const Data& args) {
    const int64_t n = std::max<int64_t>(value(args[0]), 0);
    Data results;
    for (size_t i = 2; i < args.size(); ++i) {
      const size_t row = rowOf(args[i]);
      std::vector<uint64_t> bytes;
      for (int r = 0; r < ranks_.count(); ++r) {
        const auto block = ranks::blockOf(value(args[0]), value(args[1]), r, ranks_.count());
        bytes.push_back(static_cast<uint64_t>(block.rows) * row * 8);
      }
      std::vector<uint64_t> all(static_cast<size_t>(n) * row);
      if (!ranks_.gather(args[i].bits->data(), bytes, all.data())) return std::nullopt;
      results.push_back(withRows(args[i], n, std::move(all)));
    }
    return results;
  }

  std::optional<Data> each(const Data& args, int kept) {
    Data results{number(kept)};
    for (const Datum& datum : args) {
      std::vector<uint64_t> all(datum.bits->size() * static_cast<size_t>(ranks_.count()));
      if (!ranks_.gather(datum.bits->data(), datum.bits->size() * 8, all.data())) {
        return std::nullopt;
      }
      std::vector<int64_t> shape = datum.shape;
      shape.insert(shape.begin(), kept);
      all.resize(datum.bits->size() * static_cast<size_t>(kept));
      results.push_back(Datum::of(datum.type, shape, std::move(all)));
    }
    return results;
  }

  std::optional<Data> join(const Data& args) {
    std::vector<int64_t> rows(static_cast<size_t>(ranks_.count()));
    if (!ranks_.gather(args[0].shape.data(), sizeof(int64_t), rows.data())) return std::nullopt;
    const int64_t count = std::accumulate(rows.begin(), rows.end(), int64_t{0});
    Data results{number(count)};
    for (const Datum& datum : args) {
      std::vector<uint64_t> bytes;
      for (int64_t one : rows) bytes.push_back(static_cast<uint64_t>(one) * rowOf(datum) * 8);
      std::vector<uint64_t> all(static_cast<size_t>(count) * rowOf(datum));
      if (!ranks_.gather(datum.bits->data(), bytes, all.data())) return std::nullopt;
      results.push_back(withRows(datum, count, std::move(all)));
    }
    return results;
  }

  std::optional<Data> route(const Data& args) {
    std::vector<int64_t> at;
    for (uint64_t bits : *args[2].bits) at.push_back(static_cast<int64_t>(bits));
    auto route = ranks::routeOf(ranks_, value(args[0]), value(args[1]), at);
    if (!route) return std::nullopt;
    const auto arrived = static_cast<int64_t>(route->arrived());
    auto places = ranks::sendPlaces(ranks_, *route);
    if (!places) return std::nullopt;
    Data results{number(arrived),
                 Datum::of(args[2].type, {arrived}, {places->begin(), places->end()})};
    for (size_t i = 3; i < args.size(); ++i) {
      const size_t row = rowOf(args[i]);
      std::vector<uint64_t> all(route->arrived() * row);
      const auto sent =
          ranks::send(ranks_, *route, reinterpret_cast<const std::byte*>(args[i].bits->data()),
                      row * sizeof(uint64_t), reinterpret_cast<std::byte*>(all.data()));
      if (!sent) return std::nullopt;
      results.push_back(withRows(args[i], arrived, std::move(all)));
    }
    return results;
  }

  ranks::Ranks& ranks_;
};

std::vector<Evaluation> onRanks(const core::Program& program, const std::string& entry,
                                const Data& arguments, int count) {
  std::vector<std::unique_ptr<ranks::Ranks>> ranks = ranks::threadRanks(count, 4096);
  std::vector<Evaluation> ends(static_cast<size_t>(count));
  std::vector<std::thread> threads;
  for (size_t r = 0; r < ends.size(); ++r) {
    threads.emplace_back([&, r] {
      Mover mover(*ranks[r]);
      ends[r] = core::evaluate(program, entry, arguments, 200000,
                               [&](Move move, const Data& data) { return mover(move, data); });
      ranks[r]->close(ends[r].end == Evaluation::End::kResults ? 0 : 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return ends;
}

core::Program parsed(const std::string& text) {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", text));
  REQUIRE_MESSAGE(program.has_value(), (program ? "" : program.error().message));
  auto verified = core::verify(*program);
  REQUIRE_MESSAGE(verified.has_value(), (verified ? "" : verified.error().message));
  return std::move(*program);
}

core::Program verified(core::Program program, const char* when) {
  auto verified = core::verify(program);
  std::string report = when;
  if (!verified) {
    report += ": " + verified.error().message;
    for (const std::string& note : verified.error().notes) report += "\n" + note;
    report += "\n" + core::print(program);
  }
  REQUIRE_MESSAGE(verified.has_value(), report);
  return program;
}

std::string entryOf(const core::Program& program) {
  for (const core::Function& function : program.functions) {
    if (function.is_entry) return function.name;
  }
  return "";
}

// Each checkpoint of a call continues to the results of the call: the newest of each loop.
void checkResumed(const core::Program& before, const core::Program& pieces, uint64_t seeds) {
  const std::string entry = entryOf(before);
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const Data arguments = core::randomArguments(before, entry, seed);
    const Evaluation want = core::evaluate(before, entry, arguments);
    if (want.end != Evaluation::End::kResults) continue;
    auto alone = ranks::threadRanks(1, 4096);
    auto run = [&](Mover& mover) {
      const Evaluation got =
          core::evaluate(pieces, entry, arguments, 200000,
                         [&](Move move, const Data& data) { return mover(move, data); });
      REQUIRE_MESSAGE(got.end == Evaluation::End::kResults, (got.text + core::print(pieces)));
      CHECK(got.results == want.results);
    };
    Mover first(*alone[0]);
    run(first);
    for (size_t i = 0; i < first.saved.size(); ++i) {
      Mover second(*alone[0]);
      second.resumed.assign(first.saved.rend() - static_cast<std::ptrdiff_t>(i) - 1,
                            first.saved.rend());
      run(second);
    }
  }
}

// With sizes that are no more than the ranks, and others.
void checkOnRanks(const core::Program& before, const core::Program& after, uint64_t seeds) {
  const std::string entry = entryOf(before);
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const Data arguments = core::randomArguments(before, entry, seed);
    const Evaluation want = core::evaluate(before, entry, arguments);
    if (want.end != Evaluation::End::kResults) continue;  // the whole program is run then
    for (int count : {1, 2, 3, 4}) {
      const std::vector<Evaluation> got = onRanks(after, entry, arguments, count);
      bool failed = false;  // in a ghost row
      for (const Evaluation& one : got) failed = failed || one.end == Evaluation::End::kFailed;
      if (failed) continue;
      for (size_t r = 0; r < got.size(); ++r) {
        CAPTURE(seed);
        CAPTURE(count);
        CAPTURE(r);
        REQUIRE_MESSAGE(got[r].end == Evaluation::End::kResults,
                        (got[r].text + "\n" + core::print(after)));
        REQUIRE_MESSAGE(got[r].results == want.results, core::print(after));
      }
    }
  }
}

}  // namespace

// tests/core/passes/shard/*.core, with the expected text beside them.
TEST_CASE("programs in rows") {
  int count = 0;
  for (const std::filesystem::path& path : test::sorted("tests/core/shard")) {
    if (path.extension() != ".core") continue;
    CAPTURE(path);
    const std::string source = test::readFile(path);
    const core::Program before = parsed(source);
    const core::Program after = verified(simplify(verified(shard(before), "shard")), "simplify");
    const std::string text = core::print(after);
    CHECK(core::print(parsed(text)) == text);
    std::filesystem::path golden = path;
    test::checkGolden(golden.replace_extension(".exp"), test::commentHead(source) + text);
    checkOnRanks(before, after, 12);
    checkOnRanks(before, verified(parts(after), "parts"), 4);
    ++count;
  }
  CHECK(count > 5);
}

// The same for engines that compute while rows are on their way; the text of loops in cycles.
TEST_CASE("programs in rows, beside their messages") {
  int count = 0;
  for (const std::filesystem::path& path : test::sorted("tests/core/shard")) {
    if (path.extension() != ".core") continue;
    CAPTURE(path);
    const std::string source = test::readFile(path);
    const core::Program before = parsed(source);
    ShardOptions options;
    options.goes_beside = true;
    const core::Program after =
        verified(simplify(verified(shard(before, options), "shard")), "simplify");
    const std::string text = core::print(after);
    CHECK(core::print(parsed(text)) == text);
    checkOnRanks(before, after, 12);
    checkOnRanks(before, verified(parts(after), "parts"), 4);
    const bool has_rows = text.find("move.paste") != std::string::npos ||
                          text.find("move.renew") != std::string::npos;
    if (!has_rows) continue;
    const std::filesystem::path golden =
        std::filesystem::path("tests/core/shard_beside") / path.filename();
    test::checkGolden(std::filesystem::path(golden).replace_extension(".exp"), text);
    ++count;
  }
  CHECK(count > 1);
}

// The same for an engine that sums in chunks, rows by the number of them all, and short steps in
// another way: texts of tests/core/shard_chunks.
TEST_CASE("programs in rows, their sums in chunks") {
  int count = 0;
  for (const char* folder : {"tests/core/shard", "tests/core/shard_chunks"}) {
    for (const std::filesystem::path& path : test::sorted(folder)) {
      if (path.extension() != ".core") continue;
      CAPTURE(path);
      const std::string source = test::readFile(path);
      const core::Program before = parsed(source);
      ShardOptions options;
      options.cuts_inner_sums = false;
      options.sums = ShardOptions::Order::kChunks;
      options.short_step = 1;
      const core::Program after =
          verified(simplify(verified(shard(before, options), "shard")), "simplify");
      const core::Program cut = verified(parts(after), "parts");
      CHECK(core::print(parsed(core::print(after))) == core::print(after));
      CHECK(core::print(parsed(core::print(cut))) == core::print(cut));
      checkOnRanks(before, after, 12);
      checkOnRanks(before, cut, 4);
      if (path.parent_path().filename() == "shard") continue;
      std::filesystem::path golden = path;
      test::checkGolden(golden.replace_extension(".exp"),
                        test::commentHead(source) + core::print(cut));
      ++count;
    }
  }
  CHECK(count > 2);
}

// Loops that gather rows at each step however short it is, on both kinds of engines.
TEST_CASE("programs in rows, gathered in loops") {
  for (const std::filesystem::path& path : test::sorted("tests/core/shard_gathers")) {
    if (path.extension() != ".core") continue;
    CAPTURE(path);
    const std::string source = test::readFile(path);
    const core::Program before = parsed(source);
    for (const auto sums : {ShardOptions::Order::kLanes, ShardOptions::Order::kChunks}) {
      ShardOptions options;
      options.min_gathered_work = 1;
      options.sums = sums;
      options.cuts_inner_sums = sums == ShardOptions::Order::kLanes;
      const core::Program after =
          verified(simplify(verified(shard(before, options), "shard")), "simplify");
      checkOnRanks(before, after, 12);
      checkOnRanks(before, verified(parts(after), "parts"), 4);
      if (sums != ShardOptions::Order::kLanes) continue;
      std::filesystem::path golden = path;
      test::checkGolden(golden.replace_extension(".exp"),
                        test::commentHead(source) + core::print(after));
    }
  }
}

// tests/core/checkpoint/*.core, and the programs above.
TEST_CASE("loops in pieces") {
  int pieces = 0;
  for (const char* folder : {"tests/core/checkpoint", "tests/core/shard"}) {
    for (const std::filesystem::path& path : test::sorted(folder)) {
      if (path.extension() != ".core") continue;
      CAPTURE(path);
      const std::string source = test::readFile(path);
      const core::Program before = parsed(source);
      int loops = 0;
      const core::Program after = verified(checkpoint(before, &loops), "checkpoint");
      pieces += loops;
      if (path.parent_path().filename() == "checkpoint") {
        std::filesystem::path golden = path;
        test::checkGolden(golden.replace_extension(".exp"),
                          test::commentHead(source) + core::print(after));
      }
      checkResumed(before, after, 6);
      checkOnRanks(before, verified(simplify(shard(after)), "shard"), 4);
    }
  }
  CHECK(pieces > 5);
}

}  // namespace halo::passes
