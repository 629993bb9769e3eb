// The terminal itself: raw mode while the user types, its size, and drawing an edited text in
// place.
#pragma once

#include <termios.h>

#include <string>

#include "cli/terminal/layout.h"

namespace halo::terminal {

// Raw from construction to destruction: every key arrives at once, Ctrl-C is a key.
class RawMode {
 public:
  RawMode();
  ~RawMode();
  RawMode(const RawMode&) = delete;
  RawMode& operator=(const RawMode&) = delete;

 private:
  termios before_{};
  bool is_raw_ = false;
};

struct Size {
  size_t columns, rows;
};
Size screenSize();

void write(const std::string& text);

// Draws over its last drawing.
class Painter {
 public:
  void draw(const Layout& layout);
  void leave();  // the cursor goes below the text, which stays
  void forget() { drawn_rows_ = 0, cursor_row_ = 0; }  // the screen was cleared

 private:
  size_t drawn_rows_ = 0;
  size_t cursor_row_ = 0;  // among those
};

}  // namespace halo::terminal
