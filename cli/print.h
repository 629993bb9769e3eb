// Text on standard output or error. A write that fails leaves its mark on the stream, which the end
// of the program reports (`leave`); fmt::print throws instead, and nothing catches that.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace halo::cli {

template <typename... Arguments>
void print(std::FILE* stream, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace halo::cli
