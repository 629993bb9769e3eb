// The cells of the stencils in planes.fut and space.fut, for C++ and Halide alike. `cell<V>(extra,
// v)` computes a cell from an element of another array and its neighbours v(0), v(1), .. at
// `offsets()`. V is a number, a vector, or an expression.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

struct Offset {
  int z, y, x;
};

template <typename V, typename F, int... k>
V sumOf(F v, std::integer_sequence<int, k...>) {
  V sum = v(0);
  ((sum = k == 0 ? sum : sum + v(k)), ...);
  return sum;
}
template <typename V, int kCount, typename F>
V sum(F v) {
  return sumOf<V>(v, std::make_integer_sequence<int, kCount>());
}

// The centre, and kReach steps both ways along every axis, in the order of the axes.
template <int kRank, int kReach>
struct Star {
  static constexpr int kCount = 2 * kRank * kReach + 1;
  static constexpr std::array<Offset, kCount> offsets() {
    std::array<Offset, kCount> made = {};
    int at = 0;
    if (kRank == 3)
      for (int d = -kReach; d < 0; ++d) made[at++] = {d, 0, 0};
    for (int d = -kReach; d < 0; ++d) made[at++] = {0, d, 0};
    for (int d = -kReach; d <= kReach; ++d) made[at++] = {0, 0, d};
    for (int d = 1; d <= kReach; ++d) made[at++] = {0, d, 0};
    if (kRank == 3)
      for (int d = 1; d <= kReach; ++d) made[at++] = {d, 0, 0};
    return made;
  }
  template <typename V, typename F>
  static V cell(V, F v) {
    return (1.0f / kCount) * sum<V, kCount>(v);
  }
};

template <int kRank, int kReach>
struct Box {
  static constexpr int kSide = 2 * kReach + 1;
  static constexpr int kCount = kRank == 2 ? kSide * kSide : kSide * kSide * kSide;
  static constexpr std::array<Offset, kCount> offsets() {
    std::array<Offset, kCount> made = {};
    for (int k = 0; k < kCount; ++k)
      made[k] = {kRank == 2 ? 0 : k / kSide / kSide - kReach, k / kSide % kSide - kReach,
                 k % kSide - kReach};
    return made;
  }
  template <typename V, typename F>
  static V cell(V, F v) {
    return (1.0f / kCount) * sum<V, kCount>(v);
  }
};

constexpr float kBlur[] = {0.0144f, 0.0281f, 0.0351f, 0.0281f, 0.0144f, 0.0281f, 0.0547f,
                           0.0683f, 0.0547f, 0.0281f, 0.0351f, 0.0683f, 0.0853f, 0.0683f,
                           0.0351f, 0.0281f, 0.0547f, 0.0683f, 0.0547f, 0.0281f, 0.0144f,
                           0.0281f, 0.0351f, 0.0281f, 0.0144f};
struct Gaussian : Box<2, 2> {
  template <typename V, typename F>
  static V cell(V, F v) {
    return sum<V, kCount>([&](int k) { return kBlur[k] * v(k); });
  }
};

constexpr float kWeights[] = {0.01f, 0.02f, 0.03f, 0.04f, 0.06f, 0.08f, 0.09f, 0.1f, 0.11f,
                              0.1f,  0.09f, 0.08f, 0.06f, 0.04f, 0.03f, 0.02f, 0.01f};
struct Conv17 : Box<2, 8> {
  template <typename V, typename F>
  static V cell(V, F v) {
    return 0.5f * sum<V, kCount>([&](int k) { return kWeights[k / 17] * kWeights[k % 17] * v(k); });
  }
};

struct Gradient : Star<2, 1> {
  template <typename V, typename F>
  static V cell(V, F v) {
    return 0.25f * ((v(2) - v(0)) + (v(2) - v(1)) + (v(3) - v(2)) + (v(4) - v(2)));
  }
};
struct Hotspot : Star<2, 1> {
  static constexpr bool kHasExtra = true;
  template <typename V, typename F>
  static V cell(V p, F v) {
    return v(2) + 0.06f * (p + (v(0) + v(4) - 2.0f * v(2)) * 0.1f +
                           (v(1) + v(3) - 2.0f * v(2)) * 0.2f + (80.0f - v(2)) * 0.3f);
  }
};
struct Heat : Star<3, 1> {
  template <typename V, typename F>
  static V cell(V, F v) {
    return v(3) + 0.1f * (v(0) + v(1) + v(2) + v(4) + v(5) + v(6) - 6.0f * v(3));
  }
};
struct Hotspot3d : Star<3, 1> {
  static constexpr bool kHasExtra = true;
  template <typename V, typename F>
  static V cell(V p, F v) {
    return 0.4f * v(3) + 0.09f * (v(0) + v(6)) + 0.1f * (v(1) + v(5)) + 0.11f * (v(2) + v(4)) +
           0.01f * p + 0.3f;
  }
};
struct Sum7 : Star<3, 1> {
  template <typename V, typename F>
  static V cell(V, F v) {
    return sum<V, kCount>(v);
  }
};
struct Double5 : Star<2, 1> {
  template <typename V, typename F>
  static V cell(V, F v) {
    if constexpr (std::is_class_v<V>) {
      return V(0.2) * sum<V, kCount>(v);  // an expression takes no plain double
    } else {
      return 0.2 * sum<V, kCount>(v);
    }
  }
};
// 3 x 3 x 3 without its corners.
struct Poisson {
  static constexpr int kCount = 19;
  static constexpr std::array<Offset, kCount> offsets() {
    std::array<Offset, kCount> made = {};
    int at = 0;
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
          if (x * y * z == 0) made[at++] = {z, y, x};
    return made;
  }
  template <typename V, typename F>
  static V cell(V, F v) {
    return (1.0f / kCount) * sum<V, kCount>(v);
  }
};

template <typename Space>
struct NamedStencil {
  const char* name;
  bool in_space;  // three axes, not two
  void (*run)(const Space&);
};

template <template <typename, typename> typename Run, typename Space>
std::span<const NamedStencil<Space>> namedStencils() {
  static const NamedStencil<Space> kRows[] = {
      {"gaussian", false, Run<float, Gaussian>::run},
      {"gradient", false, Run<float, Gradient>::run},
      {"jacobi5", false, Run<float, Star<2, 1>>::run},
      {"jacobi9", false, Run<float, Star<2, 2>>::run},
      {"hotspot", false, Run<float, Hotspot>::run},
      {"star1", false, Run<float, Star<2, 1>>::run},
      {"star2", false, Run<float, Star<2, 2>>::run},
      {"star4", false, Run<float, Star<2, 4>>::run},
      {"star8", false, Run<float, Star<2, 8>>::run},
      {"star16", false, Run<float, Star<2, 16>>::run},
      {"box3", false, Run<float, Box<2, 1>>::run},
      {"box9", false, Run<float, Box<2, 4>>::run},
      {"conv17", false, Run<float, Conv17>::run},
      {"double", false, Run<double, Double5>::run},
      {"poisson", true, Run<float, Poisson>::run},
      {"heat", true, Run<float, Heat>::run},
      {"hotspot", true, Run<float, Hotspot3d>::run},
      {"jacobi7", true, Run<float, Star<3, 1>>::run},
      {"jacobi13", true, Run<float, Star<3, 2>>::run},
      {"type_f64", true, Run<double, Sum7>::run},
      {"type_i8", true, Run<std::int8_t, Sum7>::run},
      {"star1", true, Run<float, Star<3, 1>>::run},
      {"star2", true, Run<float, Star<3, 2>>::run},
      {"star4", true, Run<float, Star<3, 4>>::run},
      {"star8", true, Run<float, Star<3, 8>>::run},
      {"star16", true, Run<float, Star<3, 16>>::run},
      {"box3", true, Run<float, Box<3, 1>>::run},
  };
  return kRows;
}

// Runs `Run<element, stencil>::run(space)` for the stencil of this name; false: there is none.
template <template <typename, typename> typename Run, typename Space>
bool runNamed(const std::string& name, bool in_space, const Space& s) {
  for (const NamedStencil<Space>& row : namedStencils<Run, Space>()) {
    if (row.in_space != in_space || name != row.name) continue;
    row.run(s);
    return true;
  }
  return false;
}
