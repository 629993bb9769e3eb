// Parallel statements of an arm that run although the arm may not be taken. Code in their cells
// that reads memory, checks or loops runs only where it is taken.
//
//   s = screma [n] (xs) map (x) { y = index ys[x];  return y } reduce f32.add 0
// becomes
//   s = screma [n] (xs) map (x) {
//     z = match c { true -> { y = index ys[x];  return y } else -> { return 0 } }
//     return z } reduce f32.add 0
#pragma once

#include <optional>

#include "lang/core/ir.h"

namespace halo::gpu {

// When an arm is taken.
struct Taken {
  core::Operand condition;
  bool when = true;

  // A branch by the condition.
  core::Match branch(core::Body taken, core::Body other) const;
};

// Zeros of these types, as an arm's results.
core::Body zeros(const std::vector<core::Type>& types);
// Total code, which may run where its results have no use.
bool isTotal(const core::Stm& stm);
// Scalars, by code without parallel nodes, which may check and read.
bool isScalarCode(const core::Program& program, const core::Stm& stm);

std::optional<core::Screma> guardedNode(core::Program& program, const core::Screma& node,
                                        const Taken& taken);

}  // namespace halo::gpu
