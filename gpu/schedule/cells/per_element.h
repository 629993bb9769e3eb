// Schedules of kernels with one invocation for each cell, or for a few cells. Maps, scatters and
// arrays made element by element are such kernels; other templates have some of this form inside.
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

// Traits of a kernel's cells on Core. Guards ask for facts that only the code of a launch shows.
struct CellTraits {
  size_t rank = 1;                 // of the index space
  bool may_be_straight = true;     // no loops
  bool is_short = false;           // an element of another array, or a number
  bool may_be_small = true;        // elements of fewer than 4 bytes are read or stored
  bool may_have_memory = true;     // arrays of its own
  bool may_be_transposed = false;  // reads along columns
};
CellTraits cellTraits(const Launches& launches, const core::Function& kernel);

// The versions of such a kernel; the last one is for all cells.
ScheduleVersions perElement(const CellTraits& traits, const Limits& limits, const Request& request);
// Those of a kernel inside of another template.
ScheduleVersions perElement(size_t rank, const Limits& limits, const Request& request);
// The same at the end of a list of versions.
void addPerElement(ScheduleVersions& versions, const CellTraits& traits, const Limits& limits,
                   const Request& request);

// Maps (other than those by groups), and all that is made element by element.
KernelChoice chooseElements(const Launches& launches, const core::Function& kernel,
                            const Limits& limits, const Request& request);

// Whether a scatter moves rows that it does not compute: each element has an invocation then, which
// looks at the index again.
bool movesRows(const core::Program& program, const core::Scatter& scatter);

}  // namespace halo::gpu
