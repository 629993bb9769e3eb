// Sums over stars and boxes as written by hand in CUDA: one cell per thread from global memory, and
// the same from a tile in shared memory. Neighbours are clamped to the edges. Prints
// `NAME SIZE.. MILLISECONDS MILLISECONDS` of one step each, the best of some runs.
//
//   nvcc -O3 -std=c++17 -arch=native --fmad=false -DPLANES -o peers peers.cu      (or -DSPACE)
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <utility>

constexpr int kRuns = 4, kSteps = 8;

__device__ int inside(int at, int extent) { return min(max(at, 0), extent - 1); }

float *a, *b;

template <typename Launch>
float best(const Launch& launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  float least = 1e30f;
  for (int i = 0; i < kRuns; i++) {
    cudaEventRecord(begin);
    for (int k = 0; k < kSteps; k++) launch(), std::swap(a, b);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    least = std::min(least, ms / kSteps);
  }
  return least;
}

#ifdef PLANES
template <int R>
struct Star {
  static constexpr int kReach = R;
  template <typename X>
  static __device__ float at(const X& x) {
    float sum = 0;
#pragma unroll
    for (int d = -R; d < 0; d++) sum += x(d, 0);
#pragma unroll
    for (int d = -R; d <= R; d++) sum += x(0, d);
#pragma unroll
    for (int d = 1; d <= R; d++) sum += x(d, 0);
    return sum * (1.0f / (4 * R + 1));
  }
};
__constant__ float weights[17 * 17];
template <int R, bool kWeighted = false>
struct Box {
  static constexpr int kReach = R;
  template <typename X>
  static __device__ float at(const X& x) {
    float sum = 0;
#pragma unroll
    for (int d = -R; d <= R; d++) {
#pragma unroll
      for (int e = -R; e <= R; e++) {
        float value = x(d, e);
        sum += kWeighted ? weights[(d + R) * (2 * R + 1) + e + R] * value : value;
      }
    }
    return kWeighted ? sum : sum * (1.0f / ((2 * R + 1) * (2 * R + 1)));
  }
};

template <typename Shape>
__global__ void cells(const float* __restrict__ in, float* __restrict__ out, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= m || y >= n) return;
  out[size_t(y) * m + x] =
      Shape::at([&](int d, int e) { return in[size_t(inside(y + d, n)) * m + inside(x + e, m)]; });
}
constexpr int kTile = 32;
template <typename Shape>
__global__ void tiled(const float* __restrict__ in, float* __restrict__ out, int n, int m) {
  constexpr int kWide = kTile + 2 * Shape::kReach;
  __shared__ float tile[kWide][kWide];
  int x0 = blockIdx.x * kTile - Shape::kReach, y0 = blockIdx.y * kTile - Shape::kReach;
  for (int k = threadIdx.y * kTile + threadIdx.x; k < kWide * kWide; k += kTile * kTile) {
    tile[k / kWide][k % kWide] = in[size_t(inside(y0 + k / kWide, n)) * m + inside(x0 + k % kWide, m)];
  }
  __syncthreads();
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x >= m || y >= n) return;
  out[size_t(y) * m + x] = Shape::at([&](int d, int e) {
    return tile[threadIdx.y + Shape::kReach + d][threadIdx.x + Shape::kReach + e];
  });
}

template <typename Shape>
void measure(const char* name, int n) {
  dim3 wide(32, 8), grid((n + 31) / 32, (n + 7) / 8), square(kTile, kTile);
  dim3 tiles((n + kTile - 1) / kTile, (n + kTile - 1) / kTile);
  float one = best([&] { cells<Shape><<<grid, wide>>>(a, b, n, n); });
  float other = best([&] { tiled<Shape><<<tiles, square>>>(a, b, n, n); });
  std::printf("%s %d %d %.5f %.5f\n", name, n, n, one, other);
  std::fflush(stdout);
}

int main() {
  const size_t bytes = size_t(32768) * 32768 * 4;
  cudaMalloc(&a, bytes), cudaMalloc(&b, bytes);
  cudaMemset(a, 0, bytes), cudaMemset(b, 0, bytes);
  for (int n : {4096, 16384, 32768}) {
    measure<Star<1>>("star1", n);
    measure<Star<2>>("star2", n);
    measure<Star<4>>("star4", n);
    measure<Star<8>>("star8", n);
    measure<Star<16>>("star16", n);
  }
  for (int n : {4095, 8191, 16383}) {
    measure<Star<1>>("jacobi5", n);
    measure<Star<2>>("jacobi9", n);
    measure<Box<2, true>>("gaussian", n);
  }
  measure<Box<2, true>>("gaussian", 16384);
  measure<Box<1>>("box3", 16384);
  measure<Box<4>>("box9", 16384);
  measure<Box<8, true>>("conv17", 4096);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
#endif

#ifdef SPACE
template <int R>
struct Star {
  static constexpr int kReach = R;
  template <typename X>
  static __device__ float at(const X& x) {
    float sum = 0;
#pragma unroll
    for (int d = -R; d < 0; d++) sum += x(d, 0, 0);
#pragma unroll
    for (int d = -R; d < 0; d++) sum += x(0, d, 0);
#pragma unroll
    for (int d = -R; d <= R; d++) sum += x(0, 0, d);
#pragma unroll
    for (int d = 1; d <= R; d++) sum += x(0, d, 0);
#pragma unroll
    for (int d = 1; d <= R; d++) sum += x(d, 0, 0);
    return sum * (1.0f / (6 * R + 1));
  }
};
template <bool kCorners>
struct Box {
  static constexpr int kReach = 1;
  template <typename X>
  static __device__ float at(const X& x) {
    float sum = 0;
#pragma unroll
    for (int c = -1; c <= 1; c++) {
#pragma unroll
      for (int d = -1; d <= 1; d++) {
#pragma unroll
        for (int e = -1; e <= 1; e++) {
          if (kCorners || c == 0 || d == 0 || e == 0) sum += x(c, d, e);
        }
      }
    }
    return sum * (kCorners ? 1.0f / 27 : 1.0f / 19);
  }
};

template <typename Shape>
__global__ void cells(const float* __restrict__ in, float* __restrict__ out, int n, int m, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= k || y >= m || z >= n) return;
  out[(size_t(z) * m + y) * k + x] = Shape::at([&](int c, int d, int e) {
    return in[(size_t(inside(z + c, n)) * m + inside(y + d, m)) * k + inside(x + e, k)];
  });
}
constexpr int kX = 32, kY = 4, kZ = 4;
template <typename Shape>
__global__ void tiled(const float* __restrict__ in, float* __restrict__ out, int n, int m, int k) {
  constexpr int R = Shape::kReach, kWide = kX + 2 * R, kTall = kY + 2 * R, kDeep = kZ + 2 * R;
  __shared__ float tile[kDeep][kTall][kWide];
  int x0 = blockIdx.x * kX - R, y0 = blockIdx.y * kY - R, z0 = blockIdx.z * kZ - R;
  int own = (threadIdx.z * kY + threadIdx.y) * kX + threadIdx.x;
  for (int q = own; q < kWide * kTall * kDeep; q += kX * kY * kZ) {
    int x = q % kWide, y = q / kWide % kTall, z = q / kWide / kTall;
    tile[z][y][x] = in[(size_t(inside(z0 + z, n)) * m + inside(y0 + y, m)) * k + inside(x0 + x, k)];
  }
  __syncthreads();
  int x = x0 + R + threadIdx.x, y = y0 + R + threadIdx.y, z = z0 + R + threadIdx.z;
  if (x >= k || y >= m || z >= n) return;
  out[(size_t(z) * m + y) * k + x] = Shape::at([&](int c, int d, int e) {
    return tile[threadIdx.z + R + c][threadIdx.y + R + d][threadIdx.x + R + e];
  });
}

template <typename Shape>
void measure(const char* name, int n, int m, int k) {
  dim3 block(32, 4, 2), grid((k + 31) / 32, (m + 3) / 4, (n + 1) / 2);
  dim3 cube(kX, kY, kZ), tiles((k + kX - 1) / kX, (m + kY - 1) / kY, (n + kZ - 1) / kZ);
  float one = best([&] { cells<Shape><<<grid, block>>>(a, b, n, m, k); });
  std::printf("%s %d %d %d %.5f", name, n, m, k, one);
  if constexpr (Shape::kReach <= 4) {
    std::printf(" %.5f", best([&] { tiled<Shape><<<tiles, cube>>>(a, b, n, m, k); }));
  }
  std::printf("\n");
  std::fflush(stdout);
}

int main() {
  const size_t bytes = size_t(1024) * 1024 * 1024 * 4;
  cudaMalloc(&a, bytes), cudaMalloc(&b, bytes);
  cudaMemset(a, 0, bytes), cudaMemset(b, 0, bytes);
  for (int n : {256, 512, 1024}) {
    measure<Star<1>>("star1", n, n, n);
    measure<Star<2>>("star2", n, n, n);
    measure<Star<4>>("star4", n, n, n);
    if (n < 1024) measure<Star<8>>("star8", n, n, n);
    if (n < 1024) measure<Star<16>>("star16", n, n, n);
  }
  for (int n : {255, 511, 1023}) {
    int deep = n == 1023 ? 511 : n;
    measure<Star<1>>("jacobi7", deep, n, n);
    measure<Star<2>>("jacobi13", deep, n, n);
    measure<Box<false>>("poisson", deep, n, n);
  }
  measure<Box<true>>("box3", 512, 512, 512);
  measure<Box<false>>("poisson", 512, 512, 512);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
#endif
