// A stencil by invocations with several cells each. In the interior nothing is tested: no row with
// neighbours is outside.
#pragma once

#include "gpu/plan/variants.h"
#include "gpu/templates/templates.h"

namespace halo::gpu {

// The code that handles the ends of rows.
enum class RowEnds {
  kByVectors,  // each load beside the own cells; rows are whole vectors
  kByCells,    // each neighbour, and each store
  kByOthers,   // other kernels: nothing is tested
};

// The cells of one invocation: `columns` neighbouring cells of `rows` rows (along the axis before
// the last, or the first of three) in `lines` (along the middle one of three).
struct RowsShape {
  int64_t columns = 1, rows = 1, lines = 1;
  int64_t blocks = 1;     // pieces of `columns` cells, a subgroup apart
  bool is_asked = false;  // for so many rows: not fewer, however long the code is
  int64_t ahead = 2;      // rows that are loaded before they are needed
  int64_t lanes = 32;     // invocations of a workgroup along rows
  int64_t tall = 8;       // and along the axis before the last
  int64_t slab =
      0;  // workgroups along the middle axis of three that go along the first one together
  // Rows with neighbours in rows outside are done alike: every row is clamped where it is loaded.
  bool clamps = false;
  RowEnds ends = RowEnds::kByVectors;
  // How many cells further in its vector the next row of an axis begins. Empty: rows are whole
  // vectors.
  std::vector<int64_t> slant = {};
  bool isSlanted() const { return !slant.empty() && slant.back() != 0; }
  int64_t sector = 1;  // cells: of unaligned rows, the first one begins a multiple of it
};
// An array of one constant: only its boundary tells cells apart, and nothing is loaded.
bool isUniform(const KernelCall& call, core::ValueId array);

// Nothing where the stencil has neighbours that only the run time knows, or is a line.
std::optional<RowsShape> rowsShape(const KernelCall& call, const core::Stencil& stencil,
                                   bool vectors);

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
// The longest way to a neighbour along an axis.
int64_t reachAlong(const core::Stencil& stencil, size_t axis);
// Whether a row of the array lies before all that the cells of rowsInterior() read, and one behind.
// Then vectors that begin before a row are in memory, if rows have room for kLeastAround of them.
inline constexpr int64_t kLeastAround = 3;  // two of the alignment offset, one beside them
bool hasRowsAround(const core::Stencil& stencil);

// The alignment offsets of unaligned rows for which kernels are made,
// and whether they lie so (host).
std::vector<std::vector<int64_t>> slantsOf(const core::Stencil& stencil, int64_t columns);
imp::Operand hasSlant(imp::Builder& host, const RowsShape& shape, const imp::Operands& extents);
// Whether each cell can handle the ends of rows.
bool mindsCells(const core::Stencil& stencil, int64_t columns);
// The first cells of invocations, before their alignment: where the ends of rows are left to
// others no neighbour is outside anywhere.
Box apartInterior(imp::Builder& host, const core::Stencil& stencil, const RowsShape& shape,
                  const imp::Operands& extents);
// The cells that they compute in any case.
Box apartCover(imp::Builder& host, const RowsShape& shape, const Box& interior,
               const imp::Operands& extents);

// The whole array: at once where rows are clamped; else its interior, and beside it the rows whose
// neighbours may lie in rows outside. False if a cell's code is more than arithmetic: nothing has
// been emitted then.
bool emitRows(imp::Program& program, imp::Builder& host, const KernelCall& call,
              const core::Stencil& stencil, RowsShape shape, const imp::Operands& extents);
// The same with the ends of rows done beside the interior as well. `slants`: one kernel each.
bool emitApart(imp::Program& program, imp::Builder& host, const KernelCall& call,
               const core::Stencil& stencil, const RowsShape& shape,
               const std::vector<std::vector<int64_t>>& slants, const imp::Operands& extents);

}  // namespace halo::gpu
