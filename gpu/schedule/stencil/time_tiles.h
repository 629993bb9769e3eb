// Versions of a loop of stencil steps: streams for large planes and spaces, overlapped tiles for
// all else. Every one gives the bits that step by step gives.
//
//   when elements >= 300000 and first_extent >= 33 and is_aligned: plane_stream{steps=16, ..}
//   when elements >= 300000 and ..: plane_stream{.., copies_arrays=true, ..}
//   otherwise: overlapped_tiles{steps=16, ..}
#pragma once

#include "gpu/plan/loops/iterated.h"
#include "gpu/schedule/choose.h"

namespace halo::gpu {

// Whether a kernel is a loop of steps.
bool isStencilLoop(const core::Function& kernel);

KernelChoice chooseTimeTiles(const core::Program& program, const core::Function& kernel,
                             const Limits& limits, const Request& request);

// How the instances of so many steps follow each other; in space neighbouring lines are known late.
Unrolled unrolledSteps(const core::Program& program, const IteratedStencil& iterated,
                       int64_t steps);

}  // namespace halo::gpu
