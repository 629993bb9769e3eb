// Kernel templates: each turns a kernel function of stage `kernels` into Imp kernels and the host
// code that launches them. One file each.
#pragma once

#include "gpu/plan/variants.h"
#include "gpu/templates/kernel/kernel_scope.h"

namespace halo::gpu {

// A scalar result of a kernel: element 0 of a device buffer.
struct ScalarResult {
  int position;  // among the kernel's results
  imp::BufferId buffer;
};
struct TemplateResult {
  std::vector<ScalarResult> scalars;
  bool supported = true;
};

// Array results are written to `call.results`. All kernels of a program share its name space, so
// theirs begin with the function's.
TemplateResult emitMap(imp::Program& program, imp::Builder& host, const KernelCall& call);
TemplateResult emitElements(imp::Program& program, imp::Builder& host, const KernelCall& call);
TemplateResult emitStencil(imp::Program& program, imp::Builder& host, const KernelCall& call);
TemplateResult emitStencilReduce(imp::Program& program, imp::Builder& host, const KernelCall& call);
TemplateResult emitReduce(imp::Program& program, imp::Builder& host, const KernelCall& call);
TemplateResult emitScan(imp::Program& program, imp::Builder& host, const KernelCall& call);
TemplateResult emitScatter(imp::Program& program, imp::Builder& host, const KernelCall& call);
TemplateResult emitHist(imp::Program& program, imp::Builder& host, const KernelCall& call);
// Everything by one invocation.
TemplateResult emitSingle(imp::Program& program, imp::Builder& host, const KernelCall& call);

// ---- shared by the templates

// The kernel's own statement: the last one; those before it (iota, replicate) are lowered into
// `environment` first.
const core::Stm& lastStatement(const KernelCall& call);
void lowerPrefix(KernelScope& scope, imp::Environment& environment,
                 const imp::LoweringTarget& target);
// The results of a scatter's or histogram's map for element i; its parameters are bound.
imp::Results mapElement(KernelScope& scope, const std::vector<core::ValueId>& inputs,
                        const core::Lambda& map, imp::Environment& environment,
                        const imp::LoweringTarget& target, const imp::Operand& i);

// An index space of any rank over a grid whose x is the innermost dimension, or several of them.
struct Grid {
  int workgroup[3];
  imp::Operands groups;  // host
};
// The low 32 bits of an i64.
imp::Operand asWord(imp::Builder& code, const imp::Operand& value);
// `if`, of which only one branch is made where the condition is known already.
void branch(imp::Builder& code, const imp::Operand& condition, const std::function<void()>& yes,
            const std::function<void()>& no);

// The indices of position `position` of a row-major space.
imp::Operands indicesOf(imp::Builder& code, imp::Operand position, const imp::Operands& extents);
// The other way around; there may be more extents than indices.
imp::Operand positionOf(imp::Builder& code, const imp::Operands& indices,
                        const imp::Operands& extents);

// `body` emits the code of a cell with these indices; it is called several times where an
// invocation does several cells. Its results go to memory that it does not read.
using CellBody = std::function<void(const imp::Operands& indices, imp::LoweringTarget target)>;
// The kernel of `scope`, by the versions of perElement (gpu/schedule/cells/per_element.h).
Grid forEachCell(KernelScope& scope, const imp::Operands& host_space, const CellBody& body);

// Results of a cell: scalars are stored at `indices`, arrays get their destination there.
imp::Destinations cellDestinations(KernelScope& scope, const core::Body& body,
                                   const imp::Operands& indices, size_t first_result = 0);
void storeScalars(KernelScope& scope, const core::Body& body, const imp::Results& values,
                  const imp::Operands& indices, size_t first_result = 0);

}  // namespace halo::gpu
