// Code that a long kernel repeats becomes functions that it calls.
//
//   before: t_1 = x_0 * 1.44;  .. twenty more ..  y_9 = t_8 * t_7
//           u_1 = z_0 * 1.44;  .. the same ..     w_9 = u_8 * u_7
//   after:  halo_repeat_0(x_0, y_9);  halo_repeat_0(z_0, w_9)
//
// Repeats are runs of scalar statements, divisions with their branches included, that are equal up
// to the names of variables. Longest gain first: from left to right, the length of a run that saves
// the most statements. (As outliners of machine code do; Paquette, Reducing Code Size Using
// Outlining, 2016.)
//
// Why: a function of the prelude is a hundred instructions wherever it is used, and the instruction
// caches of GPUs hold some thousand. The myocyte program of Rodinia has 24 powers, 56 exponential
// functions and 156 divisions in a loop.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/imp/ir.h"

namespace halo::gpu {

// Statements that the instruction cache of a large device holds, about.
inline constexpr uint32_t kLongCode = 3000;

struct Repeats {
  imp::Function kernel;  // with Call statements
  // Scalars are a function's parameters, result_vars its results; both are names of its body.
  std::vector<imp::Function> functions;
};

// Kernels of fewer than `long_code` statements stay as they are. So do those that work with
// vectors, shuffles or barriers: templates have unrolled their code for registers, on purpose.
bool isLongCode(const imp::Function& kernel, size_t long_code);
Repeats outlineRepeats(const imp::Program& program, const imp::Function& kernel, size_t long_code);

}  // namespace halo::gpu
