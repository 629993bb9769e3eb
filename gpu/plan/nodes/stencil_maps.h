// Stencils as nests of maps that read neighbours by index, for the cells of a workgroup:
//
//   ys = stencil [n] (window xs clamp {-1, 0}) map (a, b) { .. }
// becomes
//   is = iota i64 [n] 0 1
//   ys = screma [n] (is) map (i) { j = i64.sub i 1; k = i64.max 0 j; a = index xs[k];
//                                  b = index xs[i]; .. }
//
// Values that a stencil reduces are an array then, read by a reduction over all cells in a line.
// Their number is computed in front of the loop around.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

// The same loop without stencils; those with dynamic offsets or mirrors stay, and those in lambdas.
struct LoopOfMaps {
  core::Stm loop;
  std::vector<core::Stm> before;  // one scalar each
};
LoopOfMaps withoutStencils(core::Program& program, const core::Stm& loop);

// Whether offsets are constant, without mirrors.
bool hasStaticWindows(const core::Program& program, const core::Stencil& stencil);
// One such stencil that reduces nothing: its positions, then the map.
std::vector<core::Stm> asMap(core::Program& program, const core::Stm& stencil);

}  // namespace halo::gpu
