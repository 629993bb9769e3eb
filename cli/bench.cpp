// halo bench: measures the cases of test blocks as Futhark's bench does: arguments are in the
// engine's memory before the clock starts, results stay there; one warm-up run that does not count,
// then at least N runs and half a second (--seconds); mean with its 95 % confidence interval.
#include "cli/commands.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>

#include "cli/session/case_arguments.h"
#include "cli/session/tester.h"
#include "lang/base/files.h"
#include "lang/value/format.h"

namespace halo::cli {
namespace {

using Clock = std::chrono::steady_clock;
struct Measured {
  std::string program;  // and entry
  std::string data;
  std::vector<double> microseconds;
};

double meanOf(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Half width of the 95 % interval of the mean.
double confidence(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  double mean = meanOf(values);
  double squares = 0;
  for (double value : values) squares += (value - mean) * (value - mean);
  double n = static_cast<double>(values.size());
  return 1.96 * std::sqrt(squares / (n - 1) / n);
}

class Bench {
 public:
  Bench(const Common& common, const BenchArguments& arguments, session::Backend backend)
      : common_(common), arguments_(arguments), backend_(backend) {}

  // 0, or the status of the first failure.
  int runFile(const std::string& path) {
    session::SessionOptions options = sessionOptions(common_);
    // What is measured must not change under way.
    if (common_.tier == "auto") options.engine.tier = engine::Tier::kOptimised;
    if (common_.has_tuning) options.tuning = common_.tuning;
    session::Session session(std::move(options));
    diag::Sink sink;
    auto loaded = session.load(path, sink);
    if (!loaded) return report(common_, session.files(), sink);
    auto blocks = session::parseTestProgram(session.files(), loaded->file);
    if (!blocks) return report(common_, session.files(), blocks.error());
    int status = kOk;
    std::printf("%s (%s):\n", path.c_str(), session::name(backend_));
    for (const session::TestBlock& block : blocks->blocks) {
      for (const std::string& name : block.entries) {
        if (!arguments_.entry.empty() && arguments_.entry != name) continue;
        for (const session::TestCase& test : block.cases) {
          if (isExcluded(*blocks) || isExcluded(test)) continue;
          if (test.hasTag("nobench") || test.expect == session::Expect::kError) continue;
          status = std::max(status, runCase(session, *loaded, path, name, test));
        }
      }
    }
    return std::max(status, reportProfile(common_, session.files()));
  }

  const std::vector<Measured>& results() const { return results_; }

 private:
  template <typename Tagged>  // a program or a case
  bool isExcluded(const Tagged& tagged) const {
    return std::any_of(arguments_.exclude.begin(), arguments_.exclude.end(),
                       [&](const std::string& tag) { return tagged.hasTag(tag); });
  }

  int runCase(session::Session& session, const session::Loaded& loaded, const std::string& path,
              const std::string& name, const session::TestCase& test) {
    auto entry = session.findEntry(loaded, name);
    if (!entry) return report(common_, session.files(), entry.error());
    session::Backend backend = session.resolve(backend_, *loaded.program(), *entry);
    auto arguments = session::caseArguments(session, loaded, backend, *entry, path, test);
    if (!arguments) return report(common_, session.files(), arguments.error());
    auto prepared = session.prepare(backend, loaded, *entry);
    if (!prepared) return report(common_, session.files(), prepared.error());
    arguments = (*prepared)->placed(*arguments);
    if (!arguments) return report(common_, session.files(), arguments.error());
    Measured measured{path + ":" + name, test.name, {}};
    double spent = 0;
    for (int i = 0; i <= arguments_.runs || (spent < arguments_.seconds * 1e6 && i < 100000); i++) {
      startTimeLimit(common_);
      auto begin = Clock::now();
      auto results = (*prepared)->call(*arguments, {.cancel = &cancelFlag()});
      double time = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
      if (!results) return report(common_, session.files(), results.error());
      if (i == 0) continue;  // the warm-up compiles
      measured.microseconds.push_back(time);
      spent += time;
      if (spent > 3e8) break;
    }
    print(test.name, measured.microseconds);
    results_.push_back(std::move(measured));
    return kOk;
  }

  static void print(const std::string& name, const std::vector<double>& times) {
    auto [least, most] = std::minmax_element(times.begin(), times.end());
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    std::printf("  %-32s %12.1f us +- %.1f (min %.1f, median %.1f, max %.1f, %zu runs)\n",
                name.c_str(), meanOf(times), confidence(times), *least, sorted[sorted.size() / 2],
                *most, times.size());
  }

  const Common& common_;
  const BenchArguments& arguments_;
  session::Backend backend_;
  std::vector<Measured> results_;
};

// The shape of `futhark bench --json`: data sets grouped by program and entry.
// Why it failed, or nothing.
std::string writeJson(const std::string& path, const std::vector<Measured>& results) {
  std::map<std::string, std::string> programs;
  for (const Measured& result : results) {
    std::string runtimes;
    for (double time : result.microseconds) {
      runtimes += (runtimes.empty() ? "" : ", ") + std::to_string(time);
    }
    std::string& datasets = programs[result.program];
    datasets += (datasets.empty() ? "" : ", ") + ("\"" + result.data) + "\": {\"runtimes\": [" +
                runtimes + "]}";
  }
  std::ostringstream out;
  const char* separator = "{\n";
  for (const auto& [program, datasets] : programs) {
    out << separator << "  \"" << program << "\": {\"datasets\": {" << datasets << "}}";
    separator = ",\n";
  }
  out << "\n}\n";
  return base::writeFile(path, out.str());
}

}  // namespace

int bench(const Common& common, const BenchArguments& arguments) {
  source::Files none;
  std::vector<session::Backend> backends;
  if (arguments.backends == "auto") {
    backends = {session::Backend::kAuto};
  } else {
    auto list = backendList(arguments.backends);
    if (!list) return report(common, none, list.error());
    backends = std::move(*list);
  }
  int status = kOk;
  std::vector<Measured> all;
  for (session::Backend backend : backends) {
    Bench bench(common, arguments, backend);
    for (const std::string& path : session::findPrograms(arguments.paths)) {
      const bool is_ignored =
          std::any_of(arguments.ignored.begin(), arguments.ignored.end(),
                      [&](const std::string& text) { return session::matches(path, text); });
      if (is_ignored) continue;
      status = std::max(status, bench.runFile(path));
    }
    all.insert(all.end(), bench.results().begin(), bench.results().end());
  }
  const std::string problem = arguments.json.empty() ? "" : writeJson(arguments.json, all);
  if (!problem.empty()) {
    return reportUnwritable(common, arguments.json, problem);
  }
  return status;
}

}  // namespace halo::cli
