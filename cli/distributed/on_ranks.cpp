// When an entry is cut, and the two ways to run it: on the ranks of a job, or on threads.
#include "cli/distributed/on_ranks.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "lang/ad/differentiate.h"
#include "lang/base/stack.h"
#include "lang/core/text.h"
#include "lang/engine/failure.h"
#include "lang/engine/regroup.h"
#include "lang/passes/parts.h"
#include "lang/passes/pipeline.h"
#include "lang/passes/ranks/checkpoint.h"
#include "lang/passes/ranks/shard.h"
#include "lang/passes/simplify/simplify.h"
#include "lang/ranks/shared_memory.h"

namespace halo::distributed {
namespace {

using value::Value;
using End = Outcome::End;

constexpr int64_t kWorthCutting = 256 * 1024;  // bytes of arguments

// HALO_CUT=always cuts small arguments, too, for tests; =never compares.
bool isWorthCutting(const std::vector<Value>& leaves) {
  const char* asked = std::getenv("HALO_CUT");
  if (asked != nullptr && std::strcmp(asked, "always") == 0) return true;
  if (asked != nullptr && std::strcmp(asked, "never") == 0) return false;
  int64_t bytes = 0;
  bool has_arrays = false;
  for (const Value& leaf : leaves) {
    const value::Array* array = leaf.array();
    if (array == nullptr) continue;
    has_arrays = true;
    bytes += array->elements() * prim::byteSize(array->type());
  }
  return !has_arrays || bytes >= kWorthCutting;
}

diag::Result<core::Program> sharedProgram(const Entry& entry) {
  auto lowered = ad::lower(*entry.program, entry.def);
  if (!lowered) return tl::unexpected(lowered.error());
  passes::RunOptions run;
  run.verify = entry.options.verify;
  run.after = [&](const passes::PassRow& row, double milliseconds, const core::Program& before) {
    if (entry.options.time_pass) entry.options.time_pass(row.name, milliseconds);
    (void)before;
  };
  return passes::run(passes::rows(passes::Pipeline::kShared), *lowered, run);
}

// The loops of the entry in pieces.
diag::Result<core::Program> withCheckpoints(const Entry& entry, const core::Program& shared) {
  int loops = 0;
  core::Program program = passes::checkpoint(shared, &loops);
  if (entry.options.verify) passes::mustVerify(program, "checkpoint");
  if (loops > 0) return program;
  return diag::fail(diag::Code::engine_unsupported, entry.program->defs[entry.def].span,
                    "no checkpoint can be written: this entry has no loop at its outermost level",
                    {"loops inside of other loops, of branches and of maps are not interrupted",
                     "loops whose carried arrays change their shapes are not either"});
}

// The program that each of several ranks runs, or, not `is_shared`, the only one.
diag::Result<core::Program> cutProgram(const Entry& entry, core::Program program,
                                       bool is_shared = true) {
  if (entry.checkpoints.isAsked()) {
    auto pieces = withCheckpoints(entry, program);
    if (!pieces) return pieces;
    program = std::move(*pieces);
  }
  std::vector<std::string> decisions;
  if (is_shared) program = passes::shard(program, entry.cutting, &decisions);
  program = passes::simplify(program);
  if (entry.options.verify) passes::mustVerify(program, "shard");
  program = passes::parts(program);
  if (entry.options.verify) passes::mustVerify(program, "parts");
  if (entry.options.explain) {
    for (const std::string& decision : decisions) entry.options.explain("ranks: " + decision);
  }
  return program;
}

diag::Diagnostic lostRank(const std::string& text) {
  return diag::fail(diag::Code::device_failure, {}, text).value();
}

class OnRanks final : public engine::Prepared {
 public:
  // `lone`: the ranks of a process by itself; `checkpoints`: null if none are asked for.
  OnRanks(Entry entry, core::Program program, ranks::Ranks* ranks,
          std::unique_ptr<Checkpoints> checkpoints)
      : entry_(std::move(entry)),
        lone_(ranks == nullptr ? ranks::threadRanks(1) : Lone()),
        checkpoints_(std::move(checkpoints)),
        program_(std::move(program), entry_.prepare, ranks == nullptr ? *lone_[0] : *ranks,
                 entry_.copies == nullptr ? nullptr : entry_.copies(), checkpoints_.get(),
                 ranks == nullptr ? nullptr : entry_.results),
        is_shared_(program_.hasMoves()) {}

  diag::Result<std::vector<Value>> call(const std::vector<Value>& arguments,
                                        const engine::CallContext& context) override {
    std::vector<Value> leaves = engine::flattenArguments(arguments);
    was_cut_ = checkpoints_ != nullptr || (is_shared_ && isWorthCutting(leaves));
    if (!was_cut_) return entry_.whole->call(arguments, context);
    const auto start = std::chrono::steady_clock::now();
    Outcome outcome = program_.call(leaves, context.cancel);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    run_ms_ = time.count();
    switch (outcome.end) {
      case End::kResults:
        tellTraffic();
        return engine::regroupResults(*entry_.program, entry_.def, outcome.leaves);
      case End::kFailed:  // with the diagnostic of one rank
        if (!lone_.empty()) return diag::Failure(*outcome.diagnostic);
        was_cut_ = false;
        return entry_.whole->call(arguments, context);
      case End::kInterrupted:
        return diag::Failure(engine::describeFailure(diag::Code::interrupted, {}, {}));
      case End::kFile:  // the first rank says why
        if (outcome.diagnostic) return diag::Failure(*outcome.diagnostic);
        return diag::Failure(lostRank("the first rank has no file"));
      case End::kLost:
        break;
    }
    return diag::Failure(lostRank(outcome.text));
  }

  engine::CallTimes lastTimes() const override {
    engine::CallTimes times = entry_.whole->lastTimes();
    if (was_cut_) times.run_ms = run_ms_;
    return times;
  }

 private:
  void tellTraffic() const {
    if (!entry_.options.verbose || !entry_.options.log) return;
    const Traffic& traffic = program_.rows().traffic();
    entry_.options.log(fmt::format("ranks: {} moves, {} bytes sent by each rank",
                                   traffic.moves + traffic.exchanges, traffic.bytes));
    entry_.options.log(
        fmt::format("ranks: of the host {:.3f} ms in parts, {:.3f} in agreements, {:.3f} for own "
                    "rows, {:.3f} in messages",
                    traffic.parts_ms, traffic.agree_ms, traffic.rows_ms, traffic.message_ms));
    if (program_.allGather().hasWindows()) {
      entry_.options.log("ranks: rows for all go from device to device by windows");
    }
    if (traffic.exchanges == 0) return;
    entry_.options.log(
        fmt::format("ranks: {} exchanges of neighbours' rows by {} took {:.3f} ms of the host",
                    traffic.exchanges, program_.rows().way(), traffic.exchange_ms));
  }

  using Lone = std::vector<std::unique_ptr<ranks::Ranks>>;

  Entry entry_;
  Lone lone_;
  std::unique_ptr<Checkpoints> checkpoints_;
  RankProgram program_;
  bool is_shared_;
  bool was_cut_ = false;
  double run_ms_ = 0;
};

// Whether the first result is one array, which rows of a file can be.
bool isArrayFirst(const types::Program& program, types::DefId def) {
  value::Form form = engine::formOf(program, program.defs[def].result);
  const bool is_tuple = form.is_record && !form.names.empty() && form.names[0] == "0";
  if (is_tuple) form = value::Form(form.fields[0]);
  return !form.is_record && form.sum == nullptr;
}

// ---- threads

// Reads of rows take no lock, so no rank may see an array that only the device has.
class OnThreads final : public engine::Prepared {
 public:
  OnThreads(Entry entry, const core::Program& program, const std::vector<int>& counts)
      : entry_(std::move(entry)) {
    for (int count : counts) {
      Team team{ranks::threadRanks(count), {}};
      for (const auto& rank : team.ranks) {
        team.programs.push_back(
            std::make_unique<RankProgram>(program, alone(), *rank, engine::hostPageCopies()));
      }
      teams_.push_back(std::move(team));
    }
  }

  diag::Result<std::vector<Value>> call(const std::vector<Value>& arguments,
                                        const engine::CallContext& context) override {
    auto want = entry_.whole->call(arguments, context);
    auto leaves = value::toHost(engine::flattenArguments(arguments));
    if (!leaves) return tl::unexpected(leaves.error());
    for (Team& team : teams_) {
      if (auto difference = compare(team, want, *leaves, context)) {
        return diag::fail(diag::Code::engines_disagree, {},
                          fmt::format("on {} ranks {}", team.ranks.size(), *difference));
      }
    }
    return want;
  }
  engine::CallTimes lastTimes() const override { return entry_.whole->lastTimes(); }

 private:
  struct Team {
    std::vector<std::unique_ptr<ranks::Ranks>> ranks;
    std::vector<std::unique_ptr<RankProgram>> programs;
  };

  // An engine has one stream of work to its device, and lends it to one thread at a time.
  PreparePart alone() {
    class Part final : public engine::Prepared {
     public:
      Part(std::unique_ptr<engine::Prepared> part, std::mutex& mutex)
          : part_(std::move(part)), mutex_(mutex) {}
      diag::Result<std::vector<Value>> call(const std::vector<Value>& arguments,
                                            const engine::CallContext& context) override {
        const std::lock_guard lock(mutex_);
        auto results = part_->call(arguments, context);
        if (!results) return results;
        return value::toHost(std::move(*results));
      }

     private:
      std::unique_ptr<engine::Prepared> part_;
      std::mutex& mutex_;
    };
    return [this](const core::Program& program,
                  const std::string& name) -> diag::Result<std::unique_ptr<engine::Prepared>> {
      const std::lock_guard lock(mutex_);
      auto part = entry_.prepare(program, name);
      if (!part) return part;
      return std::make_unique<Part>(std::move(*part), mutex_);
    };
  }

  std::vector<Outcome> run(Team& team, const std::vector<Value>& leaves,
                           const engine::CallContext& context) const {
    std::vector<Outcome> outcomes(team.ranks.size());
    std::vector<std::thread> threads;
    for (size_t r = 0; r < outcomes.size(); ++r) {
      threads.emplace_back([&, r] {
        base::onLargeStack([&] { outcomes[r] = team.programs[r]->call(leaves, context.cancel); });
        if (outcomes[r].end == End::kLost) team.ranks[r]->close(1);
      });
    }
    for (std::thread& thread : threads) thread.join();
    return outcomes;
  }

  std::optional<std::string> compare(Team& team, const diag::Result<std::vector<Value>>& want,
                                     const std::vector<Value>& leaves,
                                     const engine::CallContext& context) const {
    const std::vector<Outcome> outcomes = run(team, leaves, context);
    std::vector<Value> expected;
    if (want) {
      for (const Value& value : *want) {
        for (Value& leaf : value::flatten(value)) expected.push_back(std::move(leaf));
      }
    }
    for (size_t r = 0; r < outcomes.size(); ++r) {
      const Outcome& outcome = outcomes[r];
      if (outcome.end == End::kLost) return fmt::format("rank {} ends: {}", r, outcome.text);
      if (outcome.end != outcomes[0].end) return "ranks end differently";
      if (outcome.end != End::kResults) continue;  // then the entry runs whole
      if (!want) return fmt::format("there are results, on one: {}", want.error().message);
      for (size_t i = 0; i < expected.size(); ++i) {
        if (auto difference = value::firstDifference(expected[i], outcome.leaves.at(i), {})) {
          return fmt::format("rank {} has another result {}: {}", r, i, *difference);
        }
      }
    }
    return std::nullopt;
  }

  Entry entry_;
  std::vector<Team> teams_;
  std::mutex mutex_;
};

}  // namespace

diag::Result<std::unique_ptr<engine::Prepared>> prepareOnRanks(Entry entry, ranks::Ranks* ranks) {
  auto shared = sharedProgram(entry);
  if (!shared) return tl::unexpected(shared.error());
  std::unique_ptr<Checkpoints> checkpoints;
  if (entry.checkpoints.isAsked()) {
    checkpoints =
        std::make_unique<Checkpoints>(entry.checkpoints, entry.engine, core::print(*shared));
  }
  auto program = cutProgram(entry, std::move(*shared), ranks != nullptr);
  if (!program) return tl::unexpected(program.error());
  if (entry.results != nullptr && !isArrayFirst(*entry.program, entry.def)) {
    entry.results->file.clear();
  }
  return std::make_unique<OnRanks>(std::move(entry), std::move(*program), ranks,
                                   std::move(checkpoints));
}

diag::Result<std::unique_ptr<engine::Prepared>> prepareOnThreads(Entry entry,
                                                                 std::vector<int> counts) {
  auto shared = sharedProgram(entry);
  if (!shared) return tl::unexpected(shared.error());
  auto program = cutProgram(entry, std::move(*shared));
  if (!program) return tl::unexpected(program.error());
  return std::make_unique<OnThreads>(std::move(entry), *program, counts);
}

}  // namespace halo::distributed
