// A kernel that reduces: the statement and where its code goes.
#pragma once

#include "gpu/plan/nests/nest.h"
#include "gpu/templates/kernel/levels.h"
#include "gpu/templates/templates.h"

namespace halo::gpu {

struct ReduceNest {
  ReduceNest(imp::Program& p, imp::Builder& h, const KernelCall& c)
      : program(p),
        host(h),
        call(c),
        levels(reduceNest(c.core, std::get<core::Screma>(lastStatement(c).expr))),
        screma(*levels.back()),
        outer(c, levels) {}

  imp::Program& program;
  imp::Builder& host;
  const KernelCall& call;
  std::vector<const core::Screma*> levels;  // from the outside in
  const core::Screma& screma;               // the last one
  OuterLevels outer;                        // the others: one segment for each of their cells

  imp::Operand segments() const { return outer.count(host); }
  imp::Operand wholeSegments() const { return outer.wholeCount(host); }
  imp::Operand width() const { return operandOf(call.arguments, screma.width); }
  // The epilogue of a segment's cell (gpu/plan/nests/nest.h).
  bool hasEpilogue() const { return halo::gpu::hasEpilogue(levels); }
  // The results of the segment at these indices, whose totals these are.
  imp::Operands results(KernelScope& scope, const imp::Operands& segment,
                        const imp::Operands& totals) const;
  void store(KernelScope& scope, const imp::Operands& segment, const imp::Operands& totals) const;
  // Of a whole reduction (gpu/plan/code_behind.h). The results are at their positions among the
  // kernel's.
  bool hasCodeBehind() const { return !call.behind.stms.empty(); }
  imp::Results runBehind(KernelScope& scope, const imp::Operands& totals) const;
  // Values of all operators.
  size_t arity() const {
    size_t values = 0;
    for (const core::Reduction& reduction : screma.reductions) values += reduction.neutral.size();
    return values;
  }
};

// Segments as they are spread over a launch; host.
struct SegmentChunks {
  imp::Operand segments, count;  // `count` of one segment
  imp::Operand length;           // but of the last chunk of a segment
};

// Bounds that hold anyway show that arithmetic needs no more than 32 bits (raise.h, narrow).
inline imp::Operand within(imp::Builder& code, const imp::Operand& value,
                           const imp::Operand& most) {
  return code.max(code.min(value, most), i64(0));
}

}  // namespace halo::gpu
