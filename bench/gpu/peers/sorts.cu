// CUB's sorts, selections and runs.
#include "common.h"

namespace {

constexpr int kCount = static_cast<int>(kPairs);

unsigned *in, *out, *chosen;  // two arrays of 2^27 words, and room for numbers of chosen elements

template <typename T>
T* as(unsigned* array) {
  return reinterpret_cast<T*>(array);
}

template <typename Call>
void rate(const char* name, const Call& call) {
  line(name, giga(kPairs, cubTime(call)));
}

template <typename Key>
void sortKeys(const char* name) {
  rate(name, [](void* scratch, size_t& bytes) {
    cub::DeviceRadixSort::SortKeys(scratch, bytes, as<Key>(in), as<Key>(out), kCount);
  });
}

void sorts() {
  fill<<<4096, 256>>>(in, 2 * kPairs, 2654435761u, 0);
  sortKeys<unsigned>("sort");
  sortKeys<uint64_t>("sort_u64");
  rate("sort_pairs", [](void* scratch, size_t& bytes) {
    cub::DeviceRadixSort::SortPairs(scratch, bytes, in, out, in + kPairs, out + kPairs, kCount);
  });
  // Numbers of the same sizes as in the programs.
  fill<<<4096, 256>>>(in, kPairs, 2654435761u, 0x3f800000u);
  sortKeys<float>("sort_f32");
  sortKeys<double>("sort_f64");
}

void selections() {
  fill<<<4096, 256>>>(in, kPairs, 2654435761u, 0);
  auto keeps = [] __device__(unsigned x) { return (x >> 12) % 3 != 0; };
  auto is_last = [] __device__(unsigned x) { return (x >> 12) % 3 == 2; };
  rate("select", [&](void* scratch, size_t& bytes) {
    cub::DeviceSelect::If(scratch, bytes, in, out, chosen, kCount, keeps);
  });
  rate("partition", [&](void* scratch, size_t& bytes) {
    cub::DevicePartition::If(scratch, bytes, in, out, chosen, kCount, keeps);
  });
  unsigned* rest = nullptr;
  cudaMalloc(&rest, kPairs * 4);
  rate("partition_3", [&](void* scratch, size_t& bytes) {
    cub::DevicePartition::If(scratch, bytes, in, out, out + kPairs, rest, chosen, kCount, is_last,
                             keeps);
  });
  cudaFree(rest);
}

__global__ void thirds(unsigned* to) {
  size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  to[i] = static_cast<unsigned>(i / 3);
}

void runs() {
  thirds<<<kPairs / 256, 256>>>(in);
  rate("unique", [](void* scratch, size_t& bytes) {
    cub::DeviceSelect::Unique(scratch, bytes, in, out, chosen, kCount);
  });
  rate("encode", [](void* scratch, size_t& bytes) {
    cub::DeviceRunLengthEncode::Encode(scratch, bytes, in, out, out + kPairs, chosen, kCount);
  });
}

}  // namespace

int main() {
  cudaMalloc(&in, kPairs * 8);
  cudaMalloc(&out, kPairs * 8);
  cudaMalloc(&chosen, 64);
  sorts();
  selections();
  runs();
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
