// Loops whose body is stencils over the carried arrays. Several steps can be done at once, because
// a cell after T steps depends on its surroundings of T reaches only.
//
//   loop (a = a0) for i < n do { b = stencil [ny][nx] (window a .., power) map ..; return b }
//
// Every engine asks this first; each adds demands of its own on bodies and reaches.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/core/ir.h"

namespace halo::core {

// All arrays have the shape `space` and scalar elements, no window has offsets that only the run
// tells, and no stencil reduces.
struct IteratedStencil {
  const Loop* loop = nullptr;
  ForLoop form;
  Operands space;                      // of rank 1 to 3
  std::vector<const Stm*> stages;      // the stencils of the body, in order; at least one
  Body scalars;                        // the rest of the body, which cannot fail
  std::unordered_set<ValueId> fields;  // arrays that differ from step to step
  // Arrays of one constant that the body makes; windows read them, to tell where the array ends.
  std::unordered_map<ValueId, Scalar> uniforms;
};
std::optional<IteratedStencil> iteratedStencil(const Program& program, const Loop& loop);

// A literal, or an operation on scalars that cannot fail.
bool isScalarCode(const Stm& stm);

}  // namespace halo::core
