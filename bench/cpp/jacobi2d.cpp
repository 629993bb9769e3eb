// Jacobi iteration (examples/jacobi2d.fut), one core: rows with their neighbours, border apart from
// the interior. Once in cache (1024 x 1024, 100 steps) and once far beyond it (16384 x 16384, 1
// step).
#include "measure.h"

namespace {

void row(int columns, const float* __restrict north, const float* __restrict here,
         const float* __restrict south, float* __restrict out) {
  const int last = columns - 1;
  out[0] = 0.2f * (north[0] + here[0] + here[0] + here[std::min(1, last)] + south[0]);
  for (int x = 1; x < last; ++x)
    out[x] = 0.2f * (north[x] + here[x - 1] + here[x] + here[x + 1] + south[x]);
  if (last > 0)
    out[last] = 0.2f * (north[last] + here[last - 1] + here[last] + here[last] + south[last]);
}

void step(int rows, int columns, const float* from, float* to) {
  for (int y = 0; y < rows; ++y) {
    const float* here = from + static_cast<std::size_t>(y) * columns;
    row(columns, y > 0 ? here - columns : here, here, y < rows - 1 ? here + columns : here,
        to + static_cast<std::size_t>(y) * columns);
  }
}

void run(const char* name, int size, int steps) {
  const std::size_t cells = static_cast<std::size_t>(size) * size;
  const measure::Floats start = measure::floats(cells);
  const measure::Floats a = measure::floats(cells), b = measure::floats(cells);
  measure::fill(start.get(), cells, 0.0f, 1.0f);
  const float* result = nullptr;
  const double ms = measure::bestMilliseconds(5, [&] {
    step(size, size, start.get(), a.get());
    float* from = a.get();
    float* to = b.get();
    for (int i = 1; i < steps; ++i, std::swap(from, to)) step(size, size, from, to);
    result = from;
  });
  measure::report(name, ms, "gcell_per_s", static_cast<double>(cells) * steps,
                  measure::sum(result, cells));
}

}  // namespace

int main() {
  run("jacobi2d_cpp_1024x100", 1024, 100);
  run("jacobi2d_cpp_16384x1", 16384, 1);
}
