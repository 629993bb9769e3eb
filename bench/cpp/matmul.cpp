// Matrix product (examples/matmul.fut), one core, the classical scheme of Goto & van de Geijn
// (2008): panels of both factors are packed, a panel of b stays in the first-level cache and a
// block of a in the second, and the micro-kernel keeps an 8 x 48 tile of the result in registers
// (24 vectors). n = 1024 and an odd size.
#include "measure.h"

namespace {

typedef float Vector __attribute__((vector_size(64)));
constexpr int kLanes = 16, kVectors = 3;  // width of the tile: 3 vectors
constexpr int kTileRows = 8, kTileColumns = kLanes * kVectors;
constexpr int kDepth = 256, kBlockRows = 128;  // k and rows of one packed block

struct Matrix {
  const float* data;
  int rows, columns;
  float at(int row, int column) const {
    return row < rows && column < columns ? data[static_cast<std::size_t>(row) * columns + column]
                                          : 0.0f;
  }
};

// Rows [row, row + 8) of a: element k of all eight rows side by side.
void packRows(const Matrix& a, int row, int k0, int depth, float* out) {
  for (int k = 0; k < depth; ++k)
    for (int r = 0; r < kTileRows; ++r) *out++ = a.at(row + r, k0 + k);
}

// Columns [column, column + 48) of b, row by row.
void packColumns(const Matrix& b, int column, int k0, int depth, float* out) {
  for (int k = 0; k < depth; ++k)
    for (int c = 0; c < kTileColumns; ++c) *out++ = b.at(k0 + k, column + c);
}

void microKernel(int depth, const float* __restrict rows, const float* __restrict columns,
                 float* __restrict tile) {
  Vector sums[kTileRows][kVectors] = {};
  for (int k = 0; k < depth; ++k, rows += kTileRows, columns += kTileColumns) {
    const Vector* b = reinterpret_cast<const Vector*>(columns);
    for (int r = 0; r < kTileRows; ++r) {
      const Vector a = rows[r] - Vector{};  // broadcast
      for (int v = 0; v < kVectors; ++v) sums[r][v] += a * b[v];
    }
  }
  for (int r = 0; r < kTileRows; ++r)
    for (int v = 0; v < kVectors; ++v)
      *reinterpret_cast<Vector*>(tile + r * kTileColumns + v * kLanes) = sums[r][v];
}

void addTile(const float* tile, float* c, int row, int column, int rows, int columns, bool first) {
  for (int r = 0; r < std::min(kTileRows, rows - row); ++r) {
    float* out = c + static_cast<std::size_t>(row + r) * columns + column;
    const float* in = tile + r * kTileColumns;
    const int width = std::min(kTileColumns, columns - column);
    if (first)
      for (int x = 0; x < width; ++x) out[x] = in[x];
    else
      for (int x = 0; x < width; ++x) out[x] += in[x];
  }
}

void multiply(const Matrix& a, const Matrix& b, float* c) {
  const int panels = (b.columns + kTileColumns - 1) / kTileColumns;
  const measure::Floats packedB =
      measure::floats(static_cast<std::size_t>(panels) * kTileColumns * kDepth);
  const measure::Floats packedA = measure::floats(kBlockRows * kDepth);
  alignas(64) float tile[kTileRows * kTileColumns];
  for (int k0 = 0; k0 < a.columns; k0 += kDepth) {
    const int depth = std::min(kDepth, a.columns - k0);
    for (int p = 0; p < panels; ++p)
      packColumns(b, p * kTileColumns, k0, depth, packedB.get() + p * kTileColumns * kDepth);
    for (int block = 0; block < a.rows; block += kBlockRows) {
      const int end = std::min(block + kBlockRows, a.rows);
      for (int row = block; row < end; row += kTileRows)
        packRows(a, row, k0, depth, packedA.get() + (row - block) * kDepth);
      for (int p = 0; p < panels; ++p)
        for (int row = block; row < end; row += kTileRows) {
          microKernel(depth, packedA.get() + (row - block) * kDepth,
                      packedB.get() + p * kTileColumns * kDepth, tile);
          addTile(tile, c, row, p * kTileColumns, a.rows, b.columns, k0 == 0);
        }
    }
  }
}

void run(const char* name, int n, int k, int m) {
  const std::size_t cells = static_cast<std::size_t>(n) * m;
  const measure::Floats a = measure::floats(static_cast<std::size_t>(n) * k);
  const measure::Floats b = measure::floats(static_cast<std::size_t>(k) * m);
  const measure::Floats c = measure::floats(cells);
  measure::fill(a.get(), static_cast<std::size_t>(n) * k, -1.0f, 1.0f);
  measure::fill(b.get(), static_cast<std::size_t>(k) * m, 0.0f, 1.0f);
  const double ms = measure::bestMilliseconds(5, [&] {
    multiply({a.get(), n, k}, {b.get(), k, m}, c.get());
  });
  measure::report(name, ms, "gflop_per_s", 2.0 * n * k * m, measure::sum(c.get(), cells));
}

}  // namespace

int main() {
  run("matmul_cpp_1024", 1024, 1024, 1024);
  run("matmul_cpp_1023x517x1151", 1023, 517, 1151);
}
