// The limits of the device; CUB's sums, scans and histograms, and scatters.
#include "common.h"

namespace {

float *a, *b;  // two arrays
unsigned *ua, *ub;  // the same as integers

__global__ void copyKernel(const float4* in, float4* out) {
  size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  out[i] = in[i];
}
__global__ void scatterKernel(const long* is, const float* vs, float* to, size_t n) {
  size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (static_cast<size_t>(is[i]) < n) to[is[i]] = vs[i];
}
__global__ void scatterPairs(const long* is, const float* vs, const int* ws, float* to, int* other,
                             size_t n) {
  size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  size_t at = static_cast<size_t>(is[i]);
  if (at < n) to[at] = vs[i], other[at] = ws[i];
}
__global__ void scatterRows(const long* is, const float4* vs, float4* to, size_t n) {
  size_t k = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  size_t at = static_cast<size_t>(is[k / 4]);  // rows of 16 numbers
  if (at < n) to[at * 4 + k % 4] = vs[k];
}
__global__ void indices(long* to, long n, long factor) {
  long i = blockIdx.x * long{blockDim.x} + threadIdx.x;
  to[i] = factor == 0 ? (i ^ 5) : (i * factor) % n;
}
__global__ void atomicCounts(const unsigned* in, unsigned* bins, size_t n) {
  size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i]], 1u);
}

void limits() {
  line("copy", 8 * giga(kN, milliseconds([] {
                          copyKernel<<<kN / 4 / 256, 256>>>(reinterpret_cast<float4*>(a),
                                                            reinterpret_cast<float4*>(b));
                        })));
  auto reduce = [](size_t n) {
    return cubTime([n](void* scratch, size_t& bytes) {
      cub::DeviceReduce::Sum(scratch, bytes, a, b, static_cast<int>(n));
    });
  };
  line("read", 4 * giga(kN, reduce(kN)));
  line("reduce_65536", 1000 * reduce(65536));
}

template <typename T>
void scan(const char* name, const T* from, T* to) {
  line(name, 8 * giga(kN, cubTime([=](void* scratch, size_t& bytes) {
                        cub::DeviceScan::InclusiveSum(scratch, bytes, from, to, static_cast<int>(kN));
                      })));
}

void histograms() {
  unsigned* bins = nullptr;
  cudaMalloc(&bins, 4 << 20);
  for (unsigned count : {1u, 16u, 256u, 1024u, 4096u, 65536u, 1u << 20}) {
    fill<<<4096, 256>>>(ua, kN, 2654435761u, count);
    char name[32];
    std::snprintf(name, sizeof name, "hist_%u", count);
    double by_cub = cubTime([&](void* scratch, size_t& bytes) {
      cub::DeviceHistogram::HistogramEven(scratch, bytes, ua, bins, static_cast<int>(count) + 1, 0u,
                                          count, static_cast<int>(kN));
    });
    double by_atomics =
        milliseconds([&] { atomicCounts<<<kN / 256, 256>>>(ua, bins, kN); });
    line(name, giga(kN, by_cub < by_atomics ? by_cub : by_atomics));
  }
}

template <typename Launch>
void scatter(const char* name, const Launch& launch) {
  line(name, giga(kPairs, milliseconds(launch)));
}

void scatters() {
  long* is = nullptr;
  cudaMalloc(&is, kPairs * 8);
  const unsigned groups = kPairs / 256;
  indices<<<groups, 256>>>(is, kPairs, 1000003);
  scatter("scatter_random", [&] { scatterKernel<<<groups, 256>>>(is, a, b, kPairs); });
  indices<<<groups, 256>>>(is, kPairs, 0);
  scatter("scatter_near", [&] { scatterKernel<<<groups, 256>>>(is, a, b, kPairs); });
  scatter("scatter_pairs", [&] {
    scatterPairs<<<groups, 256>>>(is, a, reinterpret_cast<int*>(a + kPairs), b,
                                  reinterpret_cast<int*>(b + kPairs), kPairs);
  });
  scatter("scatter_rows", [&] {
    scatterRows<<<groups / 4, 256>>>(is, reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(b),
                                     kPairs / 16);
  });
}

}  // namespace

int main() {
  cudaMalloc(&a, kN * 4 + 64);
  cudaMalloc(&b, kN * 4 + 64);
  cudaMemset(a, 0, kN * 4);
  ua = reinterpret_cast<unsigned*>(a);
  ub = reinterpret_cast<unsigned*>(b);
  limits();
  scan("scan_f32", a, b);
  scan("scan_i32", ua, ub);
  histograms();
  scatters();
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
