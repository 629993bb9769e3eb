#include "cli/lsp/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "lang/diag/utf8.h"

namespace halo::lsp {
namespace {

// Code units that the character at the beginning of `text` takes, and its bytes.
std::pair<size_t, size_t> unitsOf(std::string_view text, Encoding encoding) {
  const size_t bytes = std::max<size_t>(diag::decode(text).length, 1);
  if (encoding == Encoding::kUtf8) return {bytes, bytes};
  return {bytes == 4 ? 2 : 1, bytes};
}

int64_t numberIn(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end() || !found->is_number()) return 0;
  return std::max<int64_t>(found->get<int64_t>(), 0);
}

}  // namespace

uint32_t offsetOf(std::string_view text, const Json& position, Encoding encoding) {
  size_t at = 0;
  for (int64_t line = numberIn(position, "line"); line > 0; line--) {
    const size_t next = text.find('\n', at);
    if (next == std::string_view::npos) return static_cast<uint32_t>(text.size());
    at = next + 1;
  }
  auto left = static_cast<size_t>(numberIn(position, "character"));
  while (left > 0 && at < text.size() && text[at] != '\n') {
    const auto [units, bytes] = unitsOf(text.substr(at), encoding);
    left -= std::min(left, units);
    at += bytes;
  }
  return static_cast<uint32_t>(std::min(at, text.size()));
}

Json positionOf(std::string_view text, uint32_t offset, Encoding encoding) {
  const size_t end = std::min<size_t>(offset, text.size());
  const auto lines = std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(end), '\n');
  size_t at = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
  at = at == std::string_view::npos ? 0 : at + 1;
  size_t character = 0;
  while (at < end) {
    const auto [units, bytes] = unitsOf(text.substr(at), encoding);
    character += units;
    at += bytes;
  }
  return {{"line", lines}, {"character", character}};
}

Json rangeOf(std::string_view text, uint32_t begin, uint32_t end, Encoding encoding) {
  return {{"start", positionOf(text, begin, encoding)}, {"end", positionOf(text, end, encoding)}};
}

void applyChange(std::string& text, const Json& change, Encoding encoding) {
  if (!change.is_object() || !change.contains("text") || !change["text"].is_string()) return;
  if (!change.contains("range") || !change["range"].is_object()) {
    text = change["text"].get<std::string>();
    return;
  }
  const Json& range = change["range"];
  const uint32_t begin = offsetOf(text, range.value("start", Json()), encoding);
  const uint32_t end = std::max(begin, offsetOf(text, range.value("end", Json()), encoding));
  text.replace(begin, end - begin, change["text"].get<std::string>());
}

std::string pathOfUri(const std::string& uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return uri;
  std::string path;
  for (size_t at = kScheme.size(); at < uri.size(); at++) {
    const bool is_code = uri[at] == '%' && at + 2 < uri.size() &&
                         std::isxdigit(static_cast<unsigned char>(uri[at + 1])) != 0 &&
                         std::isxdigit(static_cast<unsigned char>(uri[at + 2])) != 0;
    if (is_code) {
      path += static_cast<char>(std::strtol(uri.substr(at + 1, 2).c_str(), nullptr, 16));
      at += 2;
    } else {
      path += uri[at];
    }
  }
  return path;
}

std::string uriOfPath(const std::string& path) {
  if (path.empty() || path[0] != '/') return path;
  std::string uri = "file://";
  for (char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain =
        std::isalnum(byte) != 0 || std::string_view("/-_.~").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

uint32_t carryOver(std::string_view from, std::string_view to, uint32_t offset) {
  const size_t shorter = std::min(from.size(), to.size());
  const auto differ =
      std::mismatch(from.begin(), from.begin() + static_cast<ptrdiff_t>(shorter), to.begin());
  const auto prefix = static_cast<size_t>(differ.first - from.begin());
  if (offset < prefix || from.size() == to.size()) return offset;
  size_t suffix = 0;
  while (suffix < shorter - prefix && from[from.size() - 1 - suffix] == to[to.size() - 1 - suffix])
    suffix++;
  if (offset + suffix >= from.size())
    return static_cast<uint32_t>(offset + to.size() - from.size());
  return static_cast<uint32_t>(to.size() + 1);
}

}  // namespace halo::lsp
