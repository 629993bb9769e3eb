// Schedules of products whose element types a device's cooperative matrices have
// (docs/gpu.md#cooperative-matrices).
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

// A sum of products: element types, as far as matrices have them.
struct MatrixForm {
  prim::ScalarType element;  // of both inputs: f16, i8 or u8
  prim::ScalarType sum;      // of the matrices that add: f32, i32 or u32
};

//   screma [k] (r, c) map (x: t, y: t) { s.mul (s.of_t x) (s.of_t y) } reduce s.add 0s
//
// Sums of f16 are added in f32 and rounded once. Integers of 32 bits wrap with and without a sign.
std::optional<MatrixForm> matrixForm(const core::Program& program, const core::Screma& screma);

// Versions for `levels`, a nest as of reduceNest; none where operators or device have other types.
// Guards ask whether the launch's inputs are matrices whose lines lie together.
void addMatrixProducts(KernelChoice& choice, const core::Program& program,
                       const core::Function& kernel, const std::vector<const core::Screma*>& levels,
                       const Limits& limits, const Request& request);

// Words of 32 bits from one staged line of so many elements to the next.
inline int64_t matrixPitch(const MatrixProductSchedule& schedule, int64_t elements) {
  return (elements * schedule.element_bytes + schedule.padding) / 4;
}
// Words of a copy of the staged lines, whichever way they lie in memory.
int64_t matrixWords(const MatrixProductSchedule& schedule, int64_t lines);
int64_t matrixSharedBytes(const MatrixProductSchedule& schedule);

}  // namespace halo::gpu
