// Which accesses of a loop go by batches of its iterations, and how.
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

// Whether the iterations access different elements.
bool moves(const IndexPolynomials& places, const imp::For& loop, const Access& access);

// Nothing where batches save nothing.
std::optional<BatchAccesses> batchAccesses(const imp::Program& program,
                                           const IndexPolynomials& places, const imp::For& loop,
                                           const EarlyCode& early);

}  // namespace halo::gpu
