// Scans of columns: neighbouring cells of the nest lie together in memory, not the elements that
// are scanned.
#pragma once

#include "gpu/schedule/schedule.h"
#include "gpu/templates/kernel/four.h"
#include "gpu/templates/kernel/levels.h"

namespace halo::gpu {

inline constexpr int64_t kDirectColumns = 32;  // of a tile that is read as it lies

// Tile::kChunks: an invocation walks down a column, or a chunk of it where columns alone are too
// few; no workgroup waits for another. All other tiles: in one pass, tiles look back at those above
// them.
class ColumnScan {
 public:
  ColumnScan(imp::Program& program, imp::Builder& host, const KernelCall& call);

  imp::Operand segment() const;              // host: rows of a column
  imp::Operand quantity(Quantity quantity);  // host: of guards
  TemplateResult run(const ColumnScanSchedule& schedule);

 private:
  bool isStrided() const;
  imp::Operand areRowsDense();
  imp::Operand areRowsAligned();
  TemplateResult runChunks(const ColumnScanSchedule& schedule);

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  std::vector<const core::Screma*> levels_;
  OuterLevels outer_;
};

// Columns are numbered so that neighbours lie together. Host values.
struct ColumnShape {
  size_t dense;           // level of neighbouring columns
  imp::Operands extents;  // of the levels around, the dense one last
  imp::Operand columns, rows;
};
// The level around the scan along which elements of the result lie together; the scan's own if
// there is none.
size_t denseLevel(const imp::ArrayRef& result);
ColumnShape columnShape(imp::Builder& host, const KernelCall& call, const OuterLevels& outer,
                        const core::Screma& screma);

// A number of 0 to `most`.
imp::Operand clamped(imp::Builder& code, const imp::Operand& value, const imp::Operand& most);

// The indices of the levels around a column, in a kernel.
imp::Operands columnIndices(KernelScope& scope, const ColumnShape& shape,
                            const imp::Operand& column);

// A column in a kernel: the bindings of the levels around for it.
class Column {
 public:
  // For bodies that need memory; `count`: host, how many invocations there are; which one this is.
  struct Cell {
    imp::Operand count, number;
  };
  Column(KernelScope& scope, const OuterLevels& outer, const core::Screma& screma,
         imp::Operands indices, const Cell& cell);

  // The map's first `count` results for a row; arrays go where they belong.
  imp::Operands mapped(const imp::Operand& row, size_t count);
  void store(size_t result, const imp::Operand& row, const imp::Operand& value);

 private:
  imp::Operands at(const imp::Operand& row) const;

  KernelScope& scope_;
  const core::Screma& screma_;
  imp::Operands indices_;  // of the levels around
  imp::Environment environment_;
  imp::LoweringTarget target_;
};

// Tiles of columns, with rows in registers or, staged, through shared memory.
TemplateResult emitColumnTiles(imp::Program& program, imp::Builder& host, const KernelCall& call,
                               const std::vector<const core::Screma*>& levels,
                               const OuterLevels& outer, const ColumnScanSchedule& schedule);

// Tiles of vectors: by 16 bytes, where inputs lie in memory as the results do. Rows are whole
// vectors too, unless columns are narrow.
class VectorScan {
 public:
  VectorScan(imp::Program& program, imp::Builder& host, const KernelCall& call,
             const std::vector<const core::Screma*>& levels, const OuterLevels& outer);
  bool isPossible() const;  // as far as that is known now
  imp::Operand fits();      // host: whether they do
  TemplateResult run(const ColumnScanSchedule& schedule);
  TemplateResult runNarrow(const ColumnScanSchedule& schedule);

 private:
  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  const std::vector<const core::Screma*>& levels_;
  const OuterLevels& outer_;
  FlatInputs flat_;
};

}  // namespace halo::gpu
