// Plots as text. Braille has 2 x 4 dots in a cell: `⠁` is dot 1, and the cell's number is the sum
// of its dots' weights.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/picture/canvas.h"
#include "cli/picture/plot.h"

namespace halo::picture {

namespace {

constexpr int64_t kLabel = 9;  // columns for the numbers of the y axis

std::string number(double value) { return fmt::format("{:.4g}", value); }

class Braille {
 public:
  Braille(int64_t columns, int64_t rows, bool has_unicode)
      : columns_(columns),
        rows_(rows),
        has_unicode_(has_unicode),
        cells_(static_cast<size_t>(columns * rows), 0) {}

  int64_t width() const { return columns_ * 2; }
  int64_t height() const { return rows_ * 4; }

  void dot(int64_t x, int64_t y) {
    static constexpr uint8_t kWeights[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    if (x < 0 || y < 0 || x >= width() || y >= height()) return;
    cells_[static_cast<size_t>(y / 4 * columns_ + x / 2)] |= kWeights[y % 4][x % 2];
  }

  std::string row(int64_t row) const {
    std::string out;
    for (int64_t column = 0; column < columns_; ++column) {
      const uint8_t dots = cells_[static_cast<size_t>(row * columns_ + column)];
      if (!has_unicode_ || dots == 0) {
        out += dots == 0 ? ' ' : '*';
        continue;
      }
      out += '\xe2';  // U+2800 + dots
      out += static_cast<char>(0xa0 | dots >> 6);
      out += static_cast<char>(0x80 | (dots & 63));
    }
    return out;
  }

 private:
  int64_t columns_, rows_;
  bool has_unicode_;
  std::vector<uint8_t> cells_;
};

std::string lines(const Plot& plot, const Screen& screen) {
  const int64_t columns = std::clamp<int64_t>(screen.columns - kLabel - 2, 8, 100);
  const int64_t rows = std::clamp<int64_t>(screen.rows - 5, 3, 20);
  const Extent xs = extentOf(plot, true), ys = extentOf(plot, false);
  Braille canvas(columns, rows, screen.has_unicode);
  for (const Series& series : plot.series) {
    drawLine(series, xs, ys, canvas.width(), canvas.height(),
             [&](int64_t x, int64_t y) { canvas.dot(x, y); });
  }
  const char* bar = screen.has_unicode ? "│" : "|";
  std::string out;
  for (int64_t row = 0; row < rows; ++row) {
    std::string label;
    if (row == 0) label = number(ys.high);
    if (row == rows - 1) label = number(ys.low);
    out += fmt::format("{:>{}} {}{}\n", label, kLabel, bar, canvas.row(row));
  }
  const std::string left = number(xs.low), right = number(xs.high);
  const auto room = static_cast<size_t>(std::max<int64_t>(1, columns - std::ssize(left)));
  return out + fmt::format("{:{}}{}{:>{}}\n", "", kLabel + 2, left, right, room);
}

std::string heat(const Plot& plot, const Screen& screen) {
  const Extent extent = extentOf(plot.heat);
  Pixels pixels{plot.width, plot.height, {}};
  const bool is_grey = screen.mode == Mode::kAscii;
  for (double value : plot.heat) {
    const double level = (value - extent.low) / (extent.high - extent.low);
    const auto grey = static_cast<uint32_t>(
        std::isfinite(level) ? std::nearbyint(std::clamp(level, 0.0, 1.0) * 255) : 0);
    pixels.argb.push_back(is_grey ? 0xff000000 | grey * 0x010101 : heatColour(level));
  }
  Screen smaller = screen;
  smaller.rows = std::max(3, screen.rows - 1);
  return inTerminal(pixels, smaller) +
         fmt::format("{} to {}\n", number(extent.low), number(extent.high));
}

}  // namespace

std::string inTerminal(const Plot& plot, const Screen& screen) {
  return plot.heat.empty() ? lines(plot, screen) : heat(plot, screen);
}

}  // namespace halo::picture
