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

Lines::Lines(std::string_view text, Encoding encoding) : text_(text), encoding_(encoding) {
  starts_.push_back(0);
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    starts_.push_back(static_cast<uint32_t>(at + 1));
  }
}

uint32_t Lines::offsetOf(const Json& position) const {
  const auto line = static_cast<size_t>(numberIn(position, "line"));
  if (line >= starts_.size()) return static_cast<uint32_t>(text_.size());
  size_t at = starts_[line];
  auto left = static_cast<size_t>(numberIn(position, "character"));
  while (left > 0 && at < text_.size() && text_[at] != '\n') {
    const auto [units, bytes] = unitsOf(text_.substr(at), encoding_);
    left -= std::min(left, units);
    at += bytes;
  }
  return static_cast<uint32_t>(std::min(at, text_.size()));
}

Json Lines::positionOf(uint32_t offset) const {
  const size_t end = std::min<size_t>(offset, text_.size());
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), end);
  size_t character = 0;
  for (size_t at = *(next - 1); at < end;) {
    const auto [units, bytes] = unitsOf(text_.substr(at), encoding_);
    character += units;
    at += bytes;
  }
  return {{"line", next - starts_.begin() - 1}, {"character", character}};
}

Json Lines::rangeOf(uint32_t begin, uint32_t end) const {
  return {{"start", positionOf(begin)}, {"end", positionOf(end)}};
}

void applyChange(std::string& text, const Json& change, Encoding encoding) {
  if (!change.is_object() || !change.contains("text") || !change["text"].is_string()) return;
  if (!change.contains("range") || !change["range"].is_object()) {
    text = change["text"].get<std::string>();
    return;
  }
  const Json& range = change["range"];
  const Lines lines(text, encoding);
  const uint32_t begin = lines.offsetOf(range.value("start", Json()));
  const uint32_t end = std::max(begin, lines.offsetOf(range.value("end", Json())));
  text.replace(begin, end - begin, change["text"].get<std::string>());
}

std::string pathOfUri(const std::string& uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return uri;
  std::string path;
  for (size_t at = kScheme.size(); at < uri.size(); ++at) {
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

Carry::Carry(std::string_view from, std::string_view to) : from_(from.size()), to_(to.size()) {
  const size_t shorter = std::min(from_, to_);
  const auto differ =
      std::mismatch(from.begin(), from.begin() + static_cast<ptrdiff_t>(shorter), to.begin());
  prefix_ = static_cast<size_t>(differ.first - from.begin());
  suffix_ = 0;
  while (suffix_ < shorter - prefix_ && from[from_ - 1 - suffix_] == to[to_ - 1 - suffix_]) {
    ++suffix_;
  }
}

uint32_t Carry::operator()(uint32_t offset) const {
  if (offset < prefix_ || from_ == to_) return offset;
  if (offset + suffix_ >= from_) return static_cast<uint32_t>(offset + to_ - from_);
  return static_cast<uint32_t>(to_ + 1);
}

}  // namespace halo::lsp
