#include "lang/types/declare/attributes.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace halo::types {

namespace {

struct IntegerAttribute {
  std::string_view name;
  int64_t least, most;
  std::string_view needs;
};
constexpr int64_t kMaxArgument = INT64_MAX;
constexpr std::array<IntegerAttribute, 3> kRows = {
    {{"stripmine", 1, 8, "a depth from 1 to 8"},
     {"bound", 0, kMaxArgument, "a number of steps"},
     {"checkpoint", 2, kMaxArgument, "a number of states, 2 or more"}}};

// `(n)` as a number.
std::optional<int64_t> argumentOf(std::string_view text) {
  if (text.size() < 3 || text.front() != '(' || text.back() != ')') return std::nullopt;
  const std::string_view digits = text.substr(1, text.size() - 2);
  int64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_whole = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<int64_t> attributeNumber(std::string_view name, const std::string& text) {
  if (!text.starts_with(name)) return std::nullopt;
  return argumentOf(std::string_view(text).substr(name.size()));
}

std::optional<int64_t> boundOf(const std::string& text) { return attributeNumber("bound", text); }

void LoopAttributes::add(const std::string& text) {
  if (const auto most = boundOf(text)) most_steps = most;
  if (attributeNumber("stripmine", text) || attributeNumber("checkpoint", text)) {
    is_about_states = true;
  }
}

std::optional<std::string> badAttribute(const std::string& text) {
  const std::string_view name = std::string_view(text).substr(0, text.find('('));
  for (const IntegerAttribute& row : kRows) {
    if (row.name != name) continue;
    const auto number = argumentOf(std::string_view(text).substr(name.size()));
    if (number && *number >= row.least && *number <= row.most) return std::nullopt;
    return fmt::format("`#[{}]` needs {}", text, row.needs);
  }
  return std::nullopt;
}

}  // namespace halo::types
