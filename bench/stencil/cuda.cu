// Means over stars and boxes as written by hand in CUDA, one cell per thread, neighbours clamped to
// the edges: the yardstick of bench/stencil/run. Prints `NAME SIZE.. MILLISECONDS` of one step, the
// best of some runs; `copy` is the device's own.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 --fmad=false -o cuda cuda.cu && ./cuda
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <utility>

constexpr int kRuns = 8;

__device__ int inside(int at, int extent) { return min(max(at, 0), extent - 1); }

// Offsets in the order of Halo's: sorted, outermost axis first.
template <int R>
struct Star2 {
  static constexpr float kWeight = 1.0f / (4 * R + 1);
  static __device__ float at(const float* in, int n, int m, int y, int x) {
    float sum = 0;
#pragma unroll
    for (int d = -R; d < 0; d++) sum += in[size_t(inside(y + d, n)) * m + x];
#pragma unroll
    for (int d = -R; d <= R; d++) sum += in[size_t(y) * m + inside(x + d, m)];
#pragma unroll
    for (int d = 1; d <= R; d++) sum += in[size_t(inside(y + d, n)) * m + x];
    return kWeight * sum;
  }
};
template <int R>
struct Box2 {
  static constexpr float kWeight = 1.0f / ((2 * R + 1) * (2 * R + 1));
  static __device__ float at(const float* in, int n, int m, int y, int x) {
    float sum = 0;
#pragma unroll
    for (int d = -R; d <= R; d++) {
#pragma unroll
      for (int e = -R; e <= R; e++) sum += in[size_t(inside(y + d, n)) * m + inside(x + e, m)];
    }
    return kWeight * sum;
  }
};
template <int R>
struct Star3 {
  static constexpr float kWeight = 1.0f / (6 * R + 1);
  static __device__ float at(const float* in, int n, int m, int k, int z, int y, int x) {
    float sum = 0;
#pragma unroll
    for (int d = -R; d <= R; d++) {
      if (d != 0) sum += in[(size_t(inside(z + d, n)) * m + y) * k + x];
    }
#pragma unroll
    for (int d = -R; d <= R; d++) {
      if (d != 0) sum += in[(size_t(z) * m + inside(y + d, m)) * k + x];
    }
#pragma unroll
    for (int d = -R; d <= R; d++) sum += in[(size_t(z) * m + y) * k + inside(x + d, k)];
    return kWeight * sum;
  }
};
struct Box3 {
  static __device__ float at(const float* in, int n, int m, int k, int z, int y, int x) {
    float sum = 0;
#pragma unroll
    for (int c = -1; c <= 1; c++) {
#pragma unroll
      for (int d = -1; d <= 1; d++) {
#pragma unroll
        for (int e = -1; e <= 1; e++) {
          sum += in[(size_t(inside(z + c, n)) * m + inside(y + d, m)) * k + inside(x + e, k)];
        }
      }
    }
    return sum / 27;
  }
};

template <typename Shape>
__global__ void plane(const float* __restrict__ in, float* __restrict__ out, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < m && y < n) out[size_t(y) * m + x] = Shape::at(in, n, m, y, x);
}
template <typename Shape>
__global__ void cube(const float* __restrict__ in, float* __restrict__ out, int n, int m, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < k && y < m && z < n) out[(size_t(z) * m + y) * k + x] = Shape::at(in, n, m, k, z, y, x);
}

float *a, *b;

template <typename Launch>
float best(const Launch& launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  float least = 1e30f;
  for (int i = 0; i < kRuns; i++) {
    cudaEventRecord(begin);
    for (int k = 0; k < 10; k++) launch(), std::swap(a, b);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    least = std::min(least, ms / 10);
  }
  return least;
}

template <typename Shape>
void plane(const char* name, int n, int m) {
  dim3 block(32, 8), grid((m + 31) / 32, (n + 7) / 8);
  std::printf("%s %d %d %.5f\n", name, n, m, best([&] { plane<Shape><<<grid, block>>>(a, b, n, m); }));
}
template <typename Shape>
void cube(const char* name, int n, int m, int k) {
  dim3 block(32, 4, 2), grid((k + 31) / 32, (m + 3) / 4, (n + 1) / 2);
  std::printf("%s %d %d %d %.5f\n", name, n, m, k,
              best([&] { cube<Shape><<<grid, block>>>(a, b, n, m, k); }));
}

int main() {
  const size_t bytes = size_t(16384) * 16384 * 4;
  cudaMalloc(&a, bytes), cudaMalloc(&b, bytes);
  cudaMemset(a, 0, bytes), cudaMemset(b, 0, bytes);
  std::printf("copy 16384 16384 %.5f\n",
              best([&] { cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice); }));
  for (int n : {16384, 8191, 4096, 1024, 256}) plane<Star2<1>>("star1", n, n);
  for (int n : {16384, 8191}) plane<Star2<2>>("star2", n, n);
  plane<Star2<4>>("star4", 16384, 16384);
  plane<Star2<8>>("star8", 16384, 16384);
  plane<Star2<16>>("star16", 16384, 16384);
  plane<Box2<1>>("box3", 16384, 16384);
  for (int n : {16384, 8191}) plane<Box2<2>>("gaussian", n, n);
  plane<Box2<4>>("box9", 16384, 16384);
  plane<Box2<8>>("conv17", 4096, 4096);
  for (int n : {512, 511}) cube<Star3<1>>("star1_3d", n, n, n);
  for (int n : {512, 511}) cube<Star3<2>>("star2_3d", n, n, n);
  cube<Star3<4>>("star4_3d", 512, 512, 512);
  cube<Box3>("box3_3d", 512, 512, 512);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
