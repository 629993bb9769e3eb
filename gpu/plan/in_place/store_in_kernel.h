// A kernel stores its result in the array that the host updates with it. The result then needs no
// memory of its own, and no launch copies it.
#pragma once

#include <optional>

#include "gpu/plan/in_place/regions.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// Statement `update` of a body overwrites `region` of an array with result `result` of the kernel
// that statement `made` calls, perhaps reshaped by statement `reshape`.
struct UpdatePlace {
  size_t made, update, result;
  std::optional<size_t> reshape;
  core::Update store;
  Region region;
  std::optional<size_t> beside = {};  // a result that the call has stored in the array already
  bool reads_row = false;             // others want the result, too
  bool moves_up = false;              // the update, to the call
};

// Result `place.result` of the kernel becomes the updated array; what the update needs of the host
// becomes a parameter, and an argument of the call.
void storeInKernel(core::Program& program, core::Function& kernel, core::Call& call,
                   const UpdatePlace& place);

}  // namespace halo::gpu
