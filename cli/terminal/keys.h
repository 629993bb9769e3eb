// Bytes of a terminal as keys. Unknown sequences are swallowed whole, broken UTF-8 byte by byte.
#pragma once

#include <optional>
#include <string>

namespace halo::terminal {

struct Key {
  enum Kind {
    kText,     // `text` is one character, or a paste with its line ends
    kPaste,    // bracketed: everything between the brackets
    kControl,  // Ctrl and the letter in `text`
    kAlt,      // Alt and the letter in `text`
    kEnter,
    kTab,
    kBackspace,
    kDelete,
    kLeft,
    kRight,
    kUp,
    kDown,
    kHome,
    kEnd,
    kWordLeft,
    kWordRight,
    kUnknown,
    kHangUp,  // the terminal is gone
  } kind = kUnknown;
  std::string text = {};
};

class Keys {
 public:
  explicit Keys(int fd) : fd_(fd) {}
  Key next();
  // Bytes that arrive within the time until `end` has come; they are no keys. Keys typed before
  // `begin` stay.
  std::string answer(const std::string& begin, char end, int milliseconds);

 private:
  std::optional<char> byte(int milliseconds);  // -1: wait for ever
  void unread(const std::string& bytes) { pending_.insert(0, bytes); }
  Key escape();
  Key sequence();
  Key paste();
  Key character(char first);

  int fd_;
  std::string pending_;
};

}  // namespace halo::terminal
