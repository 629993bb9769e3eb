// The table of names, and reading profiles.
#include "gpu/vulkan/features.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

#include "lang/base/files.h"
#include "lang/base/match.h"

namespace halo::gpu::vulkan {
namespace {

using diag::Code;

constexpr FeatureRow kRows[] = {
    {"subgroup_size", "invocations of a subgroup", &Features::subgroup_size},
    {"max_workgroup", "invocations of a workgroup", &Features::max_workgroup},
    {"shared_bytes", "bytes shared in a workgroup", &Features::shared_bytes},
    {"push_bytes", "bytes of push constants", &Features::push_bytes},
    {"long_code", "statements of kernels whose code is long", &Features::long_code},
    {"max_allocation", "bytes of the largest allocation", &Features::max_allocation},
    {"memory_bytes", "bytes of device memory", &Features::memory_bytes},
    {"int8", "8-bit integers", &Features::int8},
    {"int16", "16-bit integers", &Features::int16},
    {"int64", "64-bit integers", &Features::int64},
    {"float16", "16-bit floats", &Features::float16},
    {"float64", "64-bit floats", &Features::float64},
    {"storage8", "8-bit storage", &Features::storage8},
    {"storage16", "16-bit storage", &Features::storage16},
    {"subgroup_arithmetic", "subgroup arithmetic", &Features::subgroup_arithmetic},
    {"subgroup_ballot", "subgroup ballot", &Features::subgroup_ballot},
    {"subgroup_shuffle", "subgroup shuffle", &Features::subgroup_shuffle},
    {"subgroup_shuffle_relative", "subgroup shuffle up and down",
     &Features::subgroup_shuffle_relative},
    {"memory_model", "memory model with device scope", &Features::memory_model},
    {"atomics_int64", "atomic 64-bit integers", &Features::atomics_int64},
    {"atomics_f32", "atomic addition of floats", &Features::atomics_f32},
    {"matrix_depth_f16", "depth of cooperative matrices of f16", &Features::matrix_depth_f16},
    {"matrix_depth_i8", "depth of cooperative matrices of i8", &Features::matrix_depth_i8},
    {"matrix_depth_u8", "depth of cooperative matrices of u8", &Features::matrix_depth_u8},
    {"sparse", "sparse buffers", &Features::sparse},
    {"host_pages", "pages of the host as buffers", &Features::host_pages},
    {"copy_queue", "a queue for copies alone", &Features::copy_queue},
    {"signed_zero_nan_f32", "signed zeros and NaNs preserved", &Features::signed_zero_nan_f32},
    {"round_even_f32", "rounding to even", &Features::round_even_f32},
    {"denormals_f32", "denormals preserved", &Features::denormals_f32},
};
constexpr char kMaxGroups[] = "max_groups";
constexpr char kRefuses[] = "refuses", kChokes[] = "chokes";

std::map<std::string, uint64_t>& profile() {
  static auto* values = new std::map<std::string, uint64_t>;
  return *values;
}

// Texts in the names of kernels, by the line's first word.
std::multimap<std::string, std::string>& refused() {
  static auto* names = new std::multimap<std::string, std::string>;
  return *names;
}

bool isRefused(const char* how, const std::string& name) {
  auto [first, last] = refused().equal_range(how);
  return std::any_of(
      first, last, [&](const auto& entry) { return name.find(entry.second) != std::string::npos; });
}

diag::Failure malformed(const std::string& path, int line, const std::string& message) {
  return diag::fail(Code::malformed_value, {},
                    "`" + path + "`, line " + std::to_string(line) + ": " + message);
}

bool isKnown(const std::string& name) {
  return name == kMaxGroups || name == kRefuses || name == kChokes ||
         std::any_of(std::begin(kRows), std::end(kRows),
                     [&](const FeatureRow& row) { return name == row.name; });
}

// `yes` is as large as numbers get.
bool parseLimit(const std::string& text, uint64_t* limit) {
  if (text == "yes" || text == "no") {
    *limit = text == "yes" ? ~uint64_t{0} : 0;
    return true;
  }
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *limit);
  return error == std::errc{} && end == text.data() + text.size() && *limit > 0;
}

void lower(Features& features, const FeatureRow& row, uint64_t limit) {
  base::match(
      row.field, [&](bool Features::*field) { features.*field = features.*field && limit > 0; },
      [&](uint32_t Features::*field) {
        features.*field = static_cast<uint32_t>(std::min<uint64_t>(features.*field, limit));
      },
      [&](uint64_t Features::*field) { features.*field = std::min(features.*field, limit); });
}

}  // namespace

std::span<const FeatureRow> featureRows() { return kRows; }

diag::Result<std::monostate> setDeviceLimits(const std::string& path) {
  profile().clear();
  refused().clear();
  if (path.empty()) return std::monostate{};
  constexpr size_t kMaxBytes = size_t{1} << 16;
  base::ReadFile file = base::readFile(path, kMaxBytes);
  if (!file.problem.empty()) {
    return diag::fail(Code::missing_file, {}, "there is no readable file `" + path + "`");
  }
  std::istringstream in(std::move(file.bytes));
  std::map<std::string, uint64_t> values;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, text, more;
    if (!(words >> name)) continue;
    if (!isKnown(name)) return malformed(path, number, "unknown feature `" + name + "`");
    words >> text;
    if ((name == kRefuses || name == kChokes) && !text.empty()) {
      refused().emplace(name, text);
      continue;
    }
    uint64_t limit = 0;
    if (!parseLimit(text, &limit) || words >> more) {
      return malformed(path, number, "`" + name + "` needs `yes`, `no` or a number");
    }
    values[name] = limit;
  }
  profile() = std::move(values);
  return std::monostate{};
}

Features referenceFeatures() {
  const auto depth = [](const char* name) {
    const auto found = profile().find(name);
    return found == profile().end() ? 0 : static_cast<uint32_t>(found->second);
  };
  Features all;
  all.int8 = all.int16 = all.int64 = all.float16 = all.float64 = true;
  all.storage8 = all.storage16 = true;
  all.subgroup_arithmetic = all.subgroup_ballot = true;
  all.subgroup_shuffle = all.subgroup_shuffle_relative = true;
  all.memory_model = all.atomics_int64 = all.atomics_f32 = true;
  all.matrix_depth_f16 = depth("matrix_depth_f16");
  all.matrix_depth_i8 = depth("matrix_depth_i8");
  all.matrix_depth_u8 = depth("matrix_depth_u8");
  all.is_reference = true;
  all.subgroup_size = 32;
  all.max_workgroup = 1024;
  all.shared_bytes = 32 * 1024;
  return limited(all);
}

bool refusesKernel(const std::string& name) { return isRefused(kRefuses, name); }
bool chokesOnKernel(const std::string& name) { return isRefused(kChokes, name); }

Features limited(Features features) {
  uint32_t real_subgroup = features.subgroup_size;
  for (const FeatureRow& row : kRows) {
    auto found = profile().find(row.name);
    if (found != profile().end()) lower(features, row, found->second);
  }
  if (auto found = profile().find(kMaxGroups); found != profile().end()) {
    for (uint32_t& groups : features.max_groups) {
      groups = static_cast<uint32_t>(std::min<uint64_t>(groups, found->second));
    }
  }
  auto size = profile().find("subgroup_size");
  if (size != profile().end() && size->second != real_subgroup && size->second <= 128) {
    features.subgroup_size = static_cast<uint32_t>(size->second);
    features.subgroup_arithmetic = features.subgroup_ballot = false;
    features.subgroup_shuffle = features.subgroup_shuffle_relative = false;
  }
  for (uint32_t& size_limit : features.max_workgroup_size) {
    size_limit = std::min(size_limit, features.max_workgroup);
  }
  return features;
}

}  // namespace halo::gpu::vulkan
