// Several steps of an iterated stencil in one launch: the common part of its kernels. Both compute
// some cells twice so that no invocation waits for another workgroup, and both give the bits that
// step by step gives.
#pragma once

#include "gpu/plan/loops/iterated.h"
#include "gpu/schedule/stencil/overlap.h"
#include "gpu/templates/templates.h"

namespace halo::gpu {

// One launch of the host program: reads `from`, writes `to`.
struct Sweep {
  imp::Program& program;
  imp::Builder& host;
  const KernelCall& call;
  const IteratedStencil& iterated;
  imp::Operands extents;                // host
  std::vector<imp::ArrayRef> from, to;  // host, by carried array
  imp::Operand done;                    // host: steps done before
  // Arrays from outside of the loop that have been copied to rows of another length.
  std::unordered_map<core::ValueId, imp::ArrayRef> copies;
};

// The parameters of a stage's cell but for the cell itself, by step: loop index and scalar code.
std::vector<imp::Environment> environmentsOf(KernelScope& scope, const Sweep& sweep, int steps);

// A launch of a schedule for so many steps.
struct StepLaunch {
  std::string name;  // of the kernel, behind that of the call
  const Unrolled& unrolled;
};

// ---- tiles: one workgroup, one block of cells, its surroundings in shared memory

struct TileShape {
  std::string name;            // of the kernel, behind that of the call
  std::vector<int64_t> block;  // cells along each axis
  int64_t workgroup;
};
// Rectangles of one size or two: the parts of the array that tiles cover; host operands.
struct Rectangle {
  imp::Operands origin, size;
};
// `rectangles`: one or two. `beside`: launched right behind another kernel of this sweep.
void emitTiles(Sweep& sweep, const Unrolled& unrolled, const TileShape& shape,
               const std::vector<Rectangle>& rectangles, bool beside);

// ---- streaming: one subgroup, a strip of columns, rows in registers

// The cells that streaming covers; the frame around them is left to tiles.
Rectangle planeStreamInterior(imp::Builder& host, const StreamMargin& margin,
                              const imp::Operands& extents);
void emitPlaneStream(Sweep& sweep, const StepLaunch& launch, const PlaneStreamSchedule& schedule,
                     const Rectangle& interior);

// ---- planes: one workgroup, a block of lines and columns that goes through space

// The whole array; the stride of lines is whole vectors.
void emitSpaceStream(Sweep& sweep, const StepLaunch& launch, const SpaceStreamSchedule& schedule);

// Host code of the whole loop; results are written to call.results.
TemplateResult emitStencilLoop(imp::Program& program, imp::Builder& host, const KernelCall& call);

}  // namespace halo::gpu
