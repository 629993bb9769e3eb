#include "cli/fuzzing/fuzz_report.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include <fmt/ranges.h>

#include "lang/base/files.h"
#include "lang/base/version.h"

namespace halo::cli {

FuzzReport::FuzzReport(const Common& common, const FuzzArguments& arguments,
                       std::vector<session::Backend> backends)
    : common_(common), arguments_(arguments), first_seed_(arguments.firstSeed()) {
  for (session::Backend backend : backends) {
    engines_ += (engines_.empty() ? "" : ",") + std::string(session::name(backend));
  }
}

std::string FuzzReport::options() const {
  std::string out = "--backend=" + engines_ + " --fp=" + common_.float_mode;
  if (common_.threads > 1) out += " --threads=" + std::to_string(common_.threads);
  if (common_.tier != "auto") out += " --tier=" + common_.tier;
  if (arguments_.derivatives) out += " --derivatives";
  if (arguments_.metamorphic) out += " --metamorphic";
  if (arguments_.mutate) out += " --mutate";
  if (!arguments_.ranks.empty()) {
    out += fmt::format(" --ranks={}", fmt::join(arguments_.ranks, ","));
  }
  if (!common_.variant.empty()) out += " --variant=" + common_.variant;
  return out;
}

std::string FuzzReport::head(uint64_t seed, const std::string& rest,
                             const std::string& device) const {
  std::string out = "-- halo fuzz --seed=" + std::to_string(seed) + " --count=1 " + options();
  out += rest + "\n-- halo " + base::version();
  if (!device.empty()) out += ", " + device;
  return out + "\n";
}

void FuzzReport::passed(const std::string& group, const std::string& name, int calls) {
  passed_ += calls;
  cases_.push_back({group, name, {}, false});
}

void FuzzReport::failed(const std::string& group, const std::string& name, FuzzFailure failure) {
  std::string text = failure.text;
  if (!failure.input.empty()) text += "\ninput" + failure.input;
  cases_.push_back({group, name, {text}, false});
  failures_.push_back(std::move(failure));
}

std::string FuzzReport::json(const std::string& coverage_json) const {
  std::string list;
  for (const FuzzFailure& one : failures_) {
    list += (list.empty() ? "\n  {" : ",\n  {");
    for (const auto& [key, text] : {std::pair("program", &one.program),
                                    {"entry", &one.entry},
                                    {"text", &one.text},
                                    {"input", &one.input},
                                    {"reproducer", &one.reproducer},
                                    {"device", &one.device}}) {
      list += jsonText(key) + ": " + jsonText(*text) + ", ";
    }
    list += "\"seed\": " + std::to_string(one.seed) + "}";
  }
  return "{\"version\": " + jsonText(std::string("halo ") + base::version()) +
         ", \"engines\": " + jsonText(engines_) + ", \"seed\": " + std::to_string(first_seed_) +
         ", \"passed\": " + std::to_string(passed_) +
         ", \"failed\": " + std::to_string(failures_.size()) + ", \"failures\": [" + list + "]" +
         (coverage_json.empty() ? "" : ", \"coverage\": " + coverage_json) + "}\n";
}

int FuzzReport::write(const std::string& coverage_json) const {
  const std::pair<std::string, std::string> files[] = {
      {arguments_.json, arguments_.json.empty() ? "" : json(coverage_json)},
      {arguments_.junit, arguments_.junit.empty() ? "" : junitText("halo fuzz", cases_)}};
  for (const auto& [path, text] : files) {
    if (path.empty()) continue;
    const std::string problem = base::writeFile(path, text);
    if (!problem.empty()) return reportUnwritable(common_, path, problem);
  }
  return kOk;
}

session::PoolOptions poolOptions(const FuzzArguments& arguments) {
  session::PoolOptions pool;
  pool.timeout = std::chrono::seconds(arguments.timeout);
  pool.cancel = &cancelFlag();
  pool.jobs = arguments.jobs > 0
                  ? arguments.jobs
                  : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return pool;
}

int countOf(const FuzzArguments& arguments) {
  constexpr int kCount = 100, kNoEnd = 1 << 30;
  if (arguments.count > 0) return arguments.count;
  return arguments.until.empty() ? kCount : kNoEnd;
}

diag::Result<std::chrono::steady_clock::time_point> endOf(const std::string& duration) {
  using Clock = std::chrono::steady_clock;
  if (duration.empty()) return Clock::time_point::max();
  constexpr size_t kMaxDigits = 7;
  const size_t digits = std::min(duration.find_first_not_of("0123456789"), duration.size());
  const std::string unit = duration.substr(digits);
  const int64_t factor = unit == "s"                    ? 1
                         : unit == "min" || unit == "m" ? 60
                         : unit == "h"                  ? 3600
                                                        : 0;
  if (digits == 0 || digits > kMaxDigits || factor == 0) {
    return diag::fail(diag::Code::wrong_argument_count, {},
                      "`" + duration + "` is no duration: needed a number and `s`, `min` or `h`");
  }
  return Clock::now() + std::chrono::seconds(factor * std::atoll(duration.c_str()));
}

std::string kindOf(const std::string& failure) {
  if (failure.find(": interp: ") != std::string::npos &&
      failure.find("no end within") != std::string::npos) {
    return kSlowKind;
  }
  for (const char* kind :
       {"the program is rejected", "disagree", "the process dies", "the process ends", "no end"}) {
    if (failure.find(kind) != std::string::npos) return kind;
  }
  const size_t code = failure.find("[H");  // of a diagnostic that no program should give
  return code == std::string::npos ? "other"
                                   : failure.substr(code, failure.find(']', code) - code + 1);
}

}  // namespace halo::cli
