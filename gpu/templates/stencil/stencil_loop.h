// Several steps of an iterated stencil in one launch: the common part of its kernels. Both compute
// some cells twice so that no invocation waits for another workgroup, and both give the bits that
// step by step gives.
#pragma once

#include "gpu/plan/loops/iterated.h"
#include "gpu/plan/variants.h"
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

// ---- tiles: one workgroup, one block of cells, its surroundings in shared memory

struct TileShape {
  std::string name;            // of the kernel, behind that of the call
  std::vector<int64_t> block;  // cells along each axis
};
// Rectangles of one size or two: the parts of the array that tiles cover; host operands.
struct Rectangle {
  imp::Operands origin, size;
};
// Bytes of shared memory that a block needs.
int64_t sharedBytes(const Unrolled& unrolled, const std::vector<int64_t>& block);
// `rectangles`: one or two. `beside`: launched right behind another kernel of this sweep.
void emitTiles(Sweep& sweep, const Unrolled& unrolled, const TileShape& shape,
               const std::vector<Rectangle>& rectangles, bool beside);

// ---- streaming: one subgroup, a strip of columns, rows in registers

struct MarchShape {
  std::string name;
  int subgroup;             // invocations
  int64_t vector;           // columns of a lane
  int64_t margin;           // columns lost on each side, a multiple of `vector`
  int64_t rows_lost;        // on each side
  bool moves_rows = false;  // a trip is one row
  int64_t wanted = 2048;    // subgroups that keep a large device busy
};
MarchShape marchShape(const Unrolled& unrolled, int subgroup);
// The cells that streaming covers; the frame around them is left to tiles.
Rectangle marchInterior(imp::Builder& host, const MarchShape& shape, const imp::Operands& extents);
void emitMarch(Sweep& sweep, const Unrolled& unrolled, const MarchShape& shape,
               const Rectangle& interior);

// ---- planes: one workgroup, a block of lines and columns that goes through space

struct PlanesShape {
  std::string name;
  int subgroup;         // invocations
  int64_t vector;       // columns of a lane
  int64_t lines;        // lines of a lane
  int64_t subgroups;    // of a workgroup
  int64_t wanted;       // workgroups that keep a large device busy
  int64_t margin;       // columns lost on each side, a multiple of `vector`
  int64_t lost;         // lines lost on each side
  int64_t planes_lost;  // on each side
  bool is_even;         // lines of the array are whole vectors
};
PlanesShape planesShape(const Unrolled& unrolled, const Variants& variants);
// Bytes of shared memory that a workgroup needs, at most.
int64_t sharedBytes(const Unrolled& unrolled, const PlanesShape& shape);
// The whole array; lines lie whole vectors apart.
void emitPlanes(Sweep& sweep, const Unrolled& unrolled, const PlanesShape& shape);

// Host code of the whole loop; results are written to call.results.
TemplateResult emitStencilLoop(imp::Program& program, imp::Builder& host, const KernelCall& call,
                               const Variants& variants);

}  // namespace halo::gpu
