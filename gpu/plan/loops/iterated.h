// Iterated stencils (lang/core/iterated.h) that kernels can do several steps of at once; their data
// flow over several steps.
#pragma once

#include <optional>
#include <vector>

#include "lang/core/iterated.h"

namespace halo::gpu {

using core::IteratedStencil;

// No cell can fail, all windows are on arrays that differ from step to step or are of one constant.
std::optional<IteratedStencil> iteratedStencil(const core::Program& program, const core::Stm& stm);

// How far something reaches along each axis, both ways; >= 0.
struct Reach {
  std::vector<int64_t> lo, hi;
};

// Several steps written out. A version is an array at one point of them: as loaded, or made by an
// instance of a stage. Arrays that a step returns unchanged keep their version.
struct Version {
  core::ScalarType type;
  int made_by = -1;  // instance; -1: loaded
  int last_use = -1;
  Reach needed;       // how far around the final cells
  int64_t delay = 0;  // rows (axis 0) that it lags behind the row loaded last
};
struct Instance {
  int step = 0;
  const core::Stencil* stage = nullptr;
  std::vector<int> windows;  // versions, by window; -1: of one constant
  std::vector<int> inputs;   // by plain input; -1: an array from outside of the loop
  std::vector<int> outputs;
};
struct Unrolled {
  std::vector<Version> versions;
  std::vector<Instance> instances;
  std::vector<int> first, last;  // version of each carried array before and after
};
// `lines_apart`: neighbours in other lines (axis 1) are known one row (axis 0) later than others.
Unrolled unroll(const core::Program& program, const IteratedStencil& iterated, int steps,
                bool lines_apart = false);

// Operations of one step of a cell, divisions and roots counted as the many that they are.
int64_t workOf(const IteratedStencil& iterated);

// Spaces with fewer cells are better off step by step.
constexpr int64_t kIteratedSpaceCells = 1'000'000;

// Whether subgroups can stream (templates/stencil_march, stencil_planes): elements of 4 or 8 bytes;
// planes, or spaces with reaches of 1 that do not wrap around.
bool canStream(const core::Program& program, const IteratedStencil& iterated);

// How many steps at once, a power of two; 1: not worth it. Rule: a lane's part of rows must fit in
// registers, and the cells that overlapping strips compute twice must stay below a third.
int stepsAtOnce(const core::Program& program, const IteratedStencil& iterated);
// Whether so many steps obey the rule.
bool fitsAtOnce(const core::Program& program, const IteratedStencil& iterated, int steps);

}  // namespace halo::gpu
