#include "cli/session/testing/tuning.h"

#include <charconv>
#include <sstream>

#include "cli/session/imports.h"

namespace halo::session {

std::optional<std::pair<std::string, int64_t>> parseParam(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + equals + 1, end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return std::pair(text.substr(0, equals), value);
}

std::optional<Params> readTuning(const std::string& path) {
  const auto text = readText(path);
  if (!text) return std::nullopt;
  Params params;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::erase_if(line, [](char c) { return c == ' ' || c == '\r' || c == '\t'; });
    if (auto param = parseParam(line)) params.insert_or_assign(param->first, param->second);
  }
  return params;
}

}  // namespace halo::session
