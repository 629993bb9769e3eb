// The programs of compute.fut as an expert writes them in plain C++. OpenBLAS computes the large
// matrix product and FFTW the transform where these libraries are installed.
#include <cmath>

#include "suite.h"
#ifdef HAVE_FFTW
#include <fftw3.h>
#endif
#ifdef HAVE_OPENBLAS
extern "C" void cblas_sgemm(int, int, int, int, int, int, float, const float*, int, const float*,
                            int, float, float*, int);
#endif

namespace {

using suite::Add;
using suite::numbers;
using I = std::ptrdiff_t;

#ifdef HAVE_OPENBLAS
void matmul(I n, const float* a, const float* b, float* c) {
  const int m = static_cast<int>(n);
  cblas_sgemm(101, 111, 111, m, m, m, 1.0f, a, m, b, m, 0.0f, c, m);
}
#else
void matmul(I n, const float* a, const float* b, float* __restrict c) {
  std::fill(c, c + n * n, 0.0f);
  for (I i = 0; i < n; ++i)
    for (I k = 0; k < n; ++k)
      for (I j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
#endif

suite::Run matmulRun(I n) {
  auto a = numbers(n * n), b = numbers(n * n), c = suite::array<float>(n * n);
  return [=] { matmul(n, a.get(), b.get(), c.get()); };
}
Add matmul64("matmul64", [] { return matmulRun(64); });
Add matmul256("matmul256", [] { return matmulRun(256); });
Add matmul1024("matmul1024", [] { return matmulRun(1024); });

Add maxplus512("maxplus512", [] {
  constexpr I n = 512;
  auto a = numbers(n * n), b = numbers(n * n), c = suite::array<float>(n * n);
  return [=] {
    float* __restrict out = c.get();
    std::fill(out, out + n * n, -INFINITY);
    for (I i = 0; i < n; ++i)
      for (I k = 0; k < n; ++k)
        for (I j = 0; j < n; ++j) {
          const float x = a.get()[i * n + k] + b.get()[k * n + j];
          out[i * n + j] = x > out[i * n + j] ? x : out[i * n + j];
        }
  };
});

Add nbody("nbody", [] {
  constexpr I n = 2000;
  auto xs = numbers(n), ys = numbers(n), zs = numbers(n), ms = numbers(n);
  auto fx = suite::array<float>(n), fy = suite::array<float>(n), fz = suite::array<float>(n);
  return [=] {
    const float *X = xs.get(), *Y = ys.get(), *Z = zs.get(), *M = ms.get();
    for (I i = 0; i < n; ++i) {
      float a = 0, b = 0, c = 0;
#pragma omp simd reduction(+ : a, b, c)
      for (I j = 0; j < n; ++j) {
        const float dx = X[j] - X[i], dy = Y[j] - Y[i], dz = Z[j] - Z[i];
        const float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
        const float w = M[j] / (r2 * std::sqrt(r2));
        a += w * dx, b += w * dy, c += w * dz;
      }
      fx.get()[i] = a, fy.get()[i] = b, fz.get()[i] = c;
    }
  };
});

// Sixteen points at a time, each until all have escaped.
Add mandelbrot("mandelbrot", [] {
  constexpr I n = 512, kLanes = 16;
  auto out = suite::array<std::int32_t>(n * n);
  return [=] {
    const float cell = 2.5f / n;
    for (I i = 0; i < n; ++i) {
      for (I j = 0; j < n; j += kLanes) {
        float x[kLanes] = {}, y[kLanes] = {}, cx[kLanes];
        std::int32_t k[kLanes] = {}, alive = 1;
        for (I l = 0; l < kLanes; ++l) cx[l] = static_cast<float>(j + l) * cell - 1.9f;
        const float cy = static_cast<float>(i) * cell - 1.25f;
        for (int step = 0; step < 256 && alive; ++step) {
          alive = 0;
#pragma omp simd reduction(| : alive)
          for (I l = 0; l < kLanes; ++l) {
            const float xx = x[l] * x[l], yy = y[l] * y[l];
            const bool inside = xx + yy < 4;
            const float next = xx - yy + cx[l];
            y[l] = inside ? 2 * x[l] * y[l] + cy : y[l];
            x[l] = inside ? next : x[l];
            k[l] += inside;
            alive |= inside;
          }
        }
        std::copy(k, k + kLanes, out.get() + i * n + j);
      }
    }
  };
});

float normal(float x) {
  const float k = 1 / (1 + 0.2316419f * std::fabs(x));
  const float poly =
      k * (0.31938153f -
           k * (0.356563782f - k * (1.781477937f - k * (1.821255978f - k * 1.330274429f))));
  const float tail = 0.3989422804014327f * std::exp(-0.5f * x * x) * poly;
  return x < 0 ? tail : 1 - tail;
}

Add black_scholes("black_scholes", [] {
  constexpr I n = 1048576;
  auto prices = numbers(n), strikes = numbers(n), years = numbers(n);
  auto calls = suite::array<float>(n), puts = suite::array<float>(n);
  return [=] {
    const float *P = prices.get(), *S = strikes.get(), *T = years.get();
    float* __restrict C = calls.get(), * __restrict U = puts.get();
    for (I i = 0; i < n; ++i) {
      const float price = P[i] + 0.5f, strike = S[i] + 0.5f, t = T[i] + 0.5f;
      const float spread = 0.3f * std::sqrt(t);
      const float d1 = (std::log(price / strike) + (0.02f + 0.5f * 0.3f * 0.3f) * t) / spread;
      const float discounted = strike * std::exp(-0.02f * t);
      const float call = price * normal(d1) - discounted * normal(d1 - spread);
      C[i] = call;
      U[i] = call + discounted - price;
    }
  };
});

Add saxpy("saxpy", [] {
  constexpr I n = 4194304;
  auto x = numbers(n), y = numbers(n), z = suite::array<float>(n);
  return [=] {
    const float *X = x.get(), *Y = y.get();
    float* __restrict Z = z.get();
    for (I i = 0; i < n; ++i) Z[i] = 2.5f * X[i] + Y[i];
  };
});

Add transpose2048("transpose2048", [] {
  constexpr I n = 2048, kTile = 16;
  auto a = numbers(n * n), b = suite::array<float>(n * n);
  return [=] {
    for (I y = 0; y < n; y += kTile)
      for (I x = 0; x < n; x += kTile)
        for (I i = 0; i < kTile; ++i)
          for (I j = 0; j < kTile; ++j) b.get()[(x + i) * n + y + j] = a.get()[(y + j) * n + x + i];
  };
});

Add kmeans("kmeans", [] {
  constexpr I n = 65536, d = 8, k = 16;
  auto points = numbers(n * d), start = numbers(k * d);
  return [=] {
    float centres[k][d], sums[k][d];
    std::int32_t counts[k];
    std::memcpy(centres, start.get(), sizeof centres);
    for (int step = 0; step < 5; ++step) {
      std::memset(sums, 0, sizeof sums);
      std::memset(counts, 0, sizeof counts);
      for (I i = 0; i < n; ++i) {
        const float* p = points.get() + i * d;
        float best = INFINITY;
        I at = 0;
        for (I c = 0; c < k; ++c) {
          float sum = 0;
          for (I j = 0; j < d; ++j) sum += (p[j] - centres[c][j]) * (p[j] - centres[c][j]);
          if (sum < best) best = sum, at = c;
        }
        ++counts[at];
        for (I j = 0; j < d; ++j) sums[at][j] += p[j];
      }
      for (I c = 0; c < k; ++c)
        for (I j = 0; j < d; ++j)
          centres[c][j] = sums[c][j] / static_cast<float>(std::max(counts[c], 1));
    }
    suite::sink = centres[3][3];
  };
});

Add lu("lu", [] {
  constexpr I n = 512;
  auto start = numbers(n * n), work = suite::array<float>(n * n);
  for (std::size_t i = 0; i < n; ++i) start[i * n + i] += 512;
  return [=] {
    float* a = work.get();
    std::copy(start.get(), start.get() + n * n, a);
    for (I k = 0; k < n; ++k) {
      const float* row = a + k * n;
      for (I i = k + 1; i < n; ++i) {
        const float factor = a[i * n + k] /= row[k];
        float* out = a + i * n;
#pragma GCC ivdep
        for (I j = k + 1; j < n; ++j) out[j] -= factor * row[j];
      }
    }
  };
});

std::function<void()> plainFft() {
  constexpr I n = 262144;
  auto re = numbers(n), im = numbers(n);
  auto ar = suite::array<float>(n), ai = suite::array<float>(n);
  auto br = suite::array<float>(n), bi = suite::array<float>(n);
  auto wr = suite::array<float>(n / 2), wi = suite::array<float>(n / 2);
  for (std::size_t i = 0; i < n / 2; ++i) {
    const double angle = -2 * 3.14159265358979 * static_cast<double>(i) / n;
    wr[i] = static_cast<float>(std::cos(angle)), wi[i] = static_cast<float>(std::sin(angle));
  }
  return [=] {
    const float *xr = re.get(), *xi = im.get();
    float *yr = ar.get(), *yi = ai.get(), *zr = br.get(), *zi = bi.get();
    for (I ns = 1; ns < n; ns *= 2) {
      for (I g = 0; g < n / 2 / ns; ++g) {
        const float *pr = xr + g * ns, *pi = xi + g * ns;
        float* __restrict qr = yr + 2 * g * ns, * __restrict qi = yi + 2 * g * ns;
        const I stride = n / 2 / ns;
#pragma GCC ivdep
        for (I j = 0; j < ns; ++j) {
          const float c = wr.get()[j * stride], s = wi.get()[j * stride];
          const float tr = pr[n / 2 + j] * c - pi[n / 2 + j] * s;
          const float ti = pr[n / 2 + j] * s + pi[n / 2 + j] * c;
          qr[j] = pr[j] + tr, qi[j] = pi[j] + ti;
          qr[ns + j] = pr[j] - tr, qi[ns + j] = pi[j] - ti;
        }
      }
      xr = yr, xi = yi;
      std::swap(yr, zr), std::swap(yi, zi);
    }
  };
}

Add fft("fft", plainFft);

#ifdef HAVE_FFTW
Add fft_library("fft_library", [] {
  constexpr int n = 262144;
  auto in = suite::array<float>(2 * n), out = suite::array<float>(2 * n);
  auto* from = reinterpret_cast<fftwf_complex*>(in.get());
  auto* to = reinterpret_cast<fftwf_complex*>(out.get());
  fftwf_plan plan = fftwf_plan_dft_1d(n, from, to, FFTW_FORWARD, FFTW_MEASURE);
  return [=] { (void)in, (void)out, fftwf_execute(plan); };
});
#else
Add fft_library("fft_library", plainFft);
#endif

}  // namespace
