// Plots of values: lines over an axis, and matrices as heat maps; as text in braille (or ASCII) and
// as pictures, lines as SVG too.
#pragma once

#include <string>
#include <vector>

#include "cli/picture/terminal.h"

namespace halo::picture {

struct Series {
  std::string name;  // may be empty
  std::vector<double> xs, ys;
};

struct Plot {
  std::vector<Series> series;
  // Or a matrix, in rows.
  std::vector<double> heat;
  int64_t width = 0, height = 0;  // of the matrix
};

// `[n]t` over its indices, `([n]t, [n]t)` one over the other, `[h][w]t` as a heat map. A record of
// such pairs or arrays is several lines with the fields' names. Numbers of any type.
diag::Result<Plot> plotOf(const value::Value& value);

std::string inTerminal(const Plot& plot, const Screen& screen);
Pixels asPicture(const Plot& plot, int64_t width, int64_t height);
// Lines only.
std::string asSvg(const Plot& plot, int64_t width, int64_t height);

// Smallest and largest finite values; [0, 1] if there are none.
struct Extent {
  double low = 0, high = 1;
};
Extent extentOf(const std::vector<double>& values);
Extent extentOf(const Plot& plot, bool of_xs);

// Black over purple and orange to white; 0..1.
uint32_t heatColour(double level);

}  // namespace halo::picture
