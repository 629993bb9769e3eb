// Stencils as one writes them in Halide, with the schedule that its tutorial gives for them: rows
// in vectors, one thread. The algorithm is the one of stencils.fut, operation by operation.
#include <Halide.h>

#include "suite.h"

using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::Var;
using Halide::BoundaryConditions::repeat_edge;
using suite::Add;

namespace {

constexpr int kLanes = 16;
using Cell = std::function<Expr(Func, Var, Var)>;

Buffer<float> random(int n, int m) {
  Buffer<float> made(n, m);
  auto values = suite::numbers(static_cast<std::size_t>(n) * m);
  std::copy(values.get(), values.get() + static_cast<std::size_t>(n) * m, made.data());
  return made;
}

// `steps` sweeps over an n x n array, alternating buffers.
suite::Run iterate(int n, int steps, const Cell& cell) {
  Var x("x"), y("y");
  auto input = std::make_shared<Halide::ImageParam>(Halide::Float(32), 2);
  Func result("result");
  result(x, y) = cell(repeat_edge(*input, {{0, n}, {0, n}}), x, y);
  result.vectorize(x, kLanes);
  result.compile_jit();
  auto start = random(n, n);
  auto a = Buffer<float>(n, n), b = Buffer<float>(n, n);
  return [=]() mutable {
    input->set(start);
    result.realize(a);
    for (int step = 1; step < steps; ++step) {
      input->set(a);
      result.realize(b);
      std::swap(a, b);
    }
    suite::sink = a(0, 0);
  };
}

Expr cross(Func f, Var x, Var y) {
  return (f(x, y - 1) + f(x - 1, y) + f(x, y) + f(x + 1, y) + f(x, y + 1)) * 0.2f;
}

template <int kReach>
Expr star(Func f, Var x, Var y) {
  Expr sum = f(x, y);
  for (int d = 1; d <= kReach; ++d) sum = sum + f(x, y - d);
  for (int d = 1; d <= kReach; ++d) sum = sum + f(x, y + d);
  for (int d = 1; d <= kReach; ++d) sum = sum + f(x - d, y);
  for (int d = 1; d <= kReach; ++d) sum = sum + f(x + d, y);
  return sum * 0.1f;
}

float bell(int r, int i) { return 1.0f / static_cast<float>(1 + i * i) / static_cast<float>(r); }

template <int kReach>
Expr gauss(Func f, Var x, Var y) {
  Expr sum = 0.0f;
  for (int v = -kReach; v <= kReach; ++v)
    for (int u = -kReach; u <= kReach; ++u)
      sum = sum + bell(kReach, v) * bell(kReach, u) * f(x + u, y + v);
  return sum;
}

// Horizontal rows are made when the vertical pass needs them first, and kept.
template <int kReach>
suite::Run gaussSeparable() {
  constexpr int n = 2048;
  Var x("x"), y("y");
  auto start = random(n, n);
  Func f = repeat_edge(start), across("across"), result("result");
  Expr row = 0.0f, sum = 0.0f;
  for (int d = -kReach; d <= kReach; ++d) row = row + bell(kReach, d) * f(x + d, y);
  across(x, y) = row;
  for (int d = -kReach; d <= kReach; ++d)
    sum = sum + bell(kReach, d) * across(x, Halide::clamp(y + d, 0, n - 1));
  result(x, y) = sum;
  result.vectorize(x, kLanes);
  across.store_root().compute_at(result, y).vectorize(x, kLanes);
  result.compile_jit();
  auto out = Buffer<float>(n, n);
  return [=]() mutable {
    result.realize(out);
    suite::sink = out(0, 0);
  };
}

Add jacobi5("jacobi5", [] { return iterate(4096, 5, cross); });
Add jacobi5_cached("jacobi5_cached", [] { return iterate(512, 100, cross); });
Add jacobi9("jacobi9", [] {
  return iterate(4096, 5, [](Func f, Var x, Var y) {
    Expr sum = 0.0f;
    for (int v = -1; v <= 1; ++v)
      for (int u = -1; u <= 1; ++u) sum = sum + f(x + u, y + v);
    return sum * 0.11f;
  });
});
Add star1("star1", [] { return iterate(4096, 1, star<1>); });
Add star2("star2", [] { return iterate(4096, 1, star<2>); });
Add star4("star4", [] { return iterate(4096, 1, star<4>); });
Add star8("star8", [] { return iterate(4096, 1, star<8>); });
Add star16("star16", [] { return iterate(4096, 1, star<16>); });
Add gauss5("gauss5", [] { return iterate(2048, 1, gauss<2>); });
Add gauss17("gauss17", [] { return iterate(1024, 1, gauss<8>); });
Add gauss5_separable("gauss5_separable", gaussSeparable<2>);
Add gauss17_separable("gauss17_separable", gaussSeparable<8>);

}  // namespace
