// Which loops of stencils the cpu engine does several steps at once (time blocking), and in tiles
// of which size: lower_steps.cpp lowers them, explain.cpp says so.
#pragma once

#include <array>
#include <optional>

#include "lang/core/iterated.h"

namespace halo::imp {

// Arrays that stay in the cache gain nothing: in bytes of all that differ from step to step.
inline constexpr int64_t kLineCells = 16;  // a line of the cache, if elements have 4 bytes
inline constexpr int64_t kCachedBytes = 3 << 20;

// Axes are numbered 0 (swept from begin to end), 1 (the rows of a plane of a space) and 2 (along
// the rows). A line has only axis 2, a plane 0 and 2; the others have one place.
struct StepPlan {
  core::IteratedStencil iterated;  // of one stage, which makes all that is carried
  std::array<int64_t, 3> reach = {};
  std::array<int64_t, 3> tile = {1, 1, 1};
  std::array<bool, 3> endless = {};  // wraps around
  int64_t steps = 1;                 // at once

  size_t rank() const { return iterated.space.size(); }
  // The number of the array's axis.
  size_t axis(size_t of_array) const {
    return rank() == 3 ? of_array : 2 - 2 * (rank() - 1 - of_array);
  }
  bool wraps() const { return endless[0] || endless[1] || endless[2]; }
  const core::Stm& stm() const { return *iterated.stages[0]; }
  const core::Stencil& stencil() const { return std::get<core::Stencil>(stm().expr); }
};
// `tiny`: in tiles that are no use, so that small arrays have many of them.
std::optional<StepPlan> planSteps(const core::Program& program, const core::Loop& loop,
                                  bool tiny = false);

}  // namespace halo::imp
