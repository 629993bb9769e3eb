// Scalar product (examples/dotprod.fut), one core: eight vectors of partial sums, so that neither
// the latency of the addition nor the order of the sum limits it. Once in cache, once from memory.
#include "measure.h"

namespace {

typedef float Vector __attribute__((vector_size(64)));
constexpr std::size_t kLanes = sizeof(Vector) / sizeof(float);
constexpr std::size_t kSums = 8;

float dot(const float* __restrict xs, const float* __restrict ys, std::size_t count) {
  Vector sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums * kLanes <= count; i += kSums * kLanes) {
    const Vector* x = reinterpret_cast<const Vector*>(xs + i);
    const Vector* y = reinterpret_cast<const Vector*>(ys + i);
    for (std::size_t s = 0; s < kSums; ++s) sums[s] += x[s] * y[s];
  }
  for (std::size_t s = 1; s < kSums; ++s) sums[0] += sums[s];
  float total = 0.0f;
  for (std::size_t lane = 0; lane < kLanes; ++lane) total += sums[0][lane];
  for (; i < count; ++i) total += xs[i] * ys[i];
  return total;
}

void run(const char* name, std::size_t count, int repeats) {
  const measure::Floats xs = measure::floats(count), ys = measure::floats(count);
  measure::fill(xs.get(), count, -1.0f, 1.0f);
  measure::fill(ys.get(), count, 0.0f, 1.0f);
  float result = 0.0f;
  const double ms = measure::bestMilliseconds(10, [&] {
    for (int i = 0; i < repeats; ++i) {
      result = dot(xs.get(), ys.get(), count);
      asm volatile("" : : "r"(xs.get()), "r"(ys.get()) : "memory");  // each repeat really runs
    }
  });
  measure::report(name, ms / repeats, "gb_per_s", 8.0 * static_cast<double>(count), result);
}

}  // namespace

int main() {
  run("dotprod_cpp_2^16", std::size_t{1} << 16, 1000);
  run("dotprod_cpp_2^26", std::size_t{1} << 26, 1);
}
