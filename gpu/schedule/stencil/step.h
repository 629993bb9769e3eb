// Versions of one stencil step: register tiles for large arrays, one invocation for each cell of
// small ones and of unusual stencils.
//
//   when .. and is_aligned: register_tile{columns=4, ..}
//   when .. and is_begin_aligned: register_tile{.., is_unaligned=true, ..}
//   when elements >= 2000000 and ..: register_tile{columns=1, ..}
//   otherwise: per_element{layout=single, ..}
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

KernelChoice chooseStep(const Launches& launches, const core::Function& kernel,
                        const Limits& limits, const Request& request);

}  // namespace halo::gpu
