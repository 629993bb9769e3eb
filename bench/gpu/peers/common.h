// What the programs beside this file share: a line `name rate` for each measured work, in the units
// of bench/gpu/run. Best of several runs, between two events.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cub/cub.cuh>

constexpr size_t kN = size_t{1} << 28;
constexpr size_t kPairs = size_t{1} << 26;

template <typename Work>
double milliseconds(const Work& work) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  double best = 1e30;
  for (int i = 0; i < 8; ++i) {
    cudaEventRecord(begin);
    work();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    if (i > 1 && ms < best) best = ms;
  }
  return best;
}

inline void line(const char* name, double rate) { std::printf("%s %.4f\n", name, rate); }

// CUB asks twice: for the size of its scratch memory, then to run.
template <typename Call>
double cubTime(const Call& call) {
  size_t bytes = 0;
  call(nullptr, bytes);
  void* scratch = nullptr;
  cudaMalloc(&scratch, bytes);
  double ms = milliseconds([&] { call(scratch, bytes); });
  cudaFree(scratch);
  return ms;
}

// So many elements in G/s, done in `ms`.
inline double giga(size_t n, double ms) { return static_cast<double>(n) * 1e-6 / ms; }

// Numbers without order, below `modulus` unless that is 0.
static __global__ void fill(unsigned* to, size_t n, unsigned factor, unsigned modulus) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n;
       i += size_t{gridDim.x} * blockDim.x) {
    unsigned x = static_cast<unsigned>(i) * factor;
    x ^= x >> 15;
    to[i] = modulus == 0 ? x : x % modulus;
  }
}
