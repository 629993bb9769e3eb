// Hotspot (examples/hotspot.fut) as an expert writes it for one core: two buffers that change
// places, restrict pointers, border cells apart from the interior, whose inner loop has no branches
// and vectorises. Same operations in the same order as the Halo program, so the same bits. 100
// steps on 1024 x 1024 and on 2048 x 2048. Rodinia's time step is unstable for the smaller cells of
// the latter, so there the chip grows with the grid: the same work on finite numbers.
#include "measure.h"

namespace {

struct Weights {
  float rate, gx, gy, gz, ambient;
};

Weights weightsFor(int rows, int columns, float chipSize) {
  const float thickness = 0.0005f, heat = 1.75e6f, conductivity = 100.0f, factor = 0.5f;
  const float height = chipSize / static_cast<float>(rows);
  const float width = chipSize / static_cast<float>(columns);
  const float capacity = factor * heat * thickness * width * height;
  const float timeStep = 0.001f / (3.0e6f / (factor * thickness * heat));
  return {timeStep / capacity, 2.0f * conductivity * thickness * height / width,
          2.0f * conductivity * thickness * width / height,
          conductivity * height * width / thickness, 80.0f};
}

inline float cell(const Weights& w, float power, float north, float west, float t, float east,
                  float south) {
  return t + w.rate * (power + (east + west - 2.0f * t) * w.gx + (south + north - 2.0f * t) * w.gy +
                       (w.ambient - t) * w.gz);
}

// One row; `north` and `south` are the row itself at the upper and lower edge.
void row(const Weights& w, int columns, const float* __restrict power,
         const float* __restrict north, const float* __restrict here, const float* __restrict south,
         float* __restrict out) {
  const int last = columns - 1;
  out[0] = cell(w, power[0], north[0], here[0], here[0], here[std::min(1, last)], south[0]);
  for (int x = 1; x < last; ++x)
    out[x] = cell(w, power[x], north[x], here[x - 1], here[x], here[x + 1], south[x]);
  if (last > 0)
    out[last] =
        cell(w, power[last], north[last], here[last - 1], here[last], here[last], south[last]);
}

void step(const Weights& w, int rows, int columns, const float* power, const float* from,
          float* to) {
  for (int y = 0; y < rows; ++y) {
    const float* here = from + static_cast<std::size_t>(y) * columns;
    const float* north = y > 0 ? here - columns : here;
    const float* south = y < rows - 1 ? here + columns : here;
    const std::size_t at = static_cast<std::size_t>(y) * columns;
    row(w, columns, power + at, north, here, south, to + at);
  }
}

void run(const char* name, int size, float chipSize) {
  const int steps = 100;
  const std::size_t cells = static_cast<std::size_t>(size) * size;
  const measure::Floats start = measure::floats(cells), power = measure::floats(cells);
  const measure::Floats a = measure::floats(cells), b = measure::floats(cells);
  measure::fill(start.get(), cells, 320.0f, 340.0f);
  measure::fill(power.get(), cells, 0.0f, 0.01f);
  const Weights weights = weightsFor(size, size, chipSize);
  const float* result = nullptr;
  const double ms = measure::bestMilliseconds(5, [&] {
    step(weights, size, size, power.get(), start.get(), a.get());
    float* from = a.get();
    float* to = b.get();
    for (int i = 1; i < steps; ++i, std::swap(from, to))
      step(weights, size, size, power.get(), from, to);
    result = from;
  });
  measure::report(name, ms, "gcell_per_s", static_cast<double>(cells) * steps,
                  measure::sum(result, cells));
}

}  // namespace

int main() {
  run("hotspot_cpp_1024x100", 1024, 0.016f);
  run("hotspot_cpp_2048x100", 2048, 0.032f);
}
