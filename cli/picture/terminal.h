// Pictures as text for a terminal: kitty's graphics where they exist, else half blocks in 24-bit or
// 256 colours, else characters by brightness.
#pragma once

#include <string>

#include "cli/picture/frames.h"

namespace halo::picture {

enum class Mode { kKitty, kBlocks, kBlocks256, kAscii };
inline constexpr char kModeNames[] = "kitty|blocks|blocks256|ascii";
std::string modeName(Mode mode);
bool setMode(const std::string& name, Mode* mode);

struct Screen {
  bool is_terminal = false;
  bool has_unicode = true;  // braille and blocks
  int columns = 80, rows = 24;
  Mode mode = Mode::kAscii;
};

// Ends with a line end. Never larger than the screen.
std::string inTerminal(const Pixels& pixels, const Screen& screen);

}  // namespace halo::picture
