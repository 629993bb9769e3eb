// Loops of short steps, in one workgroup:
//
//   (xs', ys') = loop (xs = xs0, ys = ys0) for i < k do {
//     zs = screma [m] (is) map (j) { .. index xs[j - 1] .. };  return (ys, zs) }
// becomes
//   xs'', ys'' = screma only_intra [1] (iota 1) map (c) {
//     (xs', ys') = loop .. ;  return xs', ys' }
//   xs' = reshape [m] xs'';  ys' = reshape [m] ys''
//
// The nest is for nests/group_cells.h: one launch for all steps, with a barrier between two. A
// launch for each statement costs microseconds, which a workgroup needs for some thousand elements.
// Wider steps are better off with the whole device. (Persistent threads: Gupta, Stuart and Owens,
// InPar 2012.)
#pragma once

#include <optional>
#include <vector>

#include "gpu/plan/workgroup/only_cell.h"

namespace halo::gpu {

struct ShortSteps {
  OnlyCell cell;  // with the results of the loop
  // A while loop's: the host's loop, whose body these statements are. A launch ends after some
  // steps, so that the host can interrupt it.
  std::optional<core::Stm> around;
  core::Body are_short;  // host code for conditions, as in step_work.h
};

// Nothing for a loop of which the work of a step is unknown to the host, or, unless its condition
// decides, the number of steps.
// `shares_rows`: rows that its steps sum have several lanes each (workgroup/shared_rows.h). Nothing
// if there are none.
std::optional<ShortSteps> asShortSteps(core::Program& program, const core::Stm& loop,
                                       bool shares_rows);

}  // namespace halo::gpu
