// cuBLAS's products, cuFFT's transforms and cuSPARSE's product of a matrix and a vector.
#include <cublas_v2.h>
#include <cufft.h>
#include <cusparse.h>

#include <string>

#include "common.h"

namespace {

float *a, *b, *c;  // arrays of zeros

__global__ void sparse(int* starts, int* columns, long n) {
  for (long k = blockIdx.x * long{blockDim.x} + threadIdx.x; k < n * 32 + 16;
       k += long{gridDim.x} * blockDim.x) {
    columns[k] = static_cast<int>((k / 32 + (k * 31) % 1024) % n);
    if (k <= n) starts[k] = static_cast<int>(32 * k + (k * 7919) % 16);
  }
}

void transforms() {
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
  cufftPlan3d(&plan, 128, 128, 128, CUFFT_C2C);
  line("fft_3d", transform(plan));
}

void products() {
  cublasHandle_t blas;
  cublasCreate(&blas);
  cublasSetMathMode(blas, CUBLAS_PEDANTIC_MATH);
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
}

// Rows and columns of sparse_product, with indices of 4 bytes where Halo's have 8: its rate is in
// Halo's bytes.
void sparseProduct() {
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
}

}  // namespace

int main() {
  for (float** array : {&a, &b, &c}) {
    cudaMalloc(array, kN * 4);
    cudaMemset(*array, 0, kN * 4);
  }
  transforms();
  products();
  sparseProduct();
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
