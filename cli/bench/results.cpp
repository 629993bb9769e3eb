#include "cli/bench/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lang/base/files.h"
#include "lang/base/version.h"
#include "lang/diag/json.h"

namespace halo::bench {
namespace {

using Json = nlohmann::json;
constexpr size_t kMaxFile = size_t{1} << 30;

std::string listOf(const std::vector<double>& times, double scale) {
  std::vector<int64_t> whole;
  whole.reserve(times.size());
  for (double time : times) whole.push_back(std::llround(time * scale));
  return fmt::format("[{}]", fmt::join(whole, ", "));
}

std::string dataJson(const DataSet& data) {
  if (!data.failure.empty()) return diag::jsonString(data.failure);
  std::string bytes;
  for (const auto& [memory, count] : data.bytes) {
    bytes += fmt::format("{}{}: {}", bytes.empty() ? "" : ", ", diag::jsonString(memory), count);
  }
  return fmt::format(R"({{"runtimes": {}, "bytes": {{{}}}, "stderr": "", "nanoseconds": {}}})",
                     listOf(data.microseconds, 1), bytes, listOf(data.microseconds, 1000));
}

// Whether they are a list of numbers.
bool readTimes(const Json& result, DataSet* data) {
  const bool is_exact = result.contains("nanoseconds");
  const Json& times = is_exact ? result["nanoseconds"] : result.value("runtimes", Json::array());
  if (!times.is_array()) return false;
  for (const Json& time : times) {
    if (!time.is_number()) return false;
    data->microseconds.push_back(time.get<double>() / (is_exact ? 1e3 : 1));
  }
  return true;
}

std::optional<DataSet> readData(const std::string& name, const Json& result) {
  DataSet data{.name = name, .microseconds = {}, .bytes = {}, .failure = {}};
  if (result.is_string()) data.failure = result.get<std::string>();
  if (result.is_object() && !readTimes(result, &data)) return std::nullopt;
  if (data.failure.empty() && data.microseconds.empty()) data.failure = "no run times";
  return data;
}

}  // namespace

std::string toJson(const std::vector<Program>& programs) {
  std::string out;
  for (const Program& program : programs) {
    std::string sets;
    for (const DataSet& data : program.data) {
      sets += fmt::format("{}\n    {}: {}", sets.empty() ? "" : ",", diag::jsonString(data.name),
                          dataJson(data));
    }
    out += fmt::format(
        "{}\n  {}: {{\"datasets\": {{{}}},\n    \"halo\": {{\"version\": \"{}\", \"engine\": "
        "{}}}}}",
        out.empty() ? "" : ",", diag::jsonString(program.name), sets, base::version(),
        diag::jsonString(program.engine));
  }
  return "{" + out + "\n}\n";
}

diag::Result<std::vector<Program>> readResults(const std::string& path) {
  const auto fail = [&](const std::string& why) {
    return diag::fail(diag::Code::unreadable_file, {},
                      fmt::format("results in `{}` cannot be read: {}", path, why));
  };
  const base::ReadFile file = base::readFile(path, kMaxFile);
  if (!file.problem.empty()) return fail(file.problem);
  const Json whole = Json::parse(file.bytes, nullptr, false);
  if (!whole.is_object()) return fail("it is no object of programs as `bench --json` writes it");
  std::vector<Program> programs;
  for (const auto& [name, entry] : whole.items()) {
    if (!entry.is_object() || !entry.contains("datasets") || !entry["datasets"].is_object()) {
      return fail(fmt::format("`{}` has no data sets", name));
    }
    Program program{.name = name, .engine = {}, .data = {}};
    for (const auto& [data, result] : entry["datasets"].items()) {
      const std::optional<DataSet> read = readData(data, result);
      if (!read) return fail(fmt::format("`{}`: the times of `{}` are no numbers", name, data));
      program.data.push_back(*read);
    }
    programs.push_back(std::move(program));
  }
  return programs;
}

}  // namespace halo::bench
