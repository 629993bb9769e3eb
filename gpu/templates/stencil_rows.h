// A stencil by invocations with several cells each. In the interior nothing is tested: no row with
// neighbours is outside.
#pragma once

#include "gpu/plan/variants.h"
#include "gpu/templates/templates.h"

namespace halo::gpu {

// What one invocation computes: `columns` neighbouring cells of `rows` rows (along the axis before
// the last, or the first of three) in `lines` (along the middle one of three).
struct RowsShape {
  int64_t columns = 1, rows = 1, lines = 1;
  int64_t blocks = 1;  // pieces of `columns` cells, a subgroup apart
  int64_t ahead = 2;   // rows that are loaded before they are needed
  int64_t tall = 8;    // invocations of a workgroup along the axis before the last
  int64_t slab =
      0;  // workgroups along the middle axis of three that go along the first one together
};
// Nothing where the stencil has neighbours that only the run time knows, or is a line.
std::optional<RowsShape> rowsShape(const KernelCall& call, const core::Stencil& stencil,
                                   bool vectors);

// A box of cells; host operands.
struct Box {
  imp::Operands origin, size;
};
// Without the rows whose neighbours may lie in rows outside.
Box rowsInterior(imp::Builder& host, const core::Stencil& stencil, const imp::Operands& extents);
// Rows must be at least this long.
int64_t reachAlongRows(const core::Stencil& stencil);
// The whole array: its interior, and beside it the rows whose neighbours may lie in rows outside.
// False if a cell's code is more than arithmetic: nothing has been emitted then.
bool emitRows(imp::Program& program, imp::Builder& host, const KernelCall& call,
              const core::Stencil& stencil, RowsShape shape, const imp::Operands& extents);

}  // namespace halo::gpu
