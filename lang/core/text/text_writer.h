// The common part of Core's and Imp's printers: text that grows, lines that are indented, names
// that their parsers read back.
#pragma once

#include <fmt/format.h>

#include <string>

#include "lang/source/source.h"

namespace halo::core {

// A hint is any name of a program, operators among them; text has letters, digits, _ and '.
std::string identifier(const std::string& hint);

class TextWriter {
 public:
  std::string take() { return std::move(out_); }

 protected:
  explicit TextWriter(const source::Files* files) : files_(files) {}

  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void newLine() {
    out_ += '\n';
    out_.append(static_cast<size_t>(2 * indent_), ' ');
  }
  // " @line:column"; false, and nothing, where the place is not known.
  bool putPlace(const source::Span& span);

  std::string out_;
  int indent_ = 0;

 private:
  const source::Files* files_;
};

}  // namespace halo::core
