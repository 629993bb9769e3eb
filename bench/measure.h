// The common part of the baselines: aligned arrays, reproducible data, best-of-N timing, one line
// of output.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace measure {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Floats = std::unique_ptr<float[], Free>;

// 64-byte aligned, uninitialised; the padding keeps whole-vector accesses at the end inside.
inline Floats floats(std::size_t count) {
  const std::size_t bytes = (count * sizeof(float) + 127) / 64 * 64;
  return Floats(static_cast<float*>(std::aligned_alloc(64, bytes)));
}

// Values between low and high, the same on every machine (a linear congruential generator).
inline void fill(float* data, std::size_t count, float low, float high) {
  std::uint32_t state = 12345;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    data[i] = low + (high - low) * static_cast<float>(state >> 8) * 0x1p-24f;
  }
}

inline double seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// Best of `runs` runs, after one that warms caches and pages, in milliseconds.
template <typename Run>
double bestMilliseconds(int runs, const Run& run) {
  run();
  double best = 1e30;
  for (int i = 0; i < runs; ++i) {
    const double start = seconds();
    run();
    best = std::min(best, seconds() - start);
  }
  return best * 1e3;
}

// `name ms_per_run 12.345 gb_per_s 67.8 check 1.23e+04`; the checksum shows that the work was done.
inline void report(const char* name, double milliseconds, const char* unit, double work_per_run,
                   double check) {
  std::printf("%s ms_per_run %.4f %s %.2f check %.9g\n", name, milliseconds, unit,
              work_per_run / (milliseconds * 1e-3) * 1e-9, check);
}

inline double sum(const float* data, std::size_t count) {
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) total += data[i];
  return total;
}

}  // namespace measure
