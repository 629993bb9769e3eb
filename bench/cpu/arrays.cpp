// The kernels of arrays.fut as an expert writes them in plain C++.
#include <cmath>

#include "suite.h"

namespace {

using suite::Add;
using suite::numbers;
using suite::sink;
using suite::words;
using I = std::ptrdiff_t;
constexpr I kCount = 4194304;

float dotOf(I n, const float* a, const float* b, float k) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (I i = 0; i < n; ++i) sum += a[i] * (b[i] + k);
  return sum;
}

Add dot("dot", [] {
  auto a = numbers(kCount), b = numbers(kCount);
  return [=] {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (I i = 0; i < kCount; ++i) sum += a.get()[i] * b.get()[i];
    sink = sum;
  };
});

Add dot_cached("dot_cached", [] {
  auto a = numbers(4096), b = numbers(4096);
  return [=] {
    float sum = 0;
    for (int i = 0; i < 1000; ++i) sum += dotOf(4096, a.get(), b.get(), static_cast<float>(i));
    sink = sum;
  };
});

Add sum_f32("sum_f32", [] {
  auto a = numbers(kCount);
  return [=] {
    const float* p = a.get();
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (I i = 0; i < kCount; ++i) sum += p[i];
    sink = sum;
  };
});

Add sum_i32("sum_i32", [] {
  auto a = words(kCount);
  return [=] {
    const std::uint32_t* p = a.get();
    std::uint32_t sum = 0;
    for (I i = 0; i < kCount; ++i) sum += p[i];
    sink = sum;
  };
});

Add max_f32("max_f32", [] {
  auto a = numbers(kCount);
  return [=] {
    const float* p = a.get();
    float most = -INFINITY;
#pragma omp simd reduction(max : most)
    for (I i = 0; i < kCount; ++i) most = p[i] > most ? p[i] : most;
    sink = most;
  };
});

Add argmax("argmax", [] {
  auto a = numbers(kCount);
  return [=] {
    const float* p = a.get();
    float most = -INFINITY;
    I at = -1;
    for (I i = 0; i < kCount; ++i)
      if (p[i] > most) most = p[i], at = i;
    sink = static_cast<double>(at);
  };
});

Add column_sums("column_sums", [] {
  constexpr I n = 2048;
  auto a = numbers(n * n);
  auto sums = suite::array<float>(n);
  return [=] {
    float* __restrict s = sums.get();
    std::fill(s, s + n, 0.0f);
    for (I y = 0; y < n; ++y)
      for (I x = 0; x < n; ++x) s[x] += a.get()[y * n + x];
  };
});

Add scan_i32("scan_i32", [] {
  auto a = words(kCount), out = suite::array<std::uint32_t>(kCount);
  return [=] {
    std::uint32_t sum = 0;
    for (I i = 0; i < kCount; ++i) out.get()[i] = sum += a.get()[i];
  };
});

Add scan_f32("scan_f32", [] {
  auto a = numbers(kCount), out = suite::array<float>(kCount);
  return [=] {
    float sum = 0;
    for (I i = 0; i < kCount; ++i) out.get()[i] = sum += a.get()[i];
  };
});

Add segmented_scan("segmented_scan", [] {
  auto a = words(kCount), out = suite::array<std::uint32_t>(kCount);
  return [=] {
    std::uint32_t sum = 0;
    for (I i = 0; i < kCount; ++i) {
      const std::uint32_t x = a.get()[i];
      out.get()[i] = sum = (x & 15) == 0 ? x : sum + x;
    }
  };
});

// Four tables where they fit the first cache: equal neighbours do not wait for each other.
template <std::uint32_t kBins, I kTables>
suite::Run histogram() {
  auto a = words(kCount);
  auto tables = suite::array<std::int32_t>(kBins * kTables);
  return [=] {
    std::int32_t* t = tables.get();
    std::fill(t, t + kBins * kTables, 0);
    for (I i = 0; i < kCount; i += kTables)
      for (I k = 0; k < kTables; ++k) t[((a.get()[i + k] >> 4) % kBins) + k * kBins]++;
    for (I k = 1; k < kTables; ++k)
      for (std::uint32_t b = 0; b < kBins; ++b) t[b] += t[b + k * kBins];
  };
}
Add hist16("hist16", histogram<16, 4>);
Add hist4096("hist4096", histogram<4096, 2>);
Add hist1000000("hist1000000", histogram<1000000, 1>);

// The algorithm of the Halo program, one bit at a time: counts, then a stable split.
Add radix_sort("radix_sort", [] {
  constexpr I n = 1048576;
  auto start = words(n), a = suite::array<std::uint32_t>(n), b = suite::array<std::uint32_t>(n);
  return [=] {
    std::copy(start.get(), start.get() + n, a.get());
    std::uint32_t *from = a.get(), *to = b.get();
    for (int bit = 0; bit < 32; ++bit, std::swap(from, to)) {
      I ones = 0;
      for (I i = 0; i < n; ++i) ones += from[i] >> bit & 1;
      I next[2] = {0, n - ones};
      for (I i = 0; i < n; ++i) to[next[from[i] >> bit & 1]++] = from[i];
    }
  };
});

Add filter_half("filter_half", [] {
  auto a = words(kCount), out = suite::array<std::uint32_t>(kCount);
  return [=] {
    I k = 0;
    for (I i = 0; i < kCount; ++i) {  // always stored, kept only if it counts
      out.get()[k] = a.get()[i];
      k += a.get()[i] % 2 == 0;
    }
    sink = static_cast<double>(k);
  };
});

Add permute("permute", [] {
  constexpr I n = 1048576;
  auto a = words(n), out = suite::array<std::uint32_t>(n);
  return [=] {
    std::fill(out.get(), out.get() + n, 0u);
    for (I i = 0; i < n; ++i) out.get()[i * 514229 % n] = a.get()[i];
  };
});

Add bfs("bfs", [] {
  constexpr I n = 1048576;
  auto seeds = words(n);
  auto depths = suite::array<std::int32_t>(n);
  auto queue = suite::array<I>(n);
  return [=] {
    std::fill(depths.get(), depths.get() + n, -1);
    I head = 0, tail = 0;
    queue[0] = 0, tail = 1, depths[0] = 0;
    while (head < tail) {
      const I v = queue.get()[head++];
      const std::int32_t level = depths.get()[v] + 1;
      for (std::uint32_t k = 0; k < 4; ++k) {
        const I w = (seeds.get()[v] * (2 * k + 1) + k * 977) % n;
        if (depths.get()[w] >= 0) continue;
        depths.get()[w] = level;
        queue.get()[tail++] = w;
      }
    }
  };
});

}  // namespace
