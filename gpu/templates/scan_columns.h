// Scans of columns: neighbouring cells of the nest lie together in memory, not the elements that
// are scanned.
#pragma once

#include "gpu/templates/four.h"
#include "gpu/templates/levels.h"

namespace halo::gpu {

// `columns`: an invocation walks down a column, or a chunk of it where columns alone are too few;
// no workgroup waits for another. `columns:R`: chunks of R rows.
class ColumnScan {
 public:
  ColumnScan(imp::Program& program, imp::Builder& host, const KernelCall& call);

  bool isPossible() const;  // whether results lie like that, and this is wanted
  imp::Operand pays();      // host: whether it is right for the call's extents
  TemplateResult run();

 private:
  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  std::vector<const core::Screma*> levels_;
};

}  // namespace halo::gpu
