// The limits of the device, and what its own libraries reach: one line `name rate` for each, in the
// units of bench/gpu/run. Best of several runs, between two events.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#ifdef HAVE_CUFFT
#include <cufft.h>
#include <cusparse.h>
#endif

#include <cstdio>
#include <cub/cub.cuh>
#include <string>

namespace {

constexpr size_t kN = size_t{1} << 28;
constexpr size_t kPairs = size_t{1} << 26;

template <typename Work>
double milliseconds(const Work& work) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  double best = 1e30;
  for (int i = 0; i < 8; i++) {
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

void line(const char* name, double rate) { std::printf("%s %.4f\n", name, rate); }

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

__global__ void copyKernel(const float4* in, float4* out) {
  size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  out[i] = in[i];
}
__global__ void fill(unsigned* to, size_t n, unsigned factor, unsigned modulus) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n;
       i += size_t{gridDim.x} * blockDim.x) {
    unsigned x = static_cast<unsigned>(i) * factor;
    x ^= x >> 15;
    to[i] = modulus == 0 ? x : x % modulus;
  }
}
__global__ void scatterKernel(const long* is, const float* vs, float* to, size_t n) {
  size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (static_cast<size_t>(is[i]) < n) to[is[i]] = vs[i];
}
__global__ void indices(long* to, long n, long factor) {
  long i = blockIdx.x * long{blockDim.x} + threadIdx.x;
  to[i] = factor == 0 ? (i ^ 5) : (i * factor) % n;
}
__global__ void sparse(int* starts, int* columns, long n) {
  for (long k = blockIdx.x * long{blockDim.x} + threadIdx.x; k < n * 32 + 16;
       k += long{gridDim.x} * blockDim.x) {
    columns[k] = static_cast<int>((k / 32 + (k * 31) % 1024) % n);
    if (k <= n) starts[k] = static_cast<int>(32 * k + (k * 7919) % 16);
  }
}
__global__ void atomicCounts(const unsigned* in, unsigned* bins, size_t n) {
  size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i]], 1u);
}

}  // namespace

int main() {
  float *a = nullptr, *b = nullptr;
  cudaMalloc(&a, kN * 4 + 64);
  cudaMalloc(&b, kN * 4 + 64);
  cudaMemset(a, 0, kN * 4);
  auto* ua = reinterpret_cast<unsigned*>(a);
  auto* ub = reinterpret_cast<unsigned*>(b);
  double giga = static_cast<double>(kN) * 1e-6;  // per millisecond, in G/s
  line("copy", 8 * giga / milliseconds([&] {
         copyKernel<<<kN / 4 / 256, 256>>>(reinterpret_cast<float4*>(a),
                                           reinterpret_cast<float4*>(b));
       }));
  auto reduce = [&](size_t n) {
    return cubTime([&, n](void* scratch, size_t& bytes) {
      cub::DeviceReduce::Sum(scratch, bytes, a, b, static_cast<int>(n));
    });
  };
  line("read", 4 * giga / reduce(kN));
  line("reduce_65536", 1000 * reduce(65536));
  line("scan_f32", 8 * giga / cubTime([&](void* scratch, size_t& bytes) {
         cub::DeviceScan::InclusiveSum(scratch, bytes, a, b, static_cast<int>(kN));
       }));
  line("scan_i32", 8 * giga / cubTime([&](void* scratch, size_t& bytes) {
         cub::DeviceScan::InclusiveSum(scratch, bytes, ua, ub, static_cast<int>(kN));
       }));
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
    line(name, giga / (by_cub < by_atomics ? by_cub : by_atomics));
  }
  fill<<<4096, 256>>>(ua, kPairs, 2654435761u, 0);
  line("sort", static_cast<double>(kPairs) * 1e-6 / cubTime([&](void* scratch, size_t& bytes) {
         cub::DeviceRadixSort::SortKeys(scratch, bytes, ua, ub, static_cast<int>(kPairs));
       }));
  line("sort_pairs", static_cast<double>(kPairs) * 1e-6 / cubTime([&](void* scratch, size_t& bytes) {
         cub::DeviceRadixSort::SortPairs(scratch, bytes, ua, ub, ua + kPairs, ub + kPairs,
                                         static_cast<int>(kPairs));
       }));
  line("sort_u64", static_cast<double>(kPairs) * 1e-6 / cubTime([&](void* scratch, size_t& bytes) {
         cub::DeviceRadixSort::SortKeys(scratch, bytes, reinterpret_cast<unsigned long*>(ua),
                                        reinterpret_cast<unsigned long*>(ub),
                                        static_cast<int>(kPairs));
       }));
  auto keeps = [] __device__(unsigned x) { return (x >> 12) % 3 != 0; };
  line("select", static_cast<double>(kPairs) * 1e-6 / cubTime([&](void* scratch, size_t& bytes) {
         cub::DeviceSelect::If(scratch, bytes, ua, ub, bins, static_cast<int>(kPairs), keeps);
       }));
  line("partition", static_cast<double>(kPairs) * 1e-6 / cubTime([&](void* scratch, size_t& bytes) {
         cub::DevicePartition::If(scratch, bytes, ua, ub, bins, static_cast<int>(kPairs), keeps);
       }));
  fill<<<4096, 256>>>(ua, kPairs, 1, 0);
  line("unique", static_cast<double>(kPairs) * 1e-6 / cubTime([&](void* scratch, size_t& bytes) {
         cub::DeviceSelect::Unique(scratch, bytes, ua, ub, bins, static_cast<int>(kPairs));
       }));
#ifdef HAVE_CUFFT
  cudaMemset(a, 0, kN * 4);
  auto transform = [&](cufftHandle plan) {
    auto* in = reinterpret_cast<cufftComplex*>(a);
    auto* out = reinterpret_cast<cufftComplex*>(b);
    double ms = milliseconds([&] { cufftExecC2C(plan, in, out, CUFFT_FORWARD); });
    cufftDestroy(plan);
    return 1000 * ms;
  };
  cufftHandle plan;
  for (int n : {1 << 20, 1000000, 1 << 24}) {
    cufftPlan1d(&plan, n, CUFFT_C2C, 1);
    line(("fft_" + std::to_string(n)).c_str(), transform(plan));
  }
  for (int n : {1024, 256}) {
    cufftPlan1d(&plan, n, CUFFT_C2C, (1 << 24) / n);
    line(("fft_rows_" + std::to_string(n)).c_str(), transform(plan));
  }
  cufftPlan2d(&plan, 1024, 1024, CUFFT_C2C);
  line("fft_2d", transform(plan));
#endif
  long* is = nullptr;
  cudaMalloc(&is, kPairs * 8);
  for (long factor : {1000003L, 0L}) {
    indices<<<kPairs / 256, 256>>>(is, kPairs, factor);
    line(factor != 0 ? "scatter_random" : "scatter_near",
         static_cast<double>(kPairs) * 1e-6 / milliseconds([&] {
           scatterKernel<<<kPairs / 256, 256>>>(is, a, b, kPairs);
         }));
  }
  float* c = nullptr;
  cudaMalloc(&c, size_t{4} << 26);
  cublasHandle_t blas;
  cublasCreate(&blas);
  cublasSetMathMode(blas, CUBLAS_PEDANTIC_MATH);
  cudaMemset(a, 0, kN * 4);
  auto product = [&](int m, int n, int k) {
    float one = 1, zero = 0;
    double ms = milliseconds([&] {
      cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &zero, c, n);
    });
    return 2.0 * m * n * k * 1e-9 / ms;
  };
  line("sgemm_4096", product(4096, 4096, 4096));
  line("sgemm_odd", product(4093, 4091, 4097));
  const int shapes[][3] = {{1 << 20, 4, 256}, {1 << 20, 16, 256}, {16, 4096, 4096}, {64, 64, 1 << 20}};
  for (auto [m, n, k] : shapes) {
    std::string name = "sgemm_" + std::to_string(m) + "_" + std::to_string(n) + "_" + std::to_string(k);
    line(name.c_str(), product(m, n, k));
  }
#ifdef HAVE_CUFFT
  // Rows and columns of sparse_product, with indices of 4 bytes where Halo's have 8: its rate is in
  // Halo's bytes.
  const int rows = 1 << 20;
  int *starts = nullptr, *columns = nullptr;
  cudaMalloc(&starts, (rows + 1) * sizeof(int));
  cudaMalloc(&columns, (size_t{rows} * 32 + 16) * sizeof(int));
  sparse<<<4096, 256>>>(starts, columns, rows);
  cusparseHandle_t sparse_handle;
  cusparseCreate(&sparse_handle);
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t x, y;
  cusparseCreateCsr(&matrix, rows, rows, size_t{rows} * 32, starts, columns, a, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&x, rows, b, CUDA_R_32F);
  cusparseCreateDnVec(&y, rows, c, CUDA_R_32F);
  float one = 1, zero = 0;
  size_t bytes = 0;
  auto multiply = [&](void* scratch) {
    if (scratch == nullptr) {
      cusparseSpMV_bufferSize(sparse_handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x,
                              &zero, y, CUDA_R_32F, CUSPARSE_SPMV_CSR_ALG1, &bytes);
    } else {
      cusparseSpMV(sparse_handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero, y,
                   CUDA_R_32F, CUSPARSE_SPMV_CSR_ALG1, scratch);
    }
  };
  multiply(nullptr);
  void* scratch = nullptr;
  cudaMalloc(&scratch, bytes + 16);
  line("spmv", 12.0 * 32 * rows * 1e-6 / milliseconds([&] { multiply(scratch); }));
#endif
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
