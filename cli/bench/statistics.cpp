#include "cli/bench/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace halo::bench {

double meanOf(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double medianOf(std::span<const double> values) {
  if (values.empty()) return 0;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double standardError(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = meanOf(values);
  double squares = 0;
  for (double value : values) squares += (value - mean) * (value - mean);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(squares / (n - 1) / n);
}

Interval confidenceOf(std::span<const double> values) {
  const double mean = meanOf(values);
  const double half = 1.96 * standardError(values);
  return {mean - half, mean + half};
}

double autocorrelation(std::span<const double> values) {
  const double mean = meanOf(values);
  double squares = 0;
  double products = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - mean) * (values[i] - mean);
    if (i > 0) products += (values[i] - mean) * (values[i - 1] - mean);
  }
  return squares == 0 ? 0 : products / squares;
}

size_t moreRuns(std::span<const double> values) {
  struct Threshold {
    double autocorrelation, error;
  };
  static constexpr std::array kThresholds = {Threshold{0.95, 0.0010}, Threshold{0.75, 0.0015},
                                             Threshold{0.65, 0.0025}, Threshold{0.45, 0.0050},
                                             Threshold{-1.0, 0.01}};
  const double mean = meanOf(values);
  if (values.size() < 2 || mean == 0) return 0;
  const double error = standardError(values) / mean;
  const double correlation = autocorrelation(values);
  const bool is_noisy =
      std::any_of(kThresholds.begin(), kThresholds.end(), [&](const Threshold& threshold) {
        return correlation >= threshold.autocorrelation && error > threshold.error;
      });
  return is_noisy ? values.size() / 2 : 0;
}

}  // namespace halo::bench
