// The stencils of planes.fut and space.fut in C++, for `run_cpu`: one step, plainly and with
// vectors by hand.
//
// usage: peers NAME ROWS COLUMNS | peers NAME PLANES ROWS COLUMNS
//
// Prints milliseconds of two steps. The plain one has a restrict pointer for every neighbour's row,
// and border cells peeled from an interior that vectorises. The other is an expert's for arrays
// larger than the cache: vectors of 64 bytes, four rows of a plane at once, stores past the caches.
// `copy` is the limit: reads and writes as much, past the caches.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "../measure.h"
#include "stencils.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace {

using I = std::ptrdiff_t;

struct Space {
  I planes, rows, columns;
  I cells() const { return planes * rows * columns; }
};

inline I clampTo(I i, I n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

template <typename T>
struct Vector {
  typedef T Type __attribute__((vector_size(64), aligned(sizeof(T)), may_alias));
  static constexpr I kLanes = 64 / sizeof(T);
};

template <int N>
constexpr int reachOf(const std::array<Offset, N>& offsets) {
  int reach = 0;
  for (const Offset& o : offsets) reach = std::max(reach, o.x < 0 ? -o.x : o.x);
  return reach;
}

// The row of a neighbour of the cells (z, y, ..): add x to get there.
template <typename T>
const T* rowOf(const T* from, const Space& s, Offset o, I z, I y) {
  return from + (clampTo(z + o.z, s.planes) * s.rows + clampTo(y + o.y, s.rows)) * s.columns;
}

template <typename T, typename Stencil>
void edges(const Space& s, const T* from, const T* extra, T* to, I z, I y, I left, I right) {
  constexpr auto kOffsets = Stencil::offsets();
  const I base = (z * s.rows + y) * s.columns;
  for (I x = 0; x < s.columns; ++x) {
    if (x == left) x = right;
    if (x >= s.columns) break;
    to[base + x] = Stencil::template cell<T>(extra ? extra[base + x] : T(), [&](int k) {
      return rowOf(from, s, kOffsets[k], z, y)[clampTo(x + kOffsets[k].x, s.columns)];
    });
  }
}

template <typename T, typename Stencil>
void plain(const Space& s, const T* __restrict from, const T* __restrict extra, T* __restrict to) {
  constexpr auto kOffsets = Stencil::offsets();
  constexpr int kCount = static_cast<int>(kOffsets.size());
  constexpr I kReach = reachOf<kCount>(kOffsets);
  for (I z = 0; z < s.planes; ++z) {
    for (I y = 0; y < s.rows; ++y) {
      const T* near[kCount];
      for (int k = 0; k < kCount; ++k) near[k] = rowOf(from, s, kOffsets[k], z, y) + kOffsets[k].x;
      const I base = (z * s.rows + y) * s.columns;
#pragma GCC ivdep
      for (I x = kReach; x < s.columns - kReach; ++x)
        to[base + x] = Stencil::template cell<T>(extra ? extra[base + x] : T(),
                                                 [&](int k) { return near[k][x]; });
      edges<T, Stencil>(s, from, extra, to, z, y, kReach, s.columns - kReach);
    }
  }
}

template <typename T>
void stream(T* at, typename Vector<T>::Type value) {
#ifdef __AVX512F__
  __m512i bits;
  std::memcpy(&bits, &value, sizeof bits);
  _mm512_stream_si512(reinterpret_cast<__m512i*>(at), bits);
#else
  std::memcpy(at, &value, sizeof value);
#endif
}

template <typename T>
typename Vector<T>::Type load(const T* at) {
  typename Vector<T>::Type value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// kRows rows from (z, y) on. With kStreams, the vectors begin at the first whole line and bypass
// the caches. Else they reach both ends of the interior, and the last vector overlaps the one
// before.
template <typename T, typename Stencil, int kRows, bool kStreams>
void vectorRows(const Space& s, const T* from, const T* extra, T* to, I z, I y) {
  constexpr I kLanes = Vector<T>::kLanes;
  constexpr auto kOffsets = Stencil::offsets();
  constexpr int kCount = static_cast<int>(kOffsets.size());
  constexpr I kReach = reachOf<kCount>(kOffsets);
  const T* near[kRows][kCount];
  for (int r = 0; r < kRows; ++r)
    for (int k = 0; k < kCount; ++k)
      near[r][k] = rowOf(from, s, kOffsets[k], z, y + r) + kOffsets[k].x;
  const I base = (z * s.rows + y) * s.columns;
  const auto vector = [&](int r, I x) {
    const I at = base + r * s.columns + x;
    return Stencil::template cell<typename Vector<T>::Type>(
        extra ? load(extra + at) : typename Vector<T>::Type(),
        [&](int k) { return load(near[r][k] + x); });
  };
  const auto put = [&](int r, I x) {
    const auto value = vector(r, x);
    std::memcpy(to + base + r * s.columns + x, &value, sizeof value);
  };
  const I lines = (kReach + kLanes - 1) / kLanes * kLanes;
  const I left = kStreams ? lines : kReach;
  const I right = kStreams ? s.columns - lines : s.columns - kReach;
  I x = left;
  for (; x + kLanes <= right; x += kLanes) {
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      if (kStreams) stream<T>(to + base + r * s.columns + x, vector(r, x));
      if (!kStreams) put(r, x);
    }
  }
  if (x < right)
    for (int r = 0; r < kRows; ++r) put(r, right - kLanes);
  for (int r = 0; r < kRows; ++r) edges<T, Stencil>(s, from, extra, to, z, y + r, left, right);
}

// Whole lines past the caches, if rows are made of whole lines and long.
template <typename T, typename Stencil>
void byHand(const Space& s, const T* __restrict from, const T* __restrict extra, T* __restrict to) {
  constexpr int kRows = Stencil::kCount <= 9 ? 4 : 1;  // more pointers than registers gain nothing
  const bool streams = s.planes == 1 && s.columns % Vector<T>::kLanes == 0;
  for (I z = 0; z < s.planes; ++z) {
    I y = 0;
    if (streams)
      for (; y + kRows <= s.rows; y += kRows)
        vectorRows<T, Stencil, kRows, true>(s, from, extra, to, z, y);
    for (; y < s.rows; ++y) vectorRows<T, Stencil, 1, false>(s, from, extra, to, z, y);
  }
#ifdef __AVX512F__
  _mm_sfence();
#endif
}

// ---- measuring

template <typename T>
struct Arrays {
  explicit Arrays(const Space& s) {
    std::size_t apart = 0;  // arrays at equal places of a page would wait for each other
    for (auto& array : arrays) {
      const std::size_t bytes = static_cast<std::size_t>(s.cells()) * sizeof(T) / 64 * 64 + 4096;
      memory.emplace_back(std::aligned_alloc(4096, bytes / 4096 * 4096 + 4096));
      array = reinterpret_cast<T*>(static_cast<char*>(memory.back().get()) + (apart += 320));
      for (I i = 0; i < s.cells(); ++i) array[i] = static_cast<T>(i % 7);
    }
  }
  std::vector<std::unique_ptr<void, measure::Free>> memory;
  T* arrays[3];
};

template <typename Run>
double best(const Run& run) {
  const double once = measure::bestMilliseconds(1, run);
  return measure::bestMilliseconds(static_cast<int>(std::clamp(100.0 / once, 3.0, 100.0)), run);
}

template <typename T, typename Stencil>
void time(const Space& s) {
  Arrays<T> a(s);
  T* extra = nullptr;
  if constexpr (requires { Stencil::kHasExtra; }) extra = a.arrays[2];
  const double simple = best([&] { plain<T, Stencil>(s, a.arrays[0], extra, a.arrays[1]); });
  const double expert = best([&] { byHand<T, Stencil>(s, a.arrays[0], extra, a.arrays[1]); });
  std::printf("%.5f %.5f\n", simple, expert);
}

void copy(const Space& s) {
  Arrays<float> a(s);
  const double time = best([&] {
    for (I i = 0; i + 16 <= s.cells(); i += 16) {
      Vector<float>::Type value;
      std::memcpy(&value, a.arrays[0] + i, sizeof value);
      stream<float>(a.arrays[1] + i, 0.5f * value + 1.0f);
    }
  });
  std::printf("%.5f %.5f\n", time, time);
}

template <typename T, typename Stencil>
struct Time {
  static void run(const Space& s) { time<T, Stencil>(s); }
};

}  // namespace

int main(int count, char** words) {
  if (count != 4 && count != 5) return 64;
  const std::string name = words[1];
  Space s = {1, std::atol(words[count - 2]), std::atol(words[count - 1])};
  if (count == 5) s.planes = std::atol(words[2]);
  if (name == "copy") return copy(s), 0;
  return runNamed<Time>(name, count == 5, s) ? 0 : 1;
}
