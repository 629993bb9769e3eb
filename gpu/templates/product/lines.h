// Where the lines of a product's input lie in memory, as far as the host can tell.
#pragma once

#include "gpu/templates/kernel/levels.h"
#include "gpu/templates/reduce/reduce_nest.h"

namespace halo::gpu {

// Element k of a line is at offset + sum of outer[d] * indices[d] + k * depth. Of the host; `in`
// gives the same inside of a kernel.
struct Lines {
  imp::BufferId buffer;
  prim::ScalarType type = prim::ScalarType::kF32;
  imp::Operand offset;
  imp::Operands batch;       // by index of the levels around the last two
  imp::Operand line, depth;  // between neighbouring lines, neighbouring elements
  bool along_depth = false;  // which of these is 1
  // Whether vectors of four elements begin at multiples of them.
  imp::Operand are_vectors = imp::Operand(prim::Scalar::ofBool(true));
  // Wanted: lines end with whole vectors, of zeros beyond their last element.
  bool is_padded = false;
  int64_t vector() const { return 16 / prim::byteSize(type); }  // elements

  // Of the batch with these indices: kernel operands.
  Lines in(KernelScope& scope, const imp::Operands& batch_indices) const;
};

// `array` as host code binds it at given indices of all levels; `line`: which of them numbers
// lines.
using LineAt = std::function<imp::ArrayRef(const imp::Operands& indices)>;
// Nothing if elements of so many bytes do not lie together one way or the other. Emits host code.
std::optional<Lines> linesOf(imp::Builder& host, const LineAt& at, size_t levels, size_t line,
                             int64_t bytes = 4);

// Whether vectors of 16 bytes begin at multiples of their elements; host.
imp::Operand isAligned(imp::Builder& host, const Lines& lines, const imp::Operand& depth);

struct AlignedLines {
  Lines lines;
  imp::BufferId copied;
};
// The lines themselves where they are aligned, else a copy of them that is; `copy` names the kernel
// that makes it. `is_row`: the lines are those of the rows' factor. The caller frees `copied`
// behind its last launch.
AlignedLines aligned(const ReduceNest& nest, const Lines& lines, bool is_row,
                     const std::string& copy);

}  // namespace halo::gpu
