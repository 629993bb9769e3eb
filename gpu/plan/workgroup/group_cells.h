// Nests whose cells may have a workgroup each (`only_intra`). The lanes share a cell's work, its
// arrays are in shared memory, and its loops run inside of the kernel:
//
//   ys = screma [n] (xss) map (xs: [m]f32) {
//     zs = loop (as = xs) for i < k do {
//       bs = screma [m] (as) scan ..; cs = screma [m] (bs) map ..; return cs }
//     return zs }
// becomes  kernel main_1 [n] map (..) { screma only_intra .. }
//
// instead of a launch for each statement of each step. The extents of a cell's own arrays must be
// computable from the launch's arguments. (Henriksen et al., PPoPP 2019: intra-group versions.)
#pragma once

#include <optional>
#include <string>

#include "gpu/plan/sizes/upper_bound.h"
#include "lang/core/builder.h"

namespace halo::gpu {

// Sizes of cells for workgroups. The defaults are those of many cells, which other kernels would
// do with the whole device.
struct GroupSizes {
  int64_t most_words = 12 * 1024 - 16;  // of arrays that are live at once: shared memory
  bool bounds_width = true;
  int64_t least_width = 16;      // of the widest statement: else lanes are idle
  int64_t most_width = 1 << 14;  // else all cells together fill the device better
  // Loops that only update elements: lanes wait for each, which an invocation's launch costs, too.
  bool serial_loops = false;
  // The same as most_words where some arrays have two unknown extents. Few such cells fit.
  int64_t plane_words = 0;
  // Of arrays that loops only change in place, which may lie in the device's memory; 0: they count
  // as all others. Without bounds of the width.
  int64_t table_words = 0;
  // Few cells for each multiprocessor: a loop that only updates elements makes lanes wait, but an
  // invocation for each cell would wait in all of its code.
  bool are_few = false;
  bool are_forced = false;
};

struct GroupCells {
  // Host code for a condition: sizes suit a workgroup. Where loops only change arrays in place,
  // a second one: sizes suit it if those arrays lie in the device's memory.
  core::Body fits;
  bool always_fit = false;  // the arrays, whatever the sizes are
};

// Nothing if a workgroup cannot do a cell of this nest, of which `max_levels` levels are cells.
// Nothing either if it is not worth it and the sizes are not forced.
std::optional<GroupCells> asGroupCells(core::Program& program, const core::Stm& nest,
                                       size_t max_levels, const ScalarCode& code,
                                       const GroupSizes& sizes);

// For `--explain`.
std::string describeGroup();

}  // namespace halo::gpu
