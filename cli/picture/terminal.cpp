// One function per mode. A cell of the terminal is about twice as high as it is wide.
#include "cli/picture/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/picture/base64.h"

namespace halo::picture {

namespace {

constexpr std::array<const char*, 4> kNames = {"kitty", "blocks", "blocks256", "ascii"};

uint32_t red(uint32_t argb) { return argb >> 16 & 0xff; }
uint32_t green(uint32_t argb) { return argb >> 8 & 0xff; }
uint32_t blue(uint32_t argb) { return argb & 0xff; }

struct Size {
  int64_t width, height;
};

// The largest size of that form within the limits; small pictures are shown larger, up to `zoom`.
Size fit(const Pixels& pixels, int64_t width, int64_t height, int64_t zoom) {
  const int64_t largest_width = std::min(width, pixels.width * zoom);
  int64_t w = largest_width, h = std::max<int64_t>(1, w * pixels.height / pixels.width);
  if (h > height) {
    h = height;
    w = std::max<int64_t>(1, h * pixels.width / pixels.height);
  }
  return {w, h};
}

// The nearest colour of the 6 x 6 x 6 cube of 256-colour terminals.
uint32_t cube(uint32_t argb) {
  const auto step = [](uint32_t level) { return (level * 5 + 127) / 255; };
  return 16 + 36 * step(red(argb)) + 6 * step(green(argb)) + step(blue(argb));
}

std::string colour(uint32_t argb, bool foreground, bool is_true) {
  const int code = foreground ? 38 : 48;
  return is_true ? fmt::format("{};2;{};{};{}", code, red(argb), green(argb), blue(argb))
                 : fmt::format("{};5;{}", code, cube(argb));
}

// `▀` has its upper pixel as foreground and its lower one as background.
std::string halfBlocks(const Pixels& pixels, bool is_true) {
  std::string out;
  for (int64_t y = 0; y < pixels.height; y += 2) {
    for (int64_t x = 0; x < pixels.width; ++x) {
      const uint32_t upper = pixels.argb[static_cast<size_t>(y * pixels.width + x)];
      out += "\x1b[" + colour(upper, true, is_true);
      if (y + 1 < pixels.height) {
        const uint32_t lower = pixels.argb[static_cast<size_t>((y + 1) * pixels.width + x)];
        out += ";" + colour(lower, false, is_true);
      }
      out += "m▀";
    }
    out += "\x1b[0m\n";
  }
  return out;
}

std::string characters(const Pixels& pixels) {
  constexpr std::string_view kRamp = " .:-=+*#%@";
  std::string out;
  for (int64_t y = 0; y < pixels.height; ++y) {
    for (int64_t x = 0; x < pixels.width; ++x) {
      const uint32_t argb = pixels.argb[static_cast<size_t>(y * pixels.width + x)];
      const uint32_t level = (red(argb) * 3 + green(argb) * 6 + blue(argb)) / 10;
      out += kRamp[level * (kRamp.size() - 1) / 255];
    }
    out += '\n';
  }
  return out;
}

// Transmit and show a PNG, in pieces of 4096 characters.
std::string kitty(const Pixels& pixels, Size cells) {
  constexpr size_t kPiece = 4096;
  const std::string data = base64(value::toPng(pixels));
  std::string out;
  for (size_t at = 0; at < data.size(); at += kPiece) {
    const bool is_last = at + kPiece >= data.size();
    out += "\x1b_G";
    if (at == 0) out += fmt::format("a=T,f=100,c={},r={},", cells.width, cells.height);
    out += fmt::format("m={};", is_last ? 0 : 1);
    out += data.substr(at, kPiece);
    out += "\x1b\\";
  }
  return out + "\n";
}

}  // namespace

std::string modeName(Mode mode) { return kNames[static_cast<size_t>(mode)]; }

bool setMode(const std::string& name, Mode* mode) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return false;
  *mode = static_cast<Mode>(found - kNames.begin());
  return true;
}

std::string inTerminal(const Pixels& pixels, const Screen& screen) {
  constexpr int64_t kZoom = 8;
  const int64_t columns = std::max(screen.columns, 1);
  const int64_t rows = std::max(screen.rows - 2, 1);  // the prompt and the line before it
  const Size size = fit(pixels, columns, 2 * rows, kZoom);
  const Size cells{size.width, std::max<int64_t>(1, size.height / 2)};
  switch (screen.mode) {
    case Mode::kKitty:
      return kitty(pixels, cells);
    case Mode::kBlocks:
    case Mode::kBlocks256:
      return halfBlocks(scaled(pixels, size.width, size.height), screen.mode == Mode::kBlocks);
    case Mode::kAscii:
      return characters(scaled(pixels, cells.width, cells.height));
  }
  HALO_UNREACHABLE("picture mode");
}

}  // namespace halo::picture
