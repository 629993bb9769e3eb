// Bresenham's lines, and a font of the fourteen letters that numbers need.
#include "cli/picture/canvas.h"

#include <array>
#include <cmath>
#include <optional>

namespace halo::picture {

namespace {

using Dot = std::function<void(int64_t, int64_t)>;

struct Point {
  int64_t x, y;
};

void segment(Point a, Point b, const Dot& dot) {
  const int64_t dx = std::abs(b.x - a.x), dy = -std::abs(b.y - a.y);
  const int64_t step_x = a.x < b.x ? 1 : -1, step_y = a.y < b.y ? 1 : -1;
  int64_t error = dx + dy;
  for (;;) {
    dot(a.x, a.y);
    if (a.x == b.x && a.y == b.y) return;
    const int64_t twice = 2 * error;
    if (twice >= dy) error += dy, a.x += step_x;
    if (twice <= dx) error += dx, a.y += step_y;
  }
}

constexpr std::string_view kLetters = "0123456789.-+e";
// Rows from the top, five points each, the leftmost being 16.
constexpr std::array<std::array<uint8_t, 7>, 14> kFont = {{
    {14, 17, 19, 21, 25, 17, 14},
    {4, 12, 4, 4, 4, 4, 14},
    {14, 17, 1, 2, 4, 8, 31},
    {31, 2, 4, 2, 1, 17, 14},
    {2, 6, 10, 18, 31, 2, 2},
    {31, 16, 30, 1, 1, 17, 14},
    {6, 8, 16, 30, 17, 17, 14},
    {31, 1, 2, 4, 8, 8, 8},
    {14, 17, 17, 14, 17, 17, 14},
    {14, 17, 17, 15, 1, 2, 12},
    {0, 0, 0, 0, 0, 12, 12},
    {0, 0, 0, 31, 0, 0, 0},
    {0, 4, 4, 31, 4, 4, 0},
    {0, 0, 14, 17, 31, 16, 14},
}};

}  // namespace

void drawLine(const Series& series, const Extent& xs, const Extent& ys, int64_t width,
              int64_t height, const Dot& dot) {
  const auto place = [](double value, const Extent& extent, int64_t size) {
    // Halved first: the range of two doubles may be larger than any double.
    const double at = (value / 2 - extent.low / 2) / (extent.high / 2 - extent.low / 2);
    return std::isfinite(at)
               ? static_cast<int64_t>(std::nearbyint(at * static_cast<double>(size - 1)))
               : int64_t{0};
  };
  std::optional<Point> last;
  for (size_t i = 0; i < series.xs.size(); ++i) {
    if (!std::isfinite(series.xs[i]) || !std::isfinite(series.ys[i])) {
      last.reset();  // a gap
      continue;
    }
    const Point point{place(series.xs[i], xs, width), height - 1 - place(series.ys[i], ys, height)};
    segment(last.value_or(point), point, dot);
    last = point;
  }
}

void drawNumber(std::string_view text, int64_t x, int64_t y, const Dot& dot) {
  for (char letter : text) {
    const size_t at = kLetters.find(letter);
    for (int64_t row = 0; at != std::string_view::npos && row < kLetterHeight; ++row) {
      for (int64_t column = 0; column < 5; ++column) {
        if ((kFont[at][static_cast<size_t>(row)] >> (4 - column) & 1) != 0)
          dot(x + column, y + row);
      }
    }
    x += kLetterWidth;
  }
}

}  // namespace halo::picture
