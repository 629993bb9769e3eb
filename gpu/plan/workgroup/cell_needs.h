// A workgroup's needs for a cell of a nest: shared memory, and the extents that its lanes share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/plan/workgroup/group_cells.h"

namespace halo::gpu {

// Arrays of one shape; `words` of four bytes for an element.
struct LiveArrays {
  core::Operands shape;
  int64_t words = 1;
  int64_t count = 0;
};
using LiveSets = std::map<std::string, LiveArrays>;  // by shape

struct CellNeeds {
  bool possible = true;                  // a workgroup can do each statement
  bool plain = true;                     // nothing of it is one lane's for all
  bool has_loop = false;                 // around parallel code
  bool makes_planes = false;             // of its results
  size_t parallel = 0;                   // nodes that lanes share
  int64_t widest = 0;                    // bound of the elements of those nodes
  LiveSets peak;                         // that are live at once
  LiveSets tables;                       // that loops change in place; no part of the peak
  std::vector<core::Operands> extents;   // of parallel nodes
  std::vector<core::Operands> products;  // of its rows with those of arrays from outside
  std::vector<core::Stm> cheap;          // scalar code that sizes need
};

CellNeeds cellNeeds(core::Program& program, const std::vector<const core::Screma*>& levels,
                    const ScalarCode& code, const GroupSizes& sizes);

}  // namespace halo::gpu
