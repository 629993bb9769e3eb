// halo fuzz: random programs on every engine, in both float modes whose results are determined.
// The programs are test programs, so the workers of `halo test` run them, survive their crashes and
// compare. A program that fails is made smaller in the same way.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cli/commands.h"
#include "cli/fuzz/coverage.h"
#include "cli/fuzz/generator.h"
#include "cli/fuzz/shrink.h"
#include "cli/fuzzing/campaign.h"
#include "cli/fuzzing/fuzz_report.h"
#include "cli/session/testing/tester.h"
#include "gpu/plan/variants.h"

namespace halo::cli {
namespace {

namespace fs = std::filesystem;

// The outcome of one program: a smaller one must have the same kind.
struct Verdict {
  std::string kind;  // empty: fine
  std::string text;
  std::string device;
};

constexpr char kOutOfTime[] = "out of time";  // of the whole search: the program counts as not run

class Fuzz {
 public:
  Fuzz(const Common& common, const FuzzArguments& arguments,
       const std::vector<session::Backend>& backends, fs::path folder)
      : common_(common),
        arguments_(arguments),
        folder_(std::move(folder)),
        session_(sessionOptions(common)),
        mode_(session_.engine.float_mode),
        pool_(poolOptions(arguments)),
        report_(common, arguments, backends) {
    session_.team = arguments.ranks;
    options_.backends = backends;
    options_.may_fail = true;
    options_.finite_only = arguments.derivatives;
    options_.bounds_rounding = arguments.derivatives;
    options_.same_entries = arguments.metamorphic;
    options_.tells_schedules = true;
  }

  // Goes on where the campaign's last slice ended.
  std::optional<diag::Diagnostic> resume() {
    if (arguments_.state.empty()) return std::nullopt;
    const std::string variants = arguments_.every_variant ? " --every-variant" : "";
    auto opened = Campaign::open(arguments_.state, report_.options() + variants, arguments_.seed);
    if (!opened) return opened.error();
    campaign_ = std::move(*opened);
    seed_ = campaign_.nextSeed();
    report_.beginAt(seed_);
    return std::nullopt;
  }

  int run(std::chrono::steady_clock::time_point end) {
    end_ = end;
    const int total = countOf(arguments_);
    const int batch = 8 * pool_.jobs;
    for (int done = 0; done < total && !cancelFlag().isSet(); done += batch) {
      if (done > 0 && std::chrono::steady_clock::now() >= end) break;
      if (arguments_.every_variant) chooseVariant(done / batch);
      std::vector<fuzz::Program> programs;
      const uint64_t first = seed_ + static_cast<uint64_t>(done);
      for (int i = 0; i < batch && done + i < total; ++i) {
        programs.push_back(fuzz::generate(first + static_cast<uint64_t>(i), style()));
        coverage_.add(fuzz::text(programs.back()));
      }
      is_searching_ = true;
      const std::vector<Verdict> verdicts = test(programs, "seed-", first);
      is_searching_ = false;
      size_t counted = 0;
      for (; counted < verdicts.size() && !cancelFlag().isSet(); ++counted) {
        // The next slice runs it, and what comes behind it. A slice's first program is counted as
        // slow: else short slices would not get past it.
        const bool is_first = done == 0 && counted == 0;
        if (campaign_.isKept() && !is_first && verdicts[counted].kind == kOutOfTime) break;
        count(programs[counted], verdicts[counted], first + counted);
      }
      keep(campaign_.save(first + counted, tally_));
      if (common_.verbose) tell(common_, fmt::format("{} programs", finished()));
    }
    fmt::print("{} programs agree, {} differ, {} rejected\n", tally_.agree, tally_.differ,
               tally_.rejected);
    if (tally_.slow > 0) fmt::print("{} take the interpreter too long\n", tally_.slow);
    if (campaign_.isKept()) fmt::print("{}", campaign_.text(tally_));
    if (!unwritable_.empty()) return reportUnwritable(common_, arguments_.state, unwritable_);
    if (common_.verbose) std::fputs(coverage_.text().c_str(), stdout);
    const int written = report_.write(coverage_.json());
    if (written != kOk) return written;
    return tally_.differ == 0 && !cancelFlag().isSet() ? kOk : kRunTimeError;
  }

 private:
  int64_t finished() const { return tally_.agree + tally_.differ + tally_.rejected + tally_.slow; }

  // The first problem counts.
  void keep(const std::string& problem) {
    if (unwritable_.empty()) unwritable_ = problem;
  }

  // A line every few seconds, while a batch is tested.
  void tellProgress(size_t tested, size_t batch) {
    constexpr std::chrono::seconds kPause(3);
    const auto now = std::chrono::steady_clock::now();
    if (common_.quiet || now - told_ < kPause) return;
    told_ = now;
    tell(common_, fmt::format("{} programs, {} of the next {}", finished(), tested, batch));
  }

  void count(const fuzz::Program& program, const Verdict& verdict, uint64_t seed) {
    const std::string name = "seed " + std::to_string(seed);
    if (verdict.kind.empty()) {
      ++tally_.agree;
      report_.passed("halo fuzz", name);
    } else if (verdict.kind == kSlowKind) {
      ++tally_.slow;
    } else if (verdict.kind == kOutOfTime) {
      return;
    } else if (verdict.kind == "the program is rejected") {
      ++tally_.rejected;
    } else {
      ++tally_.differ;
      std::printf("---- seed %llu: %s\n", static_cast<unsigned long long>(seed),
                  verdict.kind.c_str());
      std::fflush(stdout);
      const FuzzFailure failure = least(program, verdict, seed);
      std::printf("%s\n%s\n", failure.reproducer.c_str(), failure.text.c_str());
      std::fflush(stdout);
      keep(campaign_.keep(seed, failure.reproducer));
      report_.failed("halo fuzz", name, failure);
    }
  }

  FuzzFailure least(const fuzz::Program& program, const Verdict& verdict, uint64_t seed) {
    const fuzz::Program least = smaller(program, verdict.kind);
    const Verdict again = test({least}, "least-", seed).front();
    const Verdict& last = again.text.empty() ? verdict : again;
    const std::string forced = arguments_.every_variant && !session_.engine.variant.empty()
                                   ? " --variant=" + session_.engine.variant
                                   : "";
    return {"seed " + std::to_string(seed),
            "",
            seed,
            last.text,
            "",
            report_.head(seed, forced, last.device) + fuzz::text(least, style()),
            last.device};
  }

  fuzz::Style style() const {
    if (arguments_.metamorphic) return fuzz::Style::kRewritten;
    return arguments_.derivatives ? fuzz::Style::kDerivatives : fuzz::Style::kPlain;
  }

  // Another schedule for each batch, none for the first.
  void chooseVariant(int batch) {
    const std::vector<std::string>& names = gpu::variantNames();
    const size_t which = static_cast<size_t>(batch) % (names.size() + 1);
    session_.engine.variant = which == 0 ? "" : names[which - 1];
  }

  fuzz::Program smaller(const fuzz::Program& program, const std::string& kind) {
    return fuzz::shrink(program, [&](const std::vector<fuzz::Program>& candidates) {
      std::optional<size_t> found;
      constexpr size_t kAtOnce = 16;
      for (size_t at = 0; at < candidates.size() && !found && !cancelFlag().isSet();
           at += kAtOnce) {
        const size_t end = std::min(at + kAtOnce, candidates.size());
        const auto begin = candidates.begin() + static_cast<std::ptrdiff_t>(at);
        const auto verdicts =
            test({begin, candidates.begin() + static_cast<std::ptrdiff_t>(end)}, "smaller-", 0);
        for (size_t i = 0; i < verdicts.size() && !found; ++i) {
          if (verdicts[i].kind == kind) found = at + i;
        }
      }
      return found;
    });
  }

  // In the requested float mode, and with floats in order.
  std::vector<Verdict> test(const std::vector<fuzz::Program>& programs, const std::string& stem,
                            uint64_t first) {
    std::vector<std::string> paths;
    for (size_t i = 0; i < programs.size(); ++i) {
      paths.push_back((folder_ / (stem + std::to_string(first + i) + ".fut")).string());
      std::ofstream(paths.back()) << fuzz::text(programs[i], style());
    }
    std::vector<Verdict> verdicts(programs.size());
    testIn(mode_, paths, verdicts);
    // Reverse mode adds up in an order of its own, in any float mode.
    if (!arguments_.derivatives) testIn(engine::FloatMode::kStrict, paths, verdicts);
    if (arguments_.keep.empty()) {
      for (const std::string& path : paths) fs::remove(path);
    }
    return verdicts;
  }

  void testIn(engine::FloatMode mode, const std::vector<std::string>& paths,
              std::vector<Verdict>& verdicts) {
    session_.engine.float_mode = mode;
    const char* note = mode == engine::FloatMode::kStrict ? "with --fp=strict: " : "";
    size_t next = 0;
    session::PoolOptions pool = pool_;
    if (is_searching_) pool.until = end_;  // findings are made smaller all the same
    session::testPrograms(paths, session_, options_, pool,
                          [&](const std::string&, const session::TestReport& report) {
                            Verdict& verdict = verdicts[next++];
                            if (is_searching_) {
                              coverage_.addSchedules(report.schedules);
                              tellProgress(next, paths.size());
                            }
                            if (report.failed == 0 || !verdict.kind.empty()) return;
                            verdict = {kindOf(report.failures.front()),
                                       note + report.failures.front(), report.device};
                          });
    for (; next < verdicts.size(); ++next) {
      if (verdicts[next].kind.empty()) verdicts[next].kind = kOutOfTime;
    }
  }

  const Common& common_;
  const FuzzArguments& arguments_;
  fs::path folder_;
  session::SessionOptions session_;
  engine::FloatMode mode_;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
  session::TestOptions options_;
  const session::PoolOptions pool_;
  FuzzReport report_;
  fuzz::Coverage coverage_;
  std::chrono::steady_clock::time_point end_;
  bool is_searching_ = false;  // not shrinking: its runs count as covered
  Campaign campaign_;
  uint64_t seed_ = arguments_.firstSeed();  // of the first program
  Tally tally_;
  std::string unwritable_;
};

}  // namespace

int fuzz(const Common& common, const FuzzArguments& arguments) {
  source::Files none;
  auto backends = backendList(arguments.backends);
  if (!backends) return report(common, none, backends.error());
  auto end = endOf(arguments.until);
  if (!end) return report(common, none, end.error());
  if (!arguments.programs.empty() && !arguments.mutate) {
    return fuzzPrograms(common, arguments, *backends);
  }
  std::error_code error;
  fs::path folder = arguments.keep;
  if (folder.empty()) {  // new, so nothing can be there yet
    std::string name = (fs::temp_directory_path(error) / "halo-fuzz-XXXXXX").string();
    if (!error && mkdtemp(name.data()) == nullptr) error.assign(errno, std::generic_category());
    folder = name;
  } else {
    fs::create_directories(folder, error);
  }
  if (error) {
    return reportUnwritable(common, folder.is_absolute() ? folder.string() : "$TMPDIR",
                            error.message());
  }
  int status = kOk;
  if (arguments.mutate) {
    status = fuzzMutations(common, arguments, *backends, folder.string(), *end);
  } else {
    Fuzz fuzz(common, arguments, *backends, folder);
    const auto problem = fuzz.resume();
    status = problem ? report(common, none, *problem) : fuzz.run(*end);
  }
  if (arguments.keep.empty()) fs::remove_all(folder, error);
  return status;
}

}  // namespace halo::cli
