// The attributes of loops that derivatives heed (docs/language.md#attributes).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace halo::types {

// Why the text between `#[` and `]` is a known attribute with an argument that it does not take.
std::optional<std::string> badAttribute(const std::string& text);

// n of `bound(n)`.
std::optional<int64_t> boundOf(const std::string& text);

}  // namespace halo::types
