// The file: a line for the device, then a line for each row, its fields parted by tabs.
#include "gpu/tuned.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <sstream>

#include "gpu/vulkan/pipeline.h"
#include "lang/prim/prim.h"

namespace halo::gpu {
namespace {

constexpr char kMagic[] = "halo tuned 1\n";

int logOf(int64_t size) { return size <= 0 ? 0 : std::bit_width(static_cast<uint64_t>(size)); }

std::string classOf(const value::Value& leaf) {
  if (const value::Scalar* scalar = leaf.scalar()) {
    if (!prim::isInteger(scalar->type)) return std::string(prim::name(scalar->type));
    return fmt::format("{}:{}", prim::name(scalar->type), logOf(scalar->asSigned()));
  }
  const value::Array& array = *leaf.array();
  std::string text(prim::name(array.type()));
  for (int64_t extent : array.shape()) text += fmt::format("[{}]", logOf(extent));
  return text;
}

}  // namespace

std::string sizeClass(const std::vector<value::Value>& leaves) {
  std::string text;
  for (const value::Value& leaf : leaves) text += (text.empty() ? "" : " ") + classOf(leaf);
  return text;
}

TunedChoices::TunedChoices(const std::string& folder, const vulkan::PhysicalDevice& device)
    : device_(device.name + " / " + device.driver) {
  if (folder.empty()) return;
  std::string name = device_;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  path_ = folder + "/" + name;
  std::istringstream lines(vulkan::readCacheFile(path_, kMagic));
  std::string line;
  if (!std::getline(lines, line) || line != device_) {
    bool exists = access(path_.c_str(), F_OK) == 0;
    if (exists) problem_ = path_ + " is damaged or of another version: ignored";
    return;
  }
  while (std::getline(lines, line)) addRow(line);
}

void TunedChoices::addRow(const std::string& line) {
  size_t key = line.find('\t');
  size_t variant = key == std::string::npos ? key : line.find('\t', key + 1);
  if (variant == std::string::npos) return;
  std::string name = line.substr(variant + 1);
  if (!name.empty() && !wrongVariant(name).empty()) {
    problem_ = path_ + ": " + wrongVariant(name) + ": ignored";
    return;
  }
  rows_[line.substr(0, key)][line.substr(key + 1, variant - key - 1)] = name;
}

Choices TunedChoices::find(const std::string& size_class,
                           const std::vector<std::string>& offered) const {
  auto found = rows_.find(size_class);
  if (found == rows_.end()) return {};
  bool known = std::any_of(offered.begin(), offered.end(),
                           [&](const std::string& key) { return found->second.contains(key); });
  return known ? found->second : Choices{};
}

void TunedChoices::set(const std::string& size_class, const Choices& choices) {
  Choices& row = rows_[size_class];
  for (const auto& [key, variant] : choices) row[key] = variant;
}

void TunedChoices::save() const {
  if (path_.empty()) return;
  std::string text = device_ + "\n";
  for (const auto& [size_class, choices] : rows_) {
    for (const auto& [key, variant] : choices) {
      text += fmt::format("{}\t{}\t{}\n", size_class, key, variant);
    }
  }
  vulkan::writeCacheFile(path_, kMagic, text);
}

}  // namespace halo::gpu
