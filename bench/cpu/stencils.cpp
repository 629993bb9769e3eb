// The stencils of stencils.fut as an expert writes them in plain C++: two buffers, restrict
// pointers, rows with their neighbours. Border cells are peeled from an interior that vectorises.
#include "suite.h"

#include <immintrin.h>

namespace {

using suite::Add;
using suite::numbers;
using I = std::ptrdiff_t;

inline I clampTo(I i, I n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

// Runs `cell(x, neighbour(dy, dx))` on all cells; reach is the number of border columns.
template <int kReach, typename T, typename Cell>
void sweep2d(I rows, I columns, const T* __restrict from, T* __restrict to, const Cell& cell) {
  for (I y = 0; y < rows; ++y) {
    const T* near[2 * kReach + 1];
    for (I dy = -kReach; dy <= kReach; ++dy)
      near[dy + kReach] = from + clampTo(y + dy, rows) * columns;
    T* out = to + y * columns;
    const auto edge = [&](I x) {
      out[x] = cell(y * columns + x,
                    [&](I dy, I dx) { return near[dy + kReach][clampTo(x + dx, columns)]; });
    };
    for (I x = 0; x < kReach; ++x) edge(x);
#pragma GCC ivdep
    for (I x = kReach; x < columns - kReach; ++x)
      out[x] = cell(y * columns + x, [&](I dy, I dx) { return near[dy + kReach][x + dx]; });
    for (I x = columns - kReach; x < columns; ++x) edge(x);
  }
}

template <int kReach, typename Cell>
void sweep3d(I planes, I rows, I columns, const float* __restrict from, float* __restrict to,
             const Cell& cell) {
  for (I z = 0; z < planes; ++z) {
    for (I y = 0; y < rows; ++y) {
      const float *up[2 * kReach + 1], *north[2 * kReach + 1];
      for (I d = -kReach; d <= kReach; ++d) {
        up[d + kReach] = from + (clampTo(z + d, planes) * rows + y) * columns;
        north[d + kReach] = from + (z * rows + clampTo(y + d, rows)) * columns;
      }
      const I base = (z * rows + y) * columns;
      const auto at = [&](I x) {
        return [&, x](I dz, I dy, I dx) {
          return dz ? up[dz + kReach][x] : dy ? north[dy + kReach][x] : up[kReach][x + dx];
        };
      };
      const auto edge = [&](I x) {
        to[base + x] = cell(base + x, [&](I dz, I dy, I dx) {
          return dx ? up[kReach][clampTo(x + dx, columns)] : at(x)(dz, dy, 0);
        });
      };
      for (I x = 0; x < kReach; ++x) edge(x);
#pragma GCC ivdep
      for (I x = kReach; x < columns - kReach; ++x) to[base + x] = cell(base + x, at(x));
      for (I x = columns - kReach; x < columns; ++x) edge(x);
    }
  }
}

// `steps` steps from `start` through two buffers.
template <typename T, typename Step>
suite::Run iterate(int steps, std::shared_ptr<T[]> start, std::size_t cells, Step step) {
  auto a = suite::array<T>(cells), b = suite::array<T>(cells);
  return [=] {
    step(start.get(), a.get());
    T *from = a.get(), *to = b.get();
    for (int i = 1; i < steps; ++i, std::swap(from, to)) step(from, to);
  };
}

// The scaling loop of STREAM with stores past the caches: the cost of a sweep over memory.
Add jacobi5_stream("jacobi5_stream", [] {
  constexpr I cells = 8192 * 8192;
  auto a = numbers(cells), b = suite::array<float>(cells);
  return [=] {
    const float* __restrict from = a.get();
    float* __restrict to = b.get();
    for (I i = 0; i < cells; i += 16) {
      for (I k = 0; k < 16; k += 4)
        _mm_stream_ps(to + i + k, _mm_mul_ps(_mm_set1_ps(0.2f), _mm_load_ps(from + i + k)));
    }
    _mm_sfence();
  };
});

Add hotspot("hotspot", [] {
  constexpr I n = 1024;
  auto power = numbers(n * n);
  return iterate(50, numbers(n * n), n * n, [=](const float* from, float* to) {
    const float* p = power.get();
    sweep2d<1>(n, n, from, to, [p](I i, auto v) {
      const float t = v(0, 0);
      return t + 0.3f * (p[i] + (v(0, 1) + v(0, -1) - 2 * t) * 0.1f +
                         (v(1, 0) + v(-1, 0) - 2 * t) * 0.15f + (80 - t) * 0.05f);
    });
  });
});

Add hotspot3d("hotspot3d", [] {
  constexpr I k = 8, n = 512;
  auto power = numbers(k * n * n);
  return iterate(20, numbers(k * n * n), k * n * n, [=](const float* from, float* to) {
    const float* p = power.get();
    sweep3d<1>(k, n, n, from, to, [p](I i, auto v) {
      return v(0, 0, 0) * 0.4f + v(0, -1, 0) * 0.1f + v(0, 1, 0) * 0.1f + v(0, 0, 1) * 0.12f +
             v(0, 0, -1) * 0.12f + v(1, 0, 0) * 0.08f + v(-1, 0, 0) * 0.08f + 0.3f * p[i] +
             0.08f * 80;
    });
  });
});

Add srad("srad", [] {
  constexpr I n = 1024;
  auto start = numbers(n * n);
  for (I i = 0; i < n * n; ++i) start[static_cast<std::size_t>(i)] += 1;
  auto north = suite::array<float>(n * n), south = suite::array<float>(n * n);
  auto west = suite::array<float>(n * n), east = suite::array<float>(n * n);
  auto c = suite::array<float>(n * n);
  return iterate(10, start, n * n, [=](const float* from, float* to) {
    float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
    for (I i = 0; i < n * n; ++i) sum += from[i], squares += from[i] * from[i];
    const float mean = sum / (n * n), q0 = (squares / (n * n) - mean * mean) / (mean * mean);
    float *N = north.get(), *S = south.get(), *W = west.get(), *E = east.get();
    sweep2d<1>(n, n, from, c.get(), [=](I i, auto v) {
      const float x = v(0, 0), nn = v(-1, 0) - x, s = v(1, 0) - x, w = v(0, -1) - x,
                  e = v(0, 1) - x;
      const float g = (nn * nn + s * s + w * w + e * e) / (x * x), l = (nn + s + w + e) / x;
      const float d = 1 + 0.25f * l, q = (0.5f * g - l * l / 16) / (d * d);
      const float r = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
      N[i] = nn, S[i] = s, W[i] = w, E[i] = e;
      return r < 0 ? 0.0f : r > 1 ? 1.0f : r;
    });
    sweep2d<1>(n, n, c.get(), to, [=](I i, auto v) {
      return from[i] + 0.125f * (v(0, 0) * (N[i] + W[i]) + v(1, 0) * S[i] + v(0, 1) * E[i]);
    });
  });
});

suite::Run jacobi5(I n, int steps) {
  return iterate(steps, numbers(n * n), n * n, [=](const float* from, float* to) {
    sweep2d<1>(n, n, from, to, [](I, auto v) {
      return 0.2f * (v(-1, 0) + v(0, -1) + v(0, 0) + v(0, 1) + v(1, 0));
    });
  });
}
Add jacobi5_memory("jacobi5", [] { return jacobi5(4096, 5); });
Add jacobi5_cached("jacobi5_cached", [] { return jacobi5(512, 100); });

Add jacobi9("jacobi9", [] {
  constexpr I n = 4096;
  return iterate(5, numbers(n * n), n * n, [=](const float* from, float* to) {
    sweep2d<1>(n, n, from, to, [](I, auto v) {
      return 0.11f * (v(-1, -1) + v(-1, 0) + v(-1, 1) + v(0, -1) + v(0, 0) + v(0, 1) + v(1, -1) +
                      v(1, 0) + v(1, 1));
    });
  });
});

Add jacobi3d7("jacobi3d7", [] {
  constexpr I n = 256;
  return iterate(3, numbers(n * n * n), n * n * n, [=](const float* from, float* to) {
    sweep3d<1>(n, n, n, from, to, [](I, auto v) {
      return 0.14f * (v(-1, 0, 0) + v(0, -1, 0) + v(0, 0, -1) + v(0, 0, 0) + v(0, 0, 1) +
                      v(0, 1, 0) + v(1, 0, 0));
    });
  });
});

Add jacobi3d13("jacobi3d13", [] {
  constexpr I n = 256;
  return iterate(3, numbers(n * n * n), n * n * n, [=](const float* from, float* to) {
    sweep3d<2>(n, n, n, from, to, [](I, auto v) {
      return 0.07f * (v(-2, 0, 0) + v(-1, 0, 0) + v(0, -2, 0) + v(0, -1, 0) + v(0, 0, -2) +
                      v(0, 0, -1) + v(0, 0, 0) + v(0, 0, 1) + v(0, 0, 2) + v(0, 1, 0) + v(0, 2, 0) +
                      v(1, 0, 0) + v(2, 0, 0));
    });
  });
});

float bell(I r, I i) { return 1.0f / static_cast<float>(1 + i * i) / static_cast<float>(r); }

template <int kReach>
suite::Run gaussPlain(I n) {
  float weights[2 * kReach + 1][2 * kReach + 1];
  for (I y = -kReach; y <= kReach; ++y)
    for (I x = -kReach; x <= kReach; ++x)
      weights[y + kReach][x + kReach] = bell(kReach, y) * bell(kReach, x);
  return iterate(1, numbers(n * n), n * n, [=](const float* from, float* to) {
    sweep2d<kReach>(n, n, from, to, [&](I, auto v) {
      float sum = 0;
#pragma GCC unroll 17
      for (I y = -kReach; y <= kReach; ++y)
#pragma GCC unroll 17
        for (I x = -kReach; x <= kReach; ++x) sum += weights[y + kReach][x + kReach] * v(y, x);
      return sum;
    });
  });
}
Add gauss5("gauss5", [] { return gaussPlain<2>(2048); });
Add gauss17("gauss17", [] { return gaussPlain<8>(1024); });

// Row by row: the horizontal pass of a row is done when the vertical one needs it first.
template <int kReach>
suite::Run gaussSeparable(I n) {
  constexpr I kRing = kReach == 2 ? 8 : 32;
  float w[2 * kReach + 1];
  for (I i = -kReach; i <= kReach; ++i) w[i + kReach] = bell(kReach, i);
  auto ring = suite::array<float>(kRing * n);
  return iterate(1, numbers(n * n), n * n, [=](const float* from, float* to) {
    const auto horizontal = [&](I y) {
      const float* row = from + y * n;
      float* __restrict out = ring.get() + (y % kRing) * n;
      for (I x = 0; x < n; ++x) {
        if (x == kReach) x = n - kReach;
        float sum = 0;
        for (I d = -kReach; d <= kReach; ++d) sum += w[d + kReach] * row[clampTo(x + d, n)];
        out[x] = sum;
      }
      for (I x = kReach; x < n - kReach; ++x) {
        float sum = 0;
#pragma GCC unroll 17
        for (I d = -kReach; d <= kReach; ++d) sum += w[d + kReach] * row[x + d];
        out[x] = sum;
      }
    };
    for (I y = 0; y < kReach; ++y) horizontal(y);
    for (I y = 0; y < n; ++y) {
      if (y + kReach < n) horizontal(y + kReach);
      const float* near[2 * kReach + 1];
      for (I d = -kReach; d <= kReach; ++d)
        near[d + kReach] = ring.get() + (clampTo(y + d, n) % kRing) * n;
      float* __restrict out = to + y * n;
#pragma GCC ivdep
      for (I x = 0; x < n; ++x) {
        float sum = 0;
#pragma GCC unroll 17
        for (I d = 0; d <= 2 * kReach; ++d) sum += w[d] * near[d][x];
        out[x] = sum;
      }
    }
  });
}
Add gauss5_separable("gauss5_separable", [] { return gaussSeparable<2>(2048); });
Add gauss17_separable("gauss17_separable", [] { return gaussSeparable<8>(2048); });

template <int kReach>
suite::Run star() {
  constexpr I n = 4096;
  return iterate(1, numbers(n * n), n * n, [=](const float* from, float* to) {
    sweep2d<kReach>(n, n, from, to, [](I, auto v) {
      float sum = v(0, 0);
#pragma GCC unroll 16
      for (I d = 1; d <= kReach; ++d) sum += v(-d, 0);
#pragma GCC unroll 16
      for (I d = 1; d <= kReach; ++d) sum += v(d, 0);
#pragma GCC unroll 16
      for (I d = 1; d <= kReach; ++d) sum += v(0, -d);
#pragma GCC unroll 16
      for (I d = 1; d <= kReach; ++d) sum += v(0, d);
      return sum * 0.1f;
    });
  });
}
Add star1("star1", star<1>);
Add star2("star2", star<2>);
Add star4("star4", star<4>);
Add star8("star8", star<8>);
Add star16("star16", star<16>);

Add life("life", [] {
  constexpr I n = 2048;
  auto start = suite::array<std::uint8_t>(n * n);
  auto bits = suite::words(n * n);
  for (std::size_t i = 0; i < n * n; ++i) start[i] = bits[i] & 1;
  return iterate(20, start, n * n, [=](const std::uint8_t* from, std::uint8_t* to) {
    sweep2d<1>(n, n, from, to, [](I, auto v) -> std::uint8_t {
      const std::uint8_t count =
          v(-1, -1) + v(-1, 0) + v(-1, 1) + v(0, -1) + v(0, 1) + v(1, -1) + v(1, 0) + v(1, 1);
      return count == 3 | (v(0, 0) == 1 & count == 2);
    });
  });
});

}  // namespace
