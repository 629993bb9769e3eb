// The stencils of planes.fut and space.fut in Halide, for `run_cpu`, with the schedule that its
// tutorial gives for them: rows in vectors, one thread. Usage and output as peers.cpp, with one
// time.
#include <Halide.h>

#include <cstdio>

#include "../measure.h"
#include "stencils.h"

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::Var;

struct Space {
  int planes, rows, columns;
};

template <typename T>
Buffer<T> filled(const Space& s) {
  Buffer<T> made(s.columns, s.rows, s.planes);
  for (std::size_t i = 0; i < made.number_of_elements(); ++i)
    made.data()[i] = static_cast<T>(i % 7);
  return made;
}

template <typename T, typename Stencil>
struct Time {
  static void run(const Space& s) {
    constexpr auto kOffsets = Stencil::offsets();
    Buffer<T> cells = filled<T>(s), others = filled<T>(s), made(s.columns, s.rows, s.planes);
    Var x("x"), y("y"), z("z");
    Func near = Halide::BoundaryConditions::repeat_edge(cells);
    Func result("result");
    result(x, y, z) =
        Halide::cast<T>(Stencil::template cell<Expr>(Expr(others(x, y, z)), [&](int k) {
          return Expr(near(x + kOffsets[k].x, y + kOffsets[k].y, z + kOffsets[k].z));
        }));
    result.vectorize(x, 64 / static_cast<int>(sizeof(T)));
    result.compile_jit();
    const auto step = [&] { result.realize(made); };
    const double once = measure::bestMilliseconds(1, step);
    const int runs = static_cast<int>(std::clamp(100.0 / once, 3.0, 100.0));
    std::printf("%.5f\n", measure::bestMilliseconds(runs, step));
  }
};

}  // namespace

int main(int count, char** words) {
  if (count != 4 && count != 5) return 64;
  Space s = {1, std::atoi(words[count - 2]), std::atoi(words[count - 1])};
  if (count == 5) s.planes = std::atoi(words[2]);
  return runNamed<Time>(words[1], count == 5, s) ? 0 : 1;
}
