// The work of a step of a loop in one workgroup, and the launches that it replaces.
//
// Lanes of a workgroup share the cells of a statement: a nest of maps is one index space. What a
// cell does by itself takes its lane as many iterations, while lanes without a cell wait.
#pragma once

#include <optional>
#include <vector>

#include "gpu/plan/loops/bounded_extents.h"
#include "lang/core/ir.h"

namespace halo::gpu {

struct StepWork {
  int64_t most_at_once;  // steps in one launch
  // Host code for a condition: the work of a step is less than its launches. For loops that change
  // arrays in place a second one: it is so even if those lie in the device's memory.
  core::Body is_short;
};

// Nothing if the host cannot compute it, or the code of all lanes would be too long. `by_host`: the
// loop whose statements would be launches. `lanes`: of the results in front of the loop, lanes of
// rows; one of them must be above 1.
std::optional<StepWork> workOfStep(core::Program& program, const BoundedExtents& bounded,
                                   const BoundedExtents& by_host,
                                   const std::vector<size_t>& lanes = {});

}  // namespace halo::gpu
