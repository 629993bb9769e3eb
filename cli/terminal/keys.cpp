// The sequences that xterm and its many descendants send.
#include "cli/terminal/keys.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace halo::terminal {

namespace {

constexpr int kEscapeWait = 50;   // an Escape alone is followed by nothing for this long
constexpr int kPasteWait = 2000;  // a paste whose end never comes ends by itself
constexpr size_t kLongestPaste = size_t{16} << 20;

Key::Kind finalKey(char final, bool is_word) {
  switch (final) {
    case 'A':
      return Key::kUp;
    case 'B':
      return Key::kDown;
    case 'C':
      return is_word ? Key::kWordRight : Key::kRight;
    case 'D':
      return is_word ? Key::kWordLeft : Key::kLeft;
    case 'H':
      return Key::kHome;
    case 'F':
      return Key::kEnd;
    default:
      return Key::kUnknown;
  }
}

Key::Kind numberedKey(const std::string& parameters) {
  const std::string number = parameters.substr(0, parameters.find(';'));
  if (number == "1" || number == "7") return Key::kHome;
  if (number == "4" || number == "8") return Key::kEnd;
  if (number == "3") return Key::kDelete;
  return Key::kUnknown;
}

}  // namespace

std::optional<char> Keys::byte(int milliseconds) {
  if (pending_.empty()) {
    pollfd ready{fd_, POLLIN, 0};
    int found = 0;
    do {
      found = poll(&ready, 1, milliseconds);
    } while (found < 0 && errno == EINTR);
    if (found <= 0) return std::nullopt;
    char bytes[4096];
    const ssize_t count = read(fd_, bytes, sizeof bytes);
    if (count <= 0) return std::nullopt;
    pending_.assign(bytes, static_cast<size_t>(count));
  }
  const char first = pending_.front();
  pending_.erase(0, 1);
  return first;
}

Key Keys::next() {
  const std::optional<char> first = byte(-1);
  if (!first) return {Key::kHangUp};
  switch (*first) {
    case '\r':
    case '\n':
      return {Key::kEnter};
    case '\t':
      return {Key::kTab};
    case 0x7f:
    case '\b':
      return {Key::kBackspace};
    case '\x1b':
      return escape();
    default:
      break;
  }
  if (*first >= 1 && *first <= 26) {
    return {Key::kControl, std::string(1, static_cast<char>('a' + *first - 1))};
  }
  if (*first == 0x1f) return {Key::kControl, "_"};
  if (static_cast<unsigned char>(*first) < 0x20) return {};
  return character(*first);
}

Key Keys::escape() {
  const std::optional<char> second = byte(kEscapeWait);
  if (!second) return {};
  if (*second == '[') return sequence();
  if (*second == 'O') {
    const std::optional<char> third = byte(kEscapeWait);
    return third ? Key{finalKey(*third, false)} : Key{};
  }
  if (*second == '\r' || *second == '\n') return {Key::kText, "\n"};  // Alt-Enter: a new line
  return {Key::kAlt, std::string(1, *second)};
}

// `ESC [ parameters final`.
Key Keys::sequence() {
  std::string parameters;
  for (;;) {
    const std::optional<char> next = byte(kEscapeWait);
    if (!next || parameters.size() > 32) return {};
    if (*next == '\x1b') {
      unread("\x1b");
      return {};
    }
    if (*next >= 0x40 && *next <= 0x7e) {
      if (*next != '~') return {finalKey(*next, parameters.find(';') != std::string::npos)};
      return parameters == "200" ? paste() : Key{numberedKey(parameters)};
    }
    parameters += *next;
  }
}

Key Keys::paste() {
  constexpr char kEnd[] = "\x1b[201~";
  Key key{Key::kPaste};
  while (key.text.size() < kLongestPaste) {
    const std::optional<char> next = byte(kPasteWait);
    if (!next) break;
    key.text += *next;
    if (*next == '~' && key.text.ends_with(kEnd)) {
      key.text.resize(key.text.size() - (sizeof kEnd - 1));
      break;
    }
  }
  return key;
}

Key Keys::character(char first) {
  const auto lead = static_cast<unsigned char>(first);
  size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  if (length == 0 || lead > 0xf4) return {};
  Key key{Key::kText, std::string(1, first)};
  while (key.text.size() < length) {
    const std::optional<char> next = byte(kEscapeWait);
    if (!next) return {};
    if ((static_cast<unsigned char>(*next) & 0xc0) != 0x80) {
      unread(std::string(1, *next));
      return {};
    }
    key.text += *next;
  }
  return key;
}

std::string Keys::answer(const std::string& begin, char end, int milliseconds) {
  std::string bytes;
  size_t at = std::string::npos;
  while (at == std::string::npos || bytes.back() != end) {
    const std::optional<char> next = byte(milliseconds);
    if (!next) break;
    bytes += *next;
    if (at == std::string::npos) at = bytes.find(begin);
  }
  if (at == std::string::npos) at = bytes.size();
  unread(bytes.substr(0, at));
  return bytes.substr(at);
}

}  // namespace halo::terminal
