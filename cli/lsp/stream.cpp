#include "cli/lsp/stream.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace halo::lsp {
namespace {

constexpr size_t kMaxBytes = size_t{256} << 20;
constexpr std::string_view kLength = "content-length:";

// Of a header's lines; 0: there is none.
size_t lengthOf(std::string header) {
  std::transform(header.begin(), header.end(), header.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  const size_t at = header.find(kLength);
  if (at == std::string::npos) return 0;
  return std::min<size_t>(std::strtoull(header.c_str() + at + kLength.size(), nullptr, 10),
                          kMaxBytes);
}

}  // namespace

bool Stream::fill() {
  char bytes[1 << 16];
  ssize_t count = 0;
  do {
    count = ::read(in_, bytes, sizeof bytes);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  buffer_.append(bytes, static_cast<size_t>(count));
  return true;
}

bool Stream::waitFor(std::chrono::milliseconds time) const {
  if (!buffer_.empty()) return true;
  pollfd input{in_, POLLIN, 0};
  return poll(&input, 1, static_cast<int>(time.count())) != 0;
}

std::optional<Json> Stream::read() {
  size_t end = 0;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!fill()) return std::nullopt;
  }
  const size_t length = lengthOf(buffer_.substr(0, end));
  buffer_.erase(0, end + 4);
  while (buffer_.size() < length) {
    if (!fill()) return std::nullopt;
  }
  Json message = Json::parse(buffer_.substr(0, length), nullptr, false);
  buffer_.erase(0, length);
  return message;
}

std::optional<std::pair<size_t, size_t>> Stream::messageBehind(size_t at) const {
  const size_t end = buffer_.find("\r\n\r\n", at);
  if (end == std::string::npos) return std::nullopt;
  const size_t length = lengthOf(buffer_.substr(at, end - at));
  if (buffer_.size() - (end + 4) < length) return std::nullopt;
  return std::pair{end + 4, end + 4 + length};
}

bool Stream::isCancelled(const Json& id) {
  pollfd input{in_, POLLIN, 0};
  while (poll(&input, 1, 0) > 0 && (input.revents & POLLIN) != 0 && fill()) {
  }
  size_t at = 0;
  while (const auto found = messageBehind(at)) {
    const std::string_view text(buffer_.data() + found->first, found->second - found->first);
    at = found->second;
    if (text.find("$/cancelRequest") == std::string_view::npos) continue;
    const Json message = Json::parse(text, nullptr, false);
    if (message.is_object() && message.value("method", "") == "$/cancelRequest" &&
        message.value("/params/id"_json_pointer, Json()) == id) {
      return true;
    }
  }
  return false;
}

void Stream::write(const Json& message) const {
  const std::string body = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string text = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  for (size_t at = 0; at < text.size();) {
    const ssize_t count = ::write(out_, text.data() + at, text.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // the editor has gone: the next read ends
    at += static_cast<size_t>(count);
  }
}

}  // namespace halo::lsp
