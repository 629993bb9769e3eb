// Gradients of ad.fut as an expert writes them by hand: adjoint loops, nothing recorded that need
// not be. `adjoints NAME` prints `NAME milliseconds`.
#include "../cpu/suite.h"

#include <vector>

namespace {

using suite::Add;
using I = std::ptrdiff_t;
using Floats = std::vector<float>;

float value(I i) { return static_cast<float>((i * 7919 + 13) % 1021) / 1021 + 0.5f; }

Floats made(I n) {
  Floats xs(n);
  for (I i = 0; i < n; ++i) xs[i] = value(i);
  return xs;
}
Floats near(I n) {
  Floats xs = made(n);
  for (float& x : xs) x = 1 + (x - 1) / 1000000;
  return xs;
}
Floats plane(I n) {
  Floats xs(n * n);
  for (I i = 0; i < n; ++i)
    for (I j = 0; j < n; ++j)
      xs[i * n + j] = static_cast<float>((i * 7919 + j * 104729) % 1021) / 1021;
  return xs;
}

constexpr I kMany = 1000000, kBins = 1024, kSteps = 100, kSide = 512;

// The product of all but one, from both sides.
void productGradient() {
  static const Floats xs = near(kMany);
  Floats out(kMany);
  float left = 1;
  for (I i = 0; i < kMany; ++i) out[i] = left, left *= xs[i];
  float right = 1;
  for (I i = kMany; i-- > 0;) out[i] *= right, right *= xs[i];
  suite::sink = out[kMany / 2];
}

void scanGradient() {
  static const Floats xs = near(kMany), w = made(kMany);
  Floats before(kMany), out(kMany);
  float product = 1;
  for (I i = 0; i < kMany; ++i) before[i] = product, product *= xs[i];
  float reached = 0;
  for (I i = kMany; i-- > 0;) {
    reached += w[i];
    out[i] = before[i] * reached;
    reached *= xs[i];
  }
  suite::sink = out[kMany / 2];
}

void histGradient() {
  static const Floats xs = near(kMany), w = made(kBins);
  Floats product(kBins, 1), before(kMany), out(kMany);
  for (I i = 0; i < kMany; ++i) {
    float& bin = product[(i * 7919) % kBins];
    before[i] = bin, bin *= xs[i];
  }
  Floats behind = w;
  for (I i = kMany; i-- > 0;) {
    float& bin = behind[(i * 7919) % kBins];
    out[i] = before[i] * bin, bin *= xs[i];
  }
  suite::sink = out[kMany / 2];
}

I clampTo(I i, I n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

// One step of a stencil of five points; with a boundary that repeats the edge it is its own
// adjoint.
template <typename Cell>
void sweep(const Floats& from, Floats& to, const Cell& cell) {
  for (I y = 0; y < kSide; ++y) {
    const float* row = &from[y * kSide];
    const float* north = &from[clampTo(y - 1, kSide) * kSide];
    const float* south = &from[clampTo(y + 1, kSide) * kSide];
    float* out = &to[y * kSide];
    const auto at = [&](I x, I west, I east) {
      out[x] = cell(row[x], north[x], south[x], row[west], row[east]);
    };
    at(0, 0, 1);
#pragma GCC ivdep
    for (I x = 1; x < kSide - 1; ++x) at(x, x - 1, x + 1);
    at(kSide - 1, kSide - 2, kSide - 1);
  }
}

void heatGradient() {
  static const Floats start = plane(kSide);
  Floats a = start, b(a.size());
  for (I step = 0; step < kSteps; ++step) {
    sweep(a, b, [](float c, float n, float s, float w, float e) {
      return c + 0.2f * (n + s + w + e - 4 * c);
    });
    a.swap(b);
  }
  suite::sink = a[kSide];
}

[[maybe_unused]] Add reduce_mul("reduce_mul_gradient", [] { return productGradient; });
[[maybe_unused]] Add scan_mul("scan_mul_gradient", [] { return scanGradient; });
[[maybe_unused]] Add hist_mul("hist_mul_gradient", [] { return histGradient; });
[[maybe_unused]] Add heat("heat_gradient", [] { return heatGradient; });

}  // namespace
