// A baseline program: `stencils hotspot jacobi5` runs the named measurements (all without names)
// and prints `name milliseconds` for each, the best of several runs.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "../measure.h"

namespace suite {

// The code that a measurement repeats. Its data are made before.
using Run = std::function<void()>;
using Make = std::function<Run()>;

inline std::vector<std::pair<std::string, Make>>& all() {
  static std::vector<std::pair<std::string, Make>> made;
  return made;
}

struct Add {
  Add(const char* name, Make make) { all().emplace_back(name, std::move(make)); }
};

// Random numbers in [0, 1), kept by the measurement.
inline std::shared_ptr<float[]> numbers(std::size_t count) {
  measure::Floats made = measure::floats(count);
  measure::fill(made.get(), count, 0.0f, 1.0f);
  return std::shared_ptr<float[]>(made.release(), measure::Free());
}
template <typename T>
std::shared_ptr<T[]> array(std::size_t count) {
  void* memory = std::aligned_alloc(64, (count * sizeof(T) + 127) / 64 * 64);
  std::memset(memory, 0, count * sizeof(T));
  return std::shared_ptr<T[]>(static_cast<T*>(memory), measure::Free());
}
inline std::shared_ptr<std::uint32_t[]> words(std::size_t count) {
  auto made = array<std::uint32_t>(count);
  std::uint64_t state = 12345;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    made[i] = static_cast<std::uint32_t>(state >> 32);
  }
  return made;
}

inline volatile double sink;  // its stores are never optimised away

inline bool wanted(const std::string& name, int count, char** names) {
  for (int i = 1; i < count; ++i) {
    if (name == names[i]) return true;
  }
  return count == 1;
}

inline int main(int count, char** names) {
  for (const auto& [name, make] : all()) {
    if (!wanted(name, count, names)) continue;
    Run run = make();
    const double once = measure::bestMilliseconds(1, run);
    const int runs = static_cast<int>(std::clamp(150.0 / once, 3.0, 1000.0));
    std::printf("%s %.5f\n", name.c_str(), measure::bestMilliseconds(runs, run));
  }
  return 0;
}

}  // namespace suite

int main(int count, char** names) { return suite::main(count, names); }
