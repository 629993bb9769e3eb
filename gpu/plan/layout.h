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

// Permutations by array, of arrays whose only use is to be rearranged.
using Rearranged = std::unordered_map<core::ValueId, std::vector<int>>;
Rearranged rearrangedOnce(const core::Program& program, const core::Body& body);

// A map may have rows as its elements and be rearranged so that elements of a row no longer lie
// beside each other. Cells write their rows then where they will be, often beside their neighbours:
//
//   ys: [n][4]f32 = screma [n] (xs) map .. { row = array f32 {a, b, c, d};  return row }
//   zs: [4][n]f32 = rearrange (1, 0) ys
// becomes
//   stored: [4][n]f32 = call main_1 .. xs
//   ys = rearrange (1, 0) stored            and zs is `stored`
struct Cells {
  int space_rank;   // axes of the nest
  bool has_groups;  // a workgroup does a cell
};
std::optional<LaidOut> layOutRows(core::Program& program, const core::Stm& nest, Cells cells,
                                  const Rearranged& rearranged);

// The kernel without the views that only say how its results are stored, and without code behind a
// whole reduction (code_behind.h).
core::Function withoutLayout(const core::Function& whole);

}  // namespace halo::gpu
