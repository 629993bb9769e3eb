// The accesses of a loop that batches of its iterations do together:
//
//   for i { x = load xs[i];  store ys[i] (f x) }
//     a batch of 4:  x0 .. x3 = load4 xs[i ..];  ..;  store4 ys[i ..] y0 .. y3
//
// Loads of a batch precede its stores, so each access needs a distance from the others that the
// batch does not cross (index_polynomials.h).
#pragma once

#include <optional>
#include <vector>

#include "gpu/raise/batches/early_code.h"

namespace halo::gpu {

// Iterations of a batch: 16 bytes of a row of 4-byte elements; more where short code waits for
// loads in line.
inline constexpr int64_t kBatch = 4, kLongBatch = 8;

struct BatchAccesses {
  std::vector<Access> loads;   // element by element, in front of the batch
  std::vector<Access> loaded;  // by vectors
  std::vector<Access> stored;  // by vectors, behind the batch
  int64_t step = 0;            // of the vectors' elements, 1 or -1

  bool hasVectors() const { return !loaded.empty() || !stored.empty(); }
  const Access& firstVector() const { return loaded.empty() ? stored[0] : loaded[0]; }
};

// Do the iterations access different elements?
bool moves(const IndexPolynomials& places, const imp::For& loop, const Access& access);

// Nothing where batches save no access, or where the order of accesses would change a value.
std::optional<BatchAccesses> batchAccesses(const imp::Program& program,
                                           const IndexPolynomials& places, const imp::For& loop,
                                           const EarlyCode& early);

}  // namespace halo::gpu
