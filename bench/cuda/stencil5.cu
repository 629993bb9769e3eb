// Five-point stencil, one step of 16384 x 16384 floats, as written by hand in CUDA: the yardstick
// for GPU stencils. Prints three times side by side, in one process: the device's own copy
// (cudaMemcpy, the limit, since a step reads and writes every cell once), one cell per thread, and
// four cells per thread and row, marching down the rows.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 --fmad=false -o stencil5 stencil5.cu && ./stencil5
//
// Clamped edges; out = 0.2 (north + west + here + east + south), as examples/jacobi2d.fut. The two
// kernels must agree bit for bit, and with the CPU on a sample of cells; otherwise the program says
// so and fails.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

constexpr int kSize = 16384;
constexpr int kRuns = 20;
constexpr int kMarch = 8;  // rows per thread of the marching kernel

__host__ __device__ inline float fivePoint(float north, float west, float here, float east,
                                           float south) {
  return 0.2f * (north + west + here + east + south);
}

__global__ void onePerThread(const float* __restrict__ in, float* __restrict__ out, int rows,
                             int columns) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  const float* here = in + static_cast<size_t>(y) * columns;
  const float* north = y > 0 ? here - columns : here;
  const float* south = y < rows - 1 ? here + columns : here;
  out[static_cast<size_t>(y) * columns + x] =
      fivePoint(north[x], here[max(x - 1, 0)], here[x], here[min(x + 1, columns - 1)], south[x]);
}

__device__ inline float4 load4(const float* row, int x) {
  return *reinterpret_cast<const float4*>(row + x);
}

// Four neighbouring columns per thread, kMarch rows: each row is loaded once per thread as one
// 16-byte word and stays in registers while it is south, here and north. Columns must be a multiple
// of 4; the outer neighbours of the four come from the cache, where the next thread has just put
// them.
__global__ void fourPerThread(const float* __restrict__ in, float* __restrict__ out, int rows,
                              int columns) {
  const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int first = kMarch * (blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= columns || first >= rows) return;
  const int west = max(x - 1, 0), east = min(x + 4, columns - 1);
  const float* row = in + static_cast<size_t>(first) * columns;
  float4 north = load4(first > 0 ? row - columns : row, x);
  float4 here = load4(row, x);
#pragma unroll
  for (int i = 0; i < kMarch; ++i) {
    const int y = first + i;
    if (y >= rows) return;
    const float* next = y < rows - 1 ? row + columns : row;
    const float4 south = load4(next, x);
    float4 result;
    result.x = fivePoint(north.x, row[west], here.x, here.y, south.x);
    result.y = fivePoint(north.y, here.x, here.y, here.z, south.y);
    result.z = fivePoint(north.z, here.y, here.z, here.w, south.z);
    result.w = fivePoint(north.w, here.z, here.w, row[east], south.w);
    *reinterpret_cast<float4*>(out + static_cast<size_t>(y) * columns + x) = result;
    north = here;
    here = south;
    row = next;
  }
}

// Best and median of kRuns runs, each between two events, after three runs to warm up.
template <typename Launch>
void measure(const char* name, size_t bytes, const Launch& launch) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  for (int i = 0; i < 3; ++i) launch();
  CHECK(cudaGetLastError());
  std::vector<float> times;
  for (int i = 0; i < kRuns; ++i) {
    CHECK(cudaEventRecord(start));
    launch();
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float milliseconds = 0.0f;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    times.push_back(milliseconds);
  }
  CHECK(cudaGetLastError());
  std::sort(times.begin(), times.end());
  std::printf("%s ms_per_run %.4f median %.4f gb_per_s %.1f\n", name, times.front(),
              times[times.size() / 2], static_cast<double>(bytes) / (times.front() * 1e-3) * 1e-9);
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}

// Cells of `got` that differ from the host's result, on the corners, edges and a sample of the
// interior.
int wrongCells(const std::vector<float>& in, const std::vector<float>& got) {
  const auto at = [&](int y, int x) {
    y = std::min(std::max(y, 0), kSize - 1);
    x = std::min(std::max(x, 0), kSize - 1);
    return in[static_cast<size_t>(y) * kSize + x];
  };
  int wrong = 0;
  for (int y = 0; y < kSize; y = y < 9 || y > kSize - 9 ? y + 1 : std::min(y + 997, kSize - 8))
    for (int x = 0; x < kSize; x = x < 9 || x > kSize - 9 ? x + 1 : std::min(x + 131, kSize - 8)) {
      const float want =
          fivePoint(at(y - 1, x), at(y, x - 1), at(y, x), at(y, x + 1), at(y + 1, x));
      if (want != got[static_cast<size_t>(y) * kSize + x]) ++wrong;
    }
  return wrong;
}

int main() {
  const size_t cells = static_cast<size_t>(kSize) * kSize;
  const size_t bytes = cells * sizeof(float);
  std::vector<float> host(cells);
  unsigned state = 12345;
  for (float& value : host) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) * 0x1p-24f;
  }
  float *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&out, bytes));
  CHECK(cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice));

  measure("copy_cuda", 2 * bytes,
          [&] { CHECK(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice)); });

  const dim3 block(32, 8);
  const dim3 grid((kSize + 31) / 32, (kSize + 7) / 8);
  std::vector<float> one(cells), four(cells);
  measure("stencil5_cuda_one_per_thread", 2 * bytes,
          [&] { onePerThread<<<grid, block>>>(in, out, kSize, kSize); });
  CHECK(cudaMemcpy(one.data(), out, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(out, 0, bytes));

  const dim3 blockFour(64, 4);
  const dim3 gridFour((kSize / 4 + 63) / 64, (kSize / kMarch + 3) / 4);
  measure("stencil5_cuda_four_per_thread", 2 * bytes,
          [&] { fourPerThread<<<gridFour, blockFour>>>(in, out, kSize, kSize); });
  CHECK(cudaMemcpy(four.data(), out, bytes, cudaMemcpyDeviceToHost));

  const int wrong = wrongCells(host, one);
  const bool equal = one == four;
  std::printf("check: %d wrong cells in the sample, kernels %s\n", wrong,
              equal ? "agree" : "DIFFER");
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  return wrong == 0 && equal ? 0 : 1;
}
