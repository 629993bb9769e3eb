#include "cli/bench/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/bench/statistics.h"

namespace halo::bench {
namespace {

const DataSet* find(const std::vector<Program>& programs, const std::string& program,
                    const std::string& data) {
  for (const Program& candidate : programs) {
    if (candidate.name != program) continue;
    for (const DataSet& set : candidate.data) {
      if (set.name == data) return &set;
    }
  }
  return nullptr;
}

struct Ratio {
  double value;
  Interval interval;
  bool is_slower;
};

Ratio ratioOf(const DataSet& before, const DataSet& now, double tolerance) {
  const auto& old_times = before.microseconds;
  const auto& new_times = now.microseconds;
  const double old_mean = meanOf(old_times);
  const double new_mean = std::max(meanOf(new_times), 1e-3);
  const double value = old_mean / new_mean;
  const double old_error = old_mean == 0 ? 0 : standardError(old_times) / old_mean;
  const double new_error = standardError(new_times) / new_mean;
  const double half = 1.96 * value * std::hypot(old_error, new_error);
  const double least = *std::min_element(old_times.begin(), old_times.end()) /
                       std::max(*std::min_element(new_times.begin(), new_times.end()), 1e-3);
  const double median = medianOf(old_times) / std::max(medianOf(new_times), 1e-3);
  const bool is_slower = std::max({value, least, median}) < 1 - tolerance && value + half < 1;
  return {value, {value - half, value + half}, is_slower};
}

std::string colored(const char* code, const std::string& text, bool color) {
  return color ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::string line(const std::string& name, size_t width, const Ratio& ratio, bool color) {
  const std::string text =
      fmt::format("{:.2f}x [{:.2f}, {:.2f}]", ratio.value, ratio.interval.low, ratio.interval.high);
  const bool is_faster = ratio.value > 1.01 && ratio.interval.low > 1;
  const char* code = ratio.is_slower ? "31" : is_faster ? "32" : "0";
  return fmt::format("  {:<{}} {}{}\n", name + ":", width + 1, colored(code, text, color),
                     ratio.is_slower ? "  slower" : "");
}

size_t widest(const Program& program) {
  size_t width = 0;
  for (const DataSet& data : program.data) width = std::max(width, data.name.size());
  return width;
}

}  // namespace

Comparison compare(const std::vector<Program>& before, const std::vector<Program>& now,
                   const CompareOptions& options) {
  Comparison result;
  for (const Program& program : now) {
    std::string lines;
    for (const DataSet& data : program.data) {
      const DataSet* old = find(before, program.name, data.name);
      if (old == nullptr || !old->failure.empty()) continue;
      if (!data.failure.empty()) {
        lines += fmt::format("  {}: failed: {}\n", data.name, data.failure);
        ++result.slower;
        continue;
      }
      const Ratio ratio = ratioOf(*old, data, options.tolerance);
      result.slower += ratio.is_slower ? 1 : 0;
      lines += line(data.name, widest(program), ratio, options.color);
    }
    if (lines.empty()) continue;
    result.text += colored("1", program.name, options.color) + "\n" + lines;
  }
  return result;
}

}  // namespace halo::bench
