// The canvas of plots: points of a line between the data, on any grid.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "cli/picture/plot.h"

namespace halo::picture {

// Calls `dot` for every point of the line through the series, y growing downwards.
void drawLine(const Series& series, const Extent& xs, const Extent& ys, int64_t width,
              int64_t height, const std::function<void(int64_t x, int64_t y)>& dot);

// Text in letters of 5 x 7 points at a stride of 6: digits, `.`, `-`, `+` and `e`.
void drawNumber(std::string_view text, int64_t x, int64_t y,
                const std::function<void(int64_t x, int64_t y)>& dot);
inline constexpr int64_t kLetterWidth = 6, kLetterHeight = 7;

}  // namespace halo::picture
