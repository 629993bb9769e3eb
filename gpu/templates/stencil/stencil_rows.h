// A stencil by register tiles (docs/gpu.md#register-tile). In the interior nothing is tested: no
// row with neighbours is outside.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// The tile of one kernel of a schedule.
struct RowsShape : RegisterTileSchedule {
  // How many cells further in its vector the next row of an axis begins. Empty: rows are whole
  // vectors.
  std::vector<int64_t> alignment_offset = {};
  bool isUnaligned() const { return !alignment_offset.empty() && alignment_offset.back() != 0; }
};

// The facts of a launch that guards ask for. Static: whether all arrays are row-major.
bool isRowMajor(const KernelCall& call, const core::Stencil& stencil);
// Host: whether all arrays begin at multiples of so many elements: parts of larger arrays may not.
imp::Operand beginAtVectors(imp::Builder& host, const KernelCall& call,
                            const core::Stencil& stencil, int64_t columns);

// A box of cells; host operands.
struct Box {
  imp::Operands origin, size;
};
// Without the rows whose neighbours may lie in rows outside.
Box rowsInterior(imp::Builder& host, const core::Stencil& stencil, const imp::Operands& extents);
// All cells.
Box wholeBox(const imp::Operands& extents);
// The surroundings of a box, axis by axis from the first on; it is whole along the last `whole`.
std::vector<Box> boxesAround(imp::Builder& host, const Box& interior, const imp::Operands& extents,
                             size_t whole);
// The cells beside a box along the last axis.
std::vector<Box> boxesBesides(imp::Builder& host, const Box& interior,
                              const imp::Operands& extents);
// Host: whether rows have these alignment offsets.
imp::Operand hasAlignmentOffset(imp::Builder& host, const RowsShape& shape,
                                const imp::Operands& extents);
// The first cells of invocations, before their alignment: where the ends of rows are left to
// others no neighbour is outside anywhere.
Box peeledInterior(imp::Builder& host, const core::Stencil& stencil,
                   const RegisterTileSchedule& tile, const imp::Operands& extents);
// The cells that they compute in any case.
Box peeledCover(imp::Builder& host, const RegisterTileSchedule& tile, const Box& interior,
                const imp::Operands& extents);

// The whole array. One kernel where rows are clamped. Else its interior has a kernel, and so have,
// concurrently, the rows whose neighbours may lie outside and the ends of peeled rows. One kernel
// for each alignment offset of unaligned rows.
void emitRegisterTile(imp::Program& program, imp::Builder& host, const KernelCall& call,
                      const core::Stencil& stencil, const RegisterTileSchedule& tile,
                      const imp::Operands& extents);

}  // namespace halo::gpu
