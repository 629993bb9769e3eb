// One kernel of a stencil by rows, over boxes of cells.
#pragma once

#include <string>

#include "gpu/templates/stencil/stencil_rows.h"

namespace halo::gpu {

// State that all kernels of one stencil have in common.
struct RowsJob {
  imp::Program& program;
  imp::Builder& host;
  const KernelCall& call;
  const core::Stencil& stencil;
  const imp::Operands& extents;  // host
};

struct RowsLaunch {
  const RowsShape& shape;
  std::string name;  // behind the call's name
  bool minds_edges;  // handles the ends of all axes, not of the last one alone
  bool is_beside;    // runs concurrently with the launch before it
};

void emitRowsKernel(const RowsJob& job, const RowsLaunch& launch, const std::vector<Box>& boxes);

}  // namespace halo::gpu
