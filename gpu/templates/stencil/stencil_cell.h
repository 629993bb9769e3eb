// The parameters of a stencil's cell, wherever in a kernel it is computed.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// Binds the neighbours and plain inputs of the cell at `indices` in `environment`, which must
// outlive code emitted with it; any boundary is handled.
void bindStencilCell(KernelScope& scope, const core::Stencil& stencil,
                     imp::Environment& environment, const imp::Operands& indices);

}  // namespace halo::gpu
