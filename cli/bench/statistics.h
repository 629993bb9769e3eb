// Statistics of a list of run times, and when it is long enough.
#pragma once

#include <cstddef>
#include <span>

namespace halo::bench {

double meanOf(std::span<const double> values);
double medianOf(std::span<const double> values);
// Of the mean, estimated; 0 for fewer than two values.
double standardError(std::span<const double> values);

struct Interval {
  double low, high;
};
// 95 % confidence of the mean.
Interval confidenceOf(std::span<const double> values);

// Correlation of each value with the next: near 1 while a machine warms up or slows down.
double autocorrelation(std::span<const double> values);

// How many runs shall follow; 0: the mean is known well enough. The thresholds are Futhark's: the
// more successive runs depend on each other, the smaller the relative error must be.
size_t moreRuns(std::span<const double> values);

}  // namespace halo::bench
