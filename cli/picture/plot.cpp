// From values to series of numbers, and the common part of both renderings.
#include "cli/picture/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace halo::picture {

using value::Value;

namespace {

diag::Failure notPlottable() {
  return diag::fail(diag::Code::value_not_printable, {},
                    "a plot needs numbers: `[n]t`, a pair `([n]t, [n]t)`, a record of those, or a "
                    "matrix `[h][w]t`");
}

diag::Result<std::vector<double>> numbersOf(const Value& value, int rank) {
  if (value.array() == nullptr || value.array()->rank() != rank) return notPlottable();
  const auto dense = value::toDense(*value.array());
  if (!dense) return diag::Failure(dense.error());
  std::vector<double> numbers;
  for (int64_t i = 0; i < dense->elements(); ++i) {
    const value::Scalar scalar = dense->at(i);
    numbers.push_back(prim::isFloat(scalar.type)    ? scalar.asDouble()
                      : prim::isSigned(scalar.type) ? static_cast<double>(scalar.asSigned())
                                                    : static_cast<double>(scalar.bits));
  }
  return numbers;
}

bool isPair(const Value& value) {
  const value::Record* record = value.record();
  return record != nullptr && record->isTuple() && record->fields.size() == 2;
}

diag::Result<Series> seriesOf(const Value& value, std::string name) {
  auto ys = numbersOf(isPair(value) ? value.record()->fields[1] : value, 1);
  if (!ys) return diag::Failure(ys.error());
  Series series{std::move(name), {}, std::move(*ys)};
  if (isPair(value)) {
    auto xs = numbersOf(value.record()->fields[0], 1);
    if (!xs) return diag::Failure(xs.error());
    series.xs = std::move(*xs);
  } else {
    for (size_t i = 0; i < series.ys.size(); ++i) series.xs.push_back(static_cast<double>(i));
  }
  const size_t n = std::min(series.xs.size(), series.ys.size());
  series.xs.resize(n);
  series.ys.resize(n);
  return series;
}

}  // namespace

diag::Result<Plot> plotOf(const Value& value) {
  Plot plot;
  if (value.array() != nullptr && value.array()->rank() == 2 && value.array()->elements() > 0) {
    auto numbers = numbersOf(value, 2);
    if (!numbers) return diag::Failure(numbers.error());
    plot.heat = std::move(*numbers);
    plot.height = value.array()->shape()[0];
    plot.width = value.array()->shape()[1];
    return plot;
  }
  const value::Record* record = value.record();
  if (record == nullptr || isPair(value)) {
    auto series = seriesOf(value, "");
    if (!series) return diag::Failure(series.error());
    plot.series.push_back(std::move(*series));
    return plot;
  }
  if (record->fields.empty()) return notPlottable();
  for (size_t i = 0; i < record->fields.size(); ++i) {
    auto series = seriesOf(record->fields[i], record->isTuple() ? "" : record->names[i]);
    if (!series) return diag::Failure(series.error());
    plot.series.push_back(std::move(*series));
  }
  return plot;
}

Extent extentOf(const std::vector<double>& values) {
  Extent extent{INFINITY, -INFINITY};
  for (double value : values) {
    if (!std::isfinite(value)) continue;
    extent.low = std::min(extent.low, value);
    extent.high = std::max(extent.high, value);
  }
  if (extent.low > extent.high) return {0, 1};
  if (extent.low == extent.high) return {extent.low - 0.5, extent.high + 0.5};
  return extent;
}

Extent extentOf(const Plot& plot, bool of_xs) {
  std::vector<double> ends;
  for (const Series& series : plot.series) {
    const std::vector<double>& values = of_xs ? series.xs : series.ys;
    if (values.empty()) continue;
    const Extent extent = extentOf(values);
    ends.push_back(extent.low);
    ends.push_back(extent.high);
  }
  return extentOf(ends);
}

uint32_t heatColour(double level) {
  struct Stop {
    double red, green, blue;
  };
  constexpr std::array<Stop, 5> kStops = {
      {{0, 0, 4}, {87, 16, 110}, {188, 55, 84}, {249, 142, 9}, {252, 255, 164}}};
  if (!std::isfinite(level)) return 0xff808080;
  const double at = std::clamp(level, 0.0, 1.0) * (kStops.size() - 1);
  const auto i = std::min(static_cast<size_t>(at), kStops.size() - 2);
  const double t = at - static_cast<double>(i);
  const auto mix = [&](double a, double b) {
    return static_cast<uint32_t>(std::nearbyint(a + (b - a) * t));
  };
  const Stop &a = kStops[i], &b = kStops[i + 1];
  return 0xff000000 | mix(a.red, b.red) << 16 | mix(a.green, b.green) << 8 | mix(a.blue, b.blue);
}

}  // namespace halo::picture
