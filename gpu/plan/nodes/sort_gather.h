// Sorts of numbers that only say which elements are gathered: the elements go along instead.
//
//   (ks, order) = call radix_sort_u32 (n, keys, iota)
//   ys = screma [n] (order) map (i) { x = index xs[i];  y = f32.add x 1f32;  return y }
// becomes
//   (ks, zs) = call main_1 ..     kernel main_1 [n] sort {
//                                   (ks, order) = call radix_sort_u32 (n, keys, iota)
//                                   zs = screma [n] (order) map (i) { x = index xs[i]; return x } }
//   ys = screma [n] (zs) map (x) { y = f32.add x 1f32;  return y }
//
// where the elements are no longer than the numbers; several such maps of one order become one.
// Each digit moves as much memory as before, and the scattered reads at the end go. Of elements
// that hold the keys, the other parts move with the keys. Checks of the numbers against n go: these
// are below n.
#pragma once

#include <functional>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// Arrays of the body and of those around it.
struct ArraysAround {
  std::function<bool(core::ValueId)> are_iota;      // 0, 1, .. below its size
  std::function<bool(core::ValueId)> are_computed;  // in kernels; those of bodies around
};
// `keep` gets the statements of a kernel and those of their results that are wanted, and gives the
// statement that stands for it.
void sortElements(core::Program& program, core::Body& body, const ArraysAround& arrays,
                  const std::function<core::Stm(std::vector<core::Stm> stms,
                                                std::vector<core::ValueId> results)>& keep);

}  // namespace halo::gpu
