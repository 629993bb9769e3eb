// The number of whole segments before a place. Division costs more than all else that is done for
// a place, so a product with the reciprocal takes its part.
#pragma once

#include "gpu/templates/kernel/kernel_scope.h"

namespace halo::gpu {

class SegmentQuotient {
 public:
  // `segment`: host, the elements of one. `tile`: the elements of a tile, at most 65,536.
  SegmentQuotient(imp::Builder& host, KernelScope& scope, imp::Operand segment, int64_t tile);

  // place / segment, where place < segment + tile.
  imp::Operand of(const imp::Operand& place);

 private:
  // For segments below the size of a tile.
  imp::Operand byReciprocal(const imp::Operand& place);

  KernelScope& scope_;
  imp::Operand segment_, reciprocal_;  // host; i64, f32
};

}  // namespace halo::gpu
