// In which order the axes of a kernel's results lie in memory.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// Views of dense arrays, by name.
using Turned = std::unordered_map<core::ValueId, core::Rearrange>;

struct LaidOut {
  std::vector<core::Stm> stms;  // for the kernel: the nest, and its results as they are stored
  std::vector<core::ValueId> stored;  // these: the kernel's results
  std::vector<core::Stm> views;       // behind it: the old names of the nest's results
};

// A scanning nest may have inputs that lie together along another axis than the scanned one. Its
// results then lie like them, so that they are read and written in the same way:
//
//   t: [m][n]f32 = rearrange (1, 0) xs
//   ys: [m][n]f32 = screma [m] (t) map (column) { .. scan .. }
// becomes
//   stored: [n][m]f32 = call main_1 .. t
//   ys = rearrange (1, 0) stored
//   kernel main_1 { ys = screma [m] (t) ..;  stored = rearrange (1, 0) ys;  return stored }
//
// Nothing where the scanned axis is the last one in memory. `levels`: the nest's (nest.h).
std::optional<LaidOut> layOut(core::Program& program, const core::Stm& nest,
                              const std::vector<const core::Screma*>& levels, const Turned& turned);

// The kernel without the views that only say how its results are stored.
core::Function withoutLayout(const core::Function& whole);

}  // namespace halo::gpu
