// Plots as pictures: axes, numbers at their ends, lines in different colours; a matrix in heat
// colours, enlarged to whole multiples.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/picture/canvas.h"
#include "cli/picture/plot.h"

namespace halo::picture {

namespace {

constexpr uint32_t kWhite = 0xffffffff, kBlack = 0xff000000, kGrey = 0xffb0b0b0;
constexpr std::array<uint32_t, 6> kColours = {0xff1f77b4, 0xffd62728, 0xff2ca02c,
                                              0xffff7f0e, 0xff9467bd, 0xff17becf};
constexpr int64_t kMargin = 12;

class Sheet {
 public:
  Sheet(int64_t width, int64_t height)
      : pixels{width, height, std::vector<uint32_t>(static_cast<size_t>(width * height), kWhite)} {}

  void set(int64_t x, int64_t y, uint32_t argb) {
    if (x < 0 || y < 0 || x >= pixels.width || y >= pixels.height) return;
    pixels.argb[static_cast<size_t>(y * pixels.width + x)] = argb;
  }
  void number(double value, int64_t x, int64_t y, bool right) {
    const std::string text = fmt::format("{:.4g}", value);
    if (right) x -= static_cast<int64_t>(text.size()) * kLetterWidth;
    drawNumber(text, x, y, [&](int64_t a, int64_t b) { set(a, b, kBlack); });
  }

  Pixels pixels;
};

Pixels heat(const Plot& plot, int64_t width) {
  const Extent extent = extentOf(plot.heat);
  const int64_t zoom = std::max<int64_t>(1, width / plot.width);
  Pixels pixels{plot.width * zoom, plot.height * zoom, {}};
  for (int64_t y = 0; y < pixels.height; ++y) {
    for (int64_t x = 0; x < pixels.width; ++x) {
      const double value = plot.heat[static_cast<size_t>(y / zoom * plot.width + x / zoom)];
      pixels.argb.push_back(heatColour((value - extent.low) / (extent.high - extent.low)));
    }
  }
  return pixels;
}

}  // namespace

Pixels asPicture(const Plot& plot, int64_t width, int64_t height) {
  if (!plot.heat.empty()) return heat(plot, width);
  const Extent xs = extentOf(plot, true), ys = extentOf(plot, false);
  const int64_t left = 8 * kLetterWidth, bottom = height - 2 * kLetterHeight - 4;
  const int64_t inner_width = width - left - kMargin, inner_height = bottom - kMargin;
  Sheet sheet(width, height);
  for (int64_t x = 0; x < inner_width; ++x) sheet.set(left + x, bottom, kGrey);
  for (int64_t y = kMargin; y <= bottom; ++y) sheet.set(left - 1, y, kGrey);
  sheet.number(ys.high, left - 4, kMargin, true);
  sheet.number(ys.low, left - 4, bottom - kLetterHeight, true);
  sheet.number(xs.low, left, bottom + 4, false);
  sheet.number(xs.high, width - kMargin, bottom + 4, true);
  for (size_t i = 0; i < plot.series.size(); ++i) {
    const uint32_t colour = kColours[i % kColours.size()];
    drawLine(plot.series[i], xs, ys, inner_width, inner_height, [&](int64_t x, int64_t y) {
      sheet.set(left + x, kMargin + y, colour);
      sheet.set(left + x, kMargin + y + 1, colour);
    });
  }
  return std::move(sheet.pixels);
}

}  // namespace halo::picture
