// halo bench: measures the cases of test blocks as Futhark's bench does. Arguments are in the
// engine's memory before the clock starts, results stay there. One warm-up run does not count. Then
// come at least N runs and half a second, then more until their mean is certain
// (cli/bench/statistics.h). Read Bench from runFile on; `bench` at the end puts results together.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "cli/bench/compare.h"
#include "cli/bench/results.h"
#include "cli/bench/statistics.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "cli/session/imports.h"
#include "cli/session/testing/programs.h"
#include "cli/session/testing/tester.h"
#include "cli/session/values/case_arguments.h"
#include "gpu/engine.h"
#include "lang/base/files.h"
#include "lang/engine/regroup.h"
#include "lang/value/format.h"

namespace halo::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Values = std::vector<value::Value>;

constexpr double kMinSpan = 10;         // microseconds that the clock measures well
constexpr size_t kMaxRuns = 1'000'000;  // of one data set

double microsecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

// `1234567` as `1,234,567`.
std::string withMarks(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  for (auto at = static_cast<ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<size_t>(at), ",");
  }
  return digits;
}

std::string inOneLine(const std::string& text, size_t most) {
  std::string line;
  for (char c : text) {
    const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (is_space && (line.empty() || line.back() == ' ')) continue;
    line += is_space ? ' ' : c;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line.size() > most ? line.substr(0, most) + "..." : line;
}

// Futhark's name of a data set: its own, the types of random values, the file, or the beginning of
// the values.
std::string nameOf(const session::TestCase& test) {
  if (!test.name.starts_with('#')) return test.name;
  switch (test.input.kind) {
    case session::SourceKind::kRandom:
      return inOneLine(test.input.text, 1000);
    case session::SourceKind::kFile:
    case session::SourceKind::kScriptFile: {
      const std::filesystem::path path = test.input.text;
      return path.extension() == ".gz" ? path.stem().string() : path.string();
    }
    default:
      return fmt::format("{} (\"{}\")", test.name, inOneLine(test.input.text, 50));
  }
}

double bytesOf(const Values& values) {
  double bytes = 0;
  for (const value::Value& leaf : engine::flattenArguments(values)) {
    if (const value::Array* array = leaf.array()) {
      bytes += static_cast<double>(array->elements()) *
               static_cast<double>(prim::byteSize(array->type()));
    }
  }
  return bytes;
}

// One data set of one entry on one engine.
struct Case {
  session::Session& session;
  engine::Prepared& prepared;
  Values arguments;
};

class Bench {
 public:
  Bench(const Common& common, const BenchArguments& arguments, session::Backend backend)
      : common_(common), arguments_(arguments), backend_(backend) {
    if (arguments.timeout > 0) common_.time_limit = arguments.timeout;
  }

  // 0, or the status of the failure.
  int runFile(const std::string& path) {
    session::SessionOptions options = sessionOptions(common_);
    // The measured code must not change under way.
    if (common_.tier == "auto") options.engine.tier = engine::Tier::kOptimised;
    if (common_.has_tuning) options.tuning = common_.tuning;
    session::Session session(std::move(options));
    diag::Sink sink;
    auto loaded = session.load(path, sink);
    if (!loaded) return report(common_, session.files(), sink);
    auto blocks = blocksOf(session, *loaded);
    if (!blocks) return report(common_, session.files(), blocks.error());
    if (isExcluded(*blocks)) return kOk;
    int status = kOk;
    for (const session::TestBlock& block : blocks->blocks) {
      for (const std::string& name : block.entries) {
        if (!arguments_.entry.empty() && arguments_.entry != name) continue;
        status = std::max(status, runEntry(session, *loaded, path, name, block));
        if (is_stopped_) return status;
      }
    }
    return std::max(status, reportProfile(common_, session.files()));
  }

  const std::vector<bench::Program>& results() const { return results_; }
  bool isStopped() const { return is_stopped_; }

 private:
  diag::Result<session::TestProgram> blocksOf(session::Session& session,
                                              const session::Loaded& loaded) const {
    if (arguments_.spec_file.empty()) {
      return session::parseTestProgram(session.files(), loaded.file);
    }
    const std::string text = session::readText(arguments_.spec_file).value_or("");
    std::string comments;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      comments += "-- " + text.substr(at, end - at) + "\n";
      at = end + 1;
    }
    return session::parseTestProgram(session.files(),
                                     session.files().add(arguments_.spec_file, comments));
  }

  template <typename Tagged>  // a program or a case
  bool isExcluded(const Tagged& tagged) const {
    return std::any_of(arguments_.exclude.begin(), arguments_.exclude.end(),
                       [&](const std::string& tag) { return tagged.hasTag(tag); });
  }

  int runEntry(session::Session& session, const session::Loaded& loaded, const std::string& path,
               const std::string& name, const session::TestBlock& block) {
    auto entry = session.findEntry(loaded, name);
    if (!entry) return report(common_, session.files(), entry.error());
    const session::Backend backend = session.resolve(backend_, *loaded.program(), *entry);
    bench::Program program{name == "main" ? path : path + ":" + name, engineName(backend), {}};
    int status = kOk;
    for (const session::TestCase& test : block.cases) {
      if (isExcluded(test) || test.hasTag("nobench")) continue;
      if (test.expect == session::Expect::kError || is_stopped_) continue;
      if (program.data.empty()) {
        cli::print(stdout, "{} ({}):\n", program.name, program.engine);
        std::fflush(stdout);
      }
      auto arguments = session::caseArguments(session, loaded, backend, *entry, path, test);
      auto prepared = session.prepare(backend, loaded, *entry);
      bench::DataSet data{nameOf(test), {}, {}, {}};
      if (!arguments || !prepared) {
        failed(session, arguments ? prepared.error() : arguments.error(), &data);
      } else {
        measure({session, **prepared, std::move(*arguments)}, &data);
      }
      if (!data.failure.empty()) status = kRunTimeError;
      program.data.push_back(std::move(data));
    }
    if (!program.data.empty()) results_.push_back(std::move(program));
    return status;
  }

  std::string engineName(session::Backend backend) const {
    std::string name = session::name(backend);
    if (backend != session::Backend::kGpu) return name;
    const std::string device = gpu::deviceName(sessionOptions(common_).device);
    return device.empty() ? name : name + ": " + device;
  }

  void measure(const Case& test, bench::DataSet* data) {
    auto placed = test.prepared.placed(test.arguments);
    if (!placed) return failed(test.session, placed.error(), data);
    startTimeLimit(common_);
    double bytes = bytesOf(*placed);
    const auto call = [&](const Values& arguments) {
      return test.prepared.call(arguments, {.cancel = &cancelFlag()});
    };
    auto warm = call(*placed);  // compiles
    if (!warm) return failed(test.session, warm.error(), data);
    bytes += bytesOf(*warm);
    warm->clear();
    auto times = timesOf([&] { return call(*placed); });
    if (!times) return failed(test.session, times.error(), data);
    data->microseconds = std::move(*times);
    print(data->name, data->microseconds, bytes);
    if (arguments_.transfers) measureTransfers(test, *data, bytes);
    alarm(0);
  }

  // With arguments from the host and results back to it.
  void measureTransfers(const Case& test, const bench::DataSet& data, double bytes) {
    auto times = timesOf([&]() -> diag::Result<Values> {
      auto results = test.prepared.call(test.arguments, {.cancel = &cancelFlag()});
      if (!results) return results;
      return value::toHost(std::move(*results));
    });
    if (times) print(data.name + ", with transfers", *times, bytes);
  }

  // Microseconds of calls one after the other; calls too short for the clock are timed together.
  template <typename Call>
  diag::Result<std::vector<double>> timesOf(const Call& call) {
    std::vector<double> times;
    double spent = 0;
    size_t batch = 1;
    const auto run = [&](size_t count) -> std::optional<diag::Diagnostic> {
      for (size_t i = 0; i < count; ++i) {
        const auto begin = Clock::now();
        for (size_t k = 0; k < batch; ++k) {
          if (auto results = call(); !results) return results.error();
        }
        const double time = microsecondsSince(begin);
        times.push_back(time / static_cast<double>(batch));
        spent += time;
      }
      return std::nullopt;
    };
    if (auto failure = run(1)) return diag::Failure(*failure);
    if (times[0] < kMinSpan) {
      batch = static_cast<size_t>(std::ceil(kMinSpan / std::max(times[0], 0.01)));
      times.clear();
    }
    const auto wanted = static_cast<size_t>(arguments_.runs);
    while (times.size() < wanted || (spent < arguments_.seconds * 1e6 && times.size() < kMaxRuns)) {
      if (auto failure = run(1)) return diag::Failure(*failure);
    }
    const double most = spent + arguments_.convergence_seconds * 1e6;
    while (arguments_.converges && spent < most && times.size() < kMaxRuns) {
      const size_t more = bench::moreRuns(times);
      if (more == 0) break;
      for (size_t i = 0; i < more && spent < most; ++i) {
        if (auto failure = run(1)) return diag::Failure(*failure);
      }
    }
    return times;
  }

  void failed(session::Session& session, const diag::Diagnostic& diagnostic, bench::DataSet* data) {
    alarm(0);
    const bool is_interrupted = cancelFlag().isSet();
    if (is_interrupted && common_.time_limit > 0) {
      cancelFlag().clear();
      data->failure = fmt::format("no end after {} s", common_.time_limit);
      cli::print(stdout, "  {}: {}\n", data->name, data->failure);
      return;
    }
    is_stopped_ = is_interrupted;
    data->failure = diag::render(diagnostic, session.files());
    cli::print(stdout, "  {}: failed\n", data->name);
    report(common_, session.files(), diagnostic);
  }

  void print(const std::string& name, const std::vector<double>& times, double bytes) const {
    const double mean = bench::meanOf(times);
    const bench::Interval interval = bench::confidenceOf(times);
    const double least = *std::min_element(times.begin(), times.end());
    std::string rate;
    if (arguments_.bandwidth) rate = fmt::format("  {:.1f} GB/s", bytes / mean / 1e3);
    const std::string shown = mean < 100 ? fmt::format("{:.2f}", mean) : withMarks(mean);
    cli::print(stdout,
               "  {:<30} {:>12} us (95% CI: [{:.1f}, {:.1f}])  min {:.1f}  med {:.1f}  {} runs{}\n",
               name + ":", shown, interval.low, interval.high, least, bench::medianOf(times),
               times.size(), rate);
    std::fflush(stdout);
  }

  Common common_;
  const BenchArguments& arguments_;
  session::Backend backend_;
  bool is_stopped_ = false;
  std::vector<bench::Program> results_;
};

// `f.json` for one of several engines: `f.gpu.json`.
std::string pathFor(const std::string& path, session::Backend backend, bool is_one) {
  if (is_one || path.empty()) return path;
  std::filesystem::path of(path);
  const std::string extension = of.extension().string();
  return of.replace_extension(session::name(backend) + extension).string();
}

void warnOfLoad(const Common& common) {
  // As on laptops.
  constexpr const char* kGovernor = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
  if (base::readFile(kGovernor, 100).bytes.starts_with("powersave")) {
    tell(common, "the governor `powersave` keeps clocks low: times will vary");
  }
  double load = 0;
  const auto cores = static_cast<double>(std::max(1U, std::thread::hardware_concurrency()));
  if (getloadavg(&load, 1) == 1 && load > cores) {
    tell(common,
         fmt::format("{:.1f} programs run on {:.0f} cores: times will be too long", load, cores));
  }
}

int showComparison(const Common& common, const BenchArguments& arguments,
                   const std::vector<bench::Program>& before,
                   const std::vector<bench::Program>& now) {
  const bool color = common.color == "always" || (useColor(common) && isatty(STDOUT_FILENO) != 0);
  const bench::Comparison result =
      bench::compare(before, now, {.tolerance = arguments.tolerance, .color = color});
  if (result.text.empty()) cli::print(stdout, "no data set is in both\n");
  cli::print(stdout, "{}", result.text);
  return result.slower > 0 ? kRunTimeError : kOk;
}

int benchOn(const Common& common, const BenchArguments& arguments, session::Backend backend,
            bool is_one) {
  // Before minutes of measurements, which may be written to the same file.
  std::vector<bench::Program> before;
  if (!arguments.compare.empty()) {
    auto results = bench::readResults(pathFor(arguments.compare, backend, is_one));
    if (!results) return report(common, {}, results.error());
    before = std::move(*results);
  }
  Bench bench(common, arguments, backend);
  int status = kOk;
  for (const std::string& path : session::findPrograms(arguments.paths)) {
    const bool is_ignored =
        std::any_of(arguments.ignored.begin(), arguments.ignored.end(),
                    [&](const std::string& text) { return session::matches(path, text); });
    if (is_ignored || bench.isStopped()) continue;
    status = std::max(status, bench.runFile(path));
  }
  if (const std::string path = pathFor(arguments.json, backend, is_one); !path.empty()) {
    const std::string problem = base::writeFile(path, bench::toJson(bench.results()));
    if (!problem.empty()) return reportUnwritable(common, path, problem);
  }
  if (bench.results().empty() && status == kOk && !bench.isStopped()) {
    tell(common,
         "nothing to measure; a case is a comment `-- ==`, and below it `-- input { 1 [2f32] }` "
         "or `-- random input { [1000]f32 }`");
  }
  if (arguments.compare.empty() || bench.isStopped()) return status;
  return std::max(status, showComparison(common, arguments, before, bench.results()));
}

}  // namespace

int bench(const Common& common, const BenchArguments& arguments) {
  std::vector<session::Backend> backends = {session::Backend::kAuto};
  if (arguments.backends != "auto") {
    auto list = backendList(arguments.backends);
    if (!list) return report(common, {}, list.error());
    backends = std::move(*list);
  }
  if (!common.quiet) warnOfLoad(common);
  int status = kOk;
  for (session::Backend backend : backends) {
    status = std::max(status, benchOn(common, arguments, backend, backends.size() == 1));
    if (cancelFlag().isSet()) break;
  }
  return status;
}

int benchcmp(const Common& common, const BenchArguments& arguments) {
  auto now = bench::readResults(arguments.paths[1]);
  if (!now) return report(common, {}, now.error());
  auto before = bench::readResults(arguments.paths[0]);
  if (!before) return report(common, {}, before.error());
  return showComparison(common, arguments, *before, *now);
}

}  // namespace halo::cli
