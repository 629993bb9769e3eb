// The attributes of loops that derivatives heed (docs/language.md#attributes).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace halo::types {

// Why the text between `#[` and `]` is a known attribute with an argument that it does not take.
std::optional<std::string> badAttribute(const std::string& text);

// n of `name(n)`.
std::optional<int64_t> attributeNumber(std::string_view name, const std::string& text);
// n of `bound(n)`.
std::optional<int64_t> boundOf(const std::string& text);

// The attributes in front of a loop.
struct LoopAttributes {
  std::optional<int64_t> most_steps;
  bool is_about_states = false;  // how they are kept: lang/ad asks for the place of the loop

  void add(const std::string& text);
};

}  // namespace halo::types
