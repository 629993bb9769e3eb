// Plots as SVG: lines with ticks at round numbers, a grid, and a legend where lines have names.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/picture/plot.h"

namespace halo::picture {

namespace {

constexpr std::array<const char*, 6> kStrokes = {"#1f77b4", "#d62728", "#2ca02c",
                                                 "#ff7f0e", "#9467bd", "#17becf"};
constexpr double kLeft = 64, kTop = 12, kBottom = 28, kRight = 14, kLegendWidth = 130;
constexpr int kTicks = 5;  // about so many an axis

// 1, 2 or 5 times a power of ten.
double stepOf(const Extent& extent) {
  const double rough = (extent.high - extent.low) / kTicks;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double digit = rough / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

std::string escapedName(std::string_view text) {
  std::string result;
  for (char c : text) {
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return result;
}

class Drawing {
 public:
  Drawing(const Plot& plot, int64_t width, int64_t height)
      : plot_(plot), xs_(extentOf(plot, true)), ys_(extentOf(plot, false)) {
    has_legend_ = std::any_of(plot.series.begin(), plot.series.end(),
                              [](const Series& series) { return !series.name.empty(); });
    right_ = static_cast<double>(width) - kRight - (has_legend_ ? kLegendWidth : 0);
    bottom_ = static_cast<double>(height) - kBottom;
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        width, height);
  }

  std::string run() {
    ticks(xs_, true);
    ticks(ys_, false);
    text_ +=
        fmt::format("<path d=\"M{:.1f},{:.1f}V{:.1f}H{:.1f}\" fill=\"none\" stroke=\"black\"/>\n",
                    kLeft, kTop, bottom_, right_);
    for (size_t i = 0; i < plot_.series.size(); ++i) line(i);
    return text_ + "</svg>\n";
  }

 private:
  static double at(const Extent& extent, double value, double low, double high) {
    return low + (value - extent.low) / (extent.high - extent.low) * (high - low);
  }
  double xOf(double x) const { return at(xs_, x, kLeft, right_); }
  double yOf(double y) const { return at(ys_, y, bottom_, kTop); }

  void ticks(const Extent& extent, bool of_xs) {
    const double step = stepOf(extent);
    for (double k = std::ceil(extent.low / step); k * step <= extent.high + step * 1e-9; ++k) {
      const double value = k * step;
      const double place = of_xs ? xOf(value) : yOf(value);
      text_ += of_xs ? fmt::format(
                           "<path d=\"M{0:.1f},{1:.1f}V{2:.1f}\" stroke=\"#ddd\"/>"
                           "<text x=\"{0:.1f}\" y=\"{3:.1f}\" "
                           "text-anchor=\"middle\">{4:.6g}</text>\n",
                           place, kTop, bottom_, bottom_ + 18, value)
                     : fmt::format(
                           "<path d=\"M{0:.1f},{1:.1f}H{2:.1f}\" stroke=\"#ddd\"/>"
                           "<text x=\"{3:.1f}\" y=\"{4:.1f}\" "
                           "text-anchor=\"end\">{5:.6g}</text>\n",
                           kLeft, place, right_, kLeft - 6, place + 4, value);
    }
  }

  // A line, with gaps where a number is not finite; and its name.
  void line(size_t i) {
    const Series& series = plot_.series[i];
    const char* colour = kStrokes[i % kStrokes.size()];
    std::string path;
    bool is_drawn = false;
    for (size_t k = 0; k < series.xs.size(); ++k) {
      const bool is_finite = std::isfinite(series.xs[k]) && std::isfinite(series.ys[k]);
      if (is_finite) {
        path += fmt::format("{}{:.2f},{:.2f}", is_drawn ? "L" : "M", xOf(series.xs[k]),
                            yOf(series.ys[k]));
      }
      is_drawn = is_finite;
    }
    text_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n",
                         path, colour);
    if (series.name.empty()) return;
    const double x = right_ + 12, y = kTop + 10 + 18 * static_cast<double>(i);
    text_ += fmt::format(
        "<path d=\"M{:.1f},{:.1f}h18\" stroke=\"{}\" stroke-width=\"2\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        x, y, colour, x + 24, y + 4, escapedName(series.name));
  }

  const Plot& plot_;
  Extent xs_, ys_;
  bool has_legend_;
  double right_, bottom_;
  std::string text_;
};

}  // namespace

std::string asSvg(const Plot& plot, int64_t width, int64_t height) {
  return Drawing(plot, width, height).run();
}

}  // namespace halo::picture
