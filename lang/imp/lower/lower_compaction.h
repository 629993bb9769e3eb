// Loops that keep some elements of many, as filters become (passes/fuse_scans.h):
//
//   loop (n = 0, kept) for i < w {
//     p, x = ..;  n' = n + (p ? 1 : 0);  at = p ? n' - 1 : -1
//     kept' = if 0 <= at < w then kept with [at] = x else kept }
#pragma once

#include <optional>

#include "lang/imp/lower/lowering.h"

namespace halo::imp {

struct Compaction {
  core::Body element;            // of an iteration: whether it is kept, and its value in each array
  std::vector<size_t> counters;  // carried scalars, all going up by one where an element is kept
  std::vector<size_t> arrays;    // carried arrays
};

std::optional<Compaction> asCompaction(const core::Program& program, const core::Loop& loop);

}  // namespace halo::imp
