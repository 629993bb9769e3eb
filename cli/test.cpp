// halo test: test blocks of programs on every requested engine, with a summary line.
#include <cstdio>
#include <sstream>
#include <thread>

#include "cli/commands.h"
#include "cli/junit.h"
#include "cli/session/testing/programs.h"
#include "cli/session/testing/tester.h"
#include "gpu/engine.h"
#include "lang/base/files.h"

namespace halo::cli {
namespace {

// {"programs": [{"program": PATH, "passed": 1, "failed": 0, "skipped": 0, "failures": [..]}, ..]}
class Results {
 public:
  explicit Results(const Common& common) : common_(common) {}

  void add(const std::string& path, const session::TestReport& result) {
    passed_ += result.passed;
    failed_ += result.failed;
    skipped_ += result.skipped;
    for (const std::string& failure : result.failures) std::printf("FAIL %s\n", failure.c_str());
    if (common_.diagnostics == "json") std::fputs(result.diagnostics.c_str(), stderr);
    if (common_.verbose) {
      for (const std::string& skip : result.skips) std::printf("skip %s\n", skip.c_str());
      if (result.failed == 0) std::printf("ok   %s\n", path.c_str());
    }
    std::fflush(stdout);
    json_ += json_.empty() ? "\n" : ",\n";
    json_ += "  {\"program\": " + jsonText(path) +
             ", \"passed\": " + std::to_string(result.passed) +
             ", \"failed\": " + std::to_string(result.failed) +
             ", \"skipped\": " + std::to_string(result.skipped) +
             ", \"failures\": " + jsonList(result.failures) + "}";
    cases_.push_back({"halo test", path, result.failures,
                      result.passed + result.failed == 0 && result.skipped > 0});
  }

  int finish(const std::string& json, const std::string& junit) const {
    std::printf("%d passed, %d failed", passed_, failed_);
    if (skipped_ > 0) std::printf(", %d skipped", skipped_);
    std::printf("\n");
    if (!json.empty()) {
      std::ostringstream out;
      out << "{\"passed\": " << passed_ << ", \"failed\": " << failed_
          << ", \"skipped\": " << skipped_ << ", \"programs\": [" << json_ << "\n]}\n";
      const std::string problem = base::writeFile(json, out.str());
      if (!problem.empty()) return reportUnwritable(common_, json, problem);
    }
    if (!junit.empty()) {
      const std::string problem = base::writeFile(junit, junitText("halo test", cases_));
      if (!problem.empty()) return reportUnwritable(common_, junit, problem);
    }
    return failed_ == 0 ? kOk : kRunTimeError;
  }

 private:
  const Common& common_;
  int passed_ = 0;
  int failed_ = 0;
  int skipped_ = 0;
  std::string json_;
  std::vector<JunitCase> cases_;
};

}  // namespace

int test(const Common& common, const TestArguments& arguments) {
  source::Files none;
  auto backends = backendList(arguments.backends);
  if (!backends) return report(common, none, backends.error());
  session::TestOptions options;
  options.backends = std::move(*backends);
  options.only_entry = arguments.entry;
  options.seed = arguments.seed;
  options.wording = arguments.wording;
  options.everything = arguments.everything;
  session::PoolOptions pool;
  pool.jobs = arguments.jobs > 0
                  ? arguments.jobs
                  : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  pool.timeout = std::chrono::seconds(arguments.timeout);
  pool.cancel = &cancelFlag();
  options.checks_only = arguments.checks_only;
  options.derivatives = arguments.derivatives;
  options.property = {arguments.seed, arguments.property_tests, arguments.largest_size,
                      arguments.shrink_tries};
  options.compiles_only = arguments.compiles_only;
  options.same_entries = arguments.same_entries;
  options.exclude = arguments.exclude;
  if (arguments.no_refusals) gpu::failRefusals();
  Results results(common);
  session::SessionOptions session = sessionOptions(common);
  if (common.has_tuning) session.tuning = common.tuning;
  session.team = arguments.ranks;
  session::testPrograms(session::findPrograms(arguments.paths), session, options, pool,
                        [&](const std::string& path, const session::TestReport& report) {
                          results.add(path, report);
                        });
  if (cancelFlag().isSet()) return kRunTimeError;
  return results.finish(arguments.json, arguments.junit);
}

}  // namespace halo::cli
