// halo fuzz PROGRAM: the entries of a user's program with random arguments on all engines. Workers
// make the arguments and shrink them; a worker that dies has told which seed it was at.
#include <cstdio>
#include <filesystem>
#include <regex>

#include "cli/fuzzing/fuzz_report.h"
#include "cli/session/imports.h"
#include "cli/session/testing/tester.h"
#include "lang/base/files.h"

namespace halo::cli {
namespace {

namespace fs = std::filesystem;

class ProgramFuzz {
 public:
  ProgramFuzz(const Common& common, const FuzzArguments& arguments,
              const std::vector<session::Backend>& backends)
      : common_(common),
        arguments_(arguments),
        session_(sessionOptions(common)),
        pool_(poolOptions(arguments)),
        report_(common, arguments, backends) {
    session_.tuning = common.has_tuning ? common.tuning : "";
    session_.team = arguments.ranks;
    options_.backends = backends;
    options_.only_entry = arguments.entry;
    options_.seed = arguments.firstSeed();
    options_.trials.largest = arguments.largest;
    options_.trials.generator = arguments.generator;
  }

  int run(std::chrono::steady_clock::time_point end) {
    options_.trials.until = end;
    options_.trials.count = countOf(arguments_);
    session::testPrograms(arguments_.programs, session_, options_, pool_,
                          [&](const std::string& path, const session::TestReport& report) {
                            // Another pool asks for the arguments of a case that ended its process.
                            const bool has_died =
                                report.failed > 0 && report.counterexamples.empty();
                            if (has_died) {
                              died_.emplace_back(path, report);
                            } else {
                              tell(path, report);
                            }
                          });
    for (const auto& [path, result] : died_) tell(path, result);
    std::printf("%d calls agree, %d entries differ\n", agreed_, differing_);
    const int written = report_.write("");
    if (written != kOk) return written;
    if (cancelFlag().isSet()) return kRunTimeError;
    return rejected_ ? kRejected : differing_ > 0 ? kRunTimeError : kOk;
  }

 private:
  void tell(const std::string& path, const session::TestReport& result) {
    agreed_ += result.passed;
    for (const std::string& skip : result.skips) std::printf("%s\n", skip.c_str());
    for (const session::Counterexample& one : result.counterexamples) differ(path, one);
    if (result.counterexamples.empty()) {
      for (const std::string& failure : result.failures) died(path, failure);
    }
    if (result.failures.empty()) report_.passed("halo fuzz", path, result.passed);
    std::fflush(stdout);
  }

  // A failure without arguments: the program is rejected, or its process has ended.
  void died(const std::string& path, const std::string& failure) {
    std::smatch place;
    static const std::regex where(": (\\S+) with seed ([0-9]+)");
    if (!std::regex_search(failure, place, where)) {
      rejected_ = rejected_ || failure.find("is rejected") != std::string::npos;
      ++differing_;
      std::printf("%s\n", failure.c_str());
      report_.failed("halo fuzz", path, {path, "", arguments_.firstSeed(), failure, "", "", ""});
      return;
    }
    session::TestOptions again = options_;
    again.only_entry = place[1];
    again.seed = std::stoull(place[2]);
    again.trials.count = 1;
    again.trials.arguments_only = true;
    session::Counterexample one{place[1], again.seed, failure, "", ""};
    session::testPrograms({path}, session_, again, pool_,
                          [&](const std::string&, const session::TestReport& report) {
                            if (report.counterexamples.empty()) return;
                            one.input = report.counterexamples.front().input;
                            one.device = report.counterexamples.front().device;
                          });
    differ(path, one);
  }

  void differ(const std::string& path, const session::Counterexample& one) {
    ++differing_;
    std::string rest = " --entry=" + one.entry + " " + path;
    if (!arguments_.generator.empty()) rest = " --generator=" + arguments_.generator + rest;
    if (arguments_.largest != FuzzArguments{}.largest) {
      rest = " --largest=" + std::to_string(arguments_.largest) + rest;
    }
    std::string block = report_.head(one.seed, rest, one.device);
    if (!one.input.empty()) {
      block += "-- ==\n-- entry: " + one.entry + "\n-- input {" + one.input + " }\n";
    }
    std::printf("---- %s: %s: %s\n%s", path.c_str(), one.entry.c_str(), one.text.c_str(),
                block.c_str());
    std::fflush(stdout);
    FuzzFailure failure{path, one.entry, one.seed, one.text, one.input, "", one.device};
    failure.reproducer = block + "\n" + textOf(path);
    if (!arguments_.keep.empty()) keep(path, failure);
    report_.failed("halo fuzz", path + ": " + one.entry, std::move(failure));
  }

  static std::string textOf(const std::string& path) {
    constexpr size_t kMax = size_t{16} << 20;
    return base::readFile(path, kMax).bytes;
  }

  void keep(const std::string& path, const FuzzFailure& failure) {
    std::error_code error;
    fs::create_directories(arguments_.keep, error);
    const std::string name = fs::path(path).stem().string() + "-" + failure.entry + "-" +
                             std::to_string(failure.seed) + ".fut";
    const std::string file = (fs::path(arguments_.keep) / name).string();
    const std::string problem = base::writeFile(file, failure.reproducer);
    if (!problem.empty()) reportUnwritable(common_, file, problem);
  }

  const Common& common_;
  const FuzzArguments& arguments_;
  session::SessionOptions session_;
  session::TestOptions options_;
  const session::PoolOptions pool_;
  FuzzReport report_;
  std::vector<std::pair<std::string, session::TestReport>> died_;
  int agreed_ = 0, differing_ = 0;
  bool rejected_ = false;
};

}  // namespace

int fuzzPrograms(const Common& common, const FuzzArguments& arguments,
                 const std::vector<session::Backend>& backends) {
  auto end = endOf(arguments.until);
  if (!end) return report(common, {}, end.error());
  for (const std::string& path : arguments.programs) {
    if (std::error_code error; fs::exists(path, error)) continue;
    return report(common, {}, session::missingFile(path));
  }
  return ProgramFuzz(common, arguments, backends).run(*end);
}

}  // namespace halo::cli
