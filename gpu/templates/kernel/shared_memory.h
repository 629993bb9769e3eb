// How much of the memory that a workgroup shares a template plans with.
#pragma once

#include <algorithm>

#include "gpu/plan/variants.h"

namespace halo::gpu {

// What shapes are chosen for, and were measured with: several workgroups run side by side then.
// What needs more, or asks for it, may have all that the device has (Variants::shared_bytes).
inline int64_t usualSharedBytes(const Variants& variants) {
  constexpr int64_t kUsual = 32 * 1024;
  return std::min(variants.shared_bytes, kUsual);
}

}  // namespace halo::gpu
