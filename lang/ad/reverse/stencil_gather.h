// The adjoint of a window as one stencil over the space of the cells.
//
//   ys = stencil [n] (window xs clamp {-2}) map (a) ..      with cotangents gs of the neighbour
// becomes
//   inside = replicate [n] true
//   xs' = stencil [n] (window gs constant 0 {2, 0, 1}, window inside constant false {-1})
//         map (g, g_0, g_1, has_left) { select has_left g (g + (g_0 + g_1)) }
//
// The first cell stands for all cells beyond it, so it also gets what these would get. Both are
// near, so it reads them from its own window. Nothing is padded, and the stencil joins its
// neighbours like any other. The window on `inside` tells where the array ends: engines know it as
// constant in the interior (lang/core/iterated.h).
#pragma once

#include "lang/ad/emit.h"

namespace halo::ad {

struct NeighbourPart {
  std::vector<int64_t> offset;
  ValueId cotangent;  // of the neighbour, for each cell
};

struct WindowParts {
  Operands space;
  std::vector<core::Boundary> boundary;  // of the window; constants are 0
  std::vector<NeighbourPart> parts;      // at least one
};

// Not at an uneven mirror, where sources depend on the extent, and not with many terms.
bool canGather(const WindowParts& window);
ValueId gatherParts(Emitter& e, const WindowParts& window);

}  // namespace halo::ad
