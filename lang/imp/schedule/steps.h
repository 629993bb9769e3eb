// Which loops of stencils the cpu engine does several steps at once (time blocking), and in tiles
// of which size. lower_steps.cpp lowers them, explain.cpp says so.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <variant>
#include <vector>

#include "lang/core/iterated.h"

namespace halo::imp {

inline constexpr int64_t kLineCells = 16;  // a line of the cache, if elements have 4 bytes

// Axes are numbered 0 (swept from begin to end), 1 (the rows of a plane of a space) and 2 (along
// the rows). A line has only axis 2, a plane 0 and 2; the others have one place.
struct StepPlan {
  core::IteratedStencil iterated;  // of stencils and nothing else
  // By carried array: the stage and its result that is the next value. If that is another carried
  // array's earlier value (`from`): that array's.
  struct Carried {
    size_t stage = 0, result = 0;
    std::optional<size_t> from = {};
  };
  std::vector<Carried> carried = {};
  std::array<int64_t, 3> reach = {};
  std::array<int64_t, 3> tile = {1, 1, 1};
  std::array<bool, 3> endless = {};  // wraps around
  int64_t steps = 1;                 // at once
  int64_t bytes = 0;                 // of a cell of all that the stages make

  // Arrays that stay in the cache gain nothing: in bytes of all that differ from step to step. In
  // space planes of tiles come from a second cache that is not much faster than the third.
  int64_t cachedBytes() const { return rank() == 3 ? 24 << 20 : 3 << 20; }
  size_t rank() const { return iterated.space.size(); }
  // The number of the array's axis.
  size_t axis(size_t of_array) const {
    return rank() == 3 ? of_array : 2 - 2 * (rank() - 1 - of_array);
  }
  // How far cells of the first step lie from the tile, along an axis.
  int64_t haloOf(size_t of_axis) const {
    return steps * static_cast<int64_t>(stages()) * reach[of_axis];
  }
  bool wantsPosition(size_t of_array) const {
    for (size_t s = 0; s < stages(); ++s) {
      const std::vector<size_t>& axes = stencil(s).positions;
      if (std::find(axes.begin(), axes.end(), of_array) != axes.end()) return true;
    }
    return false;
  }
  bool wraps() const { return endless[0] || endless[1] || endless[2]; }
  bool handsOver() const {
    return std::any_of(carried.begin(), carried.end(),
                       [](const Carried& c) { return c.from.has_value(); });
  }
  size_t stages() const { return iterated.stages.size(); }
  const core::Stm& stm(size_t stage = 0) const { return *iterated.stages[stage]; }
  const core::Stencil& stencil(size_t stage = 0) const {
    return std::get<core::Stencil>(stm(stage).expr);
  }
};
// Or why not: null where there is no stencil to speak of.
using StepChoice = std::variant<StepPlan, const char*>;
// `tiny`: in tiles that are no use, so that small arrays have many of them.
StepChoice planSteps(const core::Program& program, const core::Loop& loop, bool tiny = false);

}  // namespace halo::imp
