// Scans that read and write memory once: a tile's elements stay in the registers of a workgroup.
#pragma once

#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/kernel/levels.h"
#include "gpu/templates/scan/scan_scatter.h"
#include "gpu/templates/scan/scan_shape.h"

namespace halo::gpu {

// (1) `one_pass`: a tile finds the sum before it by looking back at the posts of earlier tiles
// (gpu.md#look-back); segments have tiles of their own. (2) `whole_rows`: segments so short
// that tiles hold whole ones, which need nothing from each other.
class TileScan {
 public:
  TileScan(imp::Program& program, imp::Builder& host, const KernelCall& call);

  bool looksBack() const;  // whether (1) can be done and is wanted
  bool takesRows() const;  // likewise (2)
  imp::Operand rowsPay();  // host: whether (2) is right for the call's extents

  TemplateResult runLookingBack();
  TemplateResult runRows();
  // (1), and scanned elements are scattered instead of stored.
  TemplateResult run(ScanScatter& scatter);

 private:
  TemplateResult runAligned(ScanWay way);

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  std::vector<const core::Screma*> levels_;
  bool possible_ = false;
};

}  // namespace halo::gpu
