// The map that makes a sort's keys as a part of its kernel.
//
//   ks = screma [n] (xs) map order_f32         kernel main_1 [n] sort {
//   ss = call radix_sort_u32 (n, ks)     ->      ks = screma [n] (xs) map order_f32
//                                                ss = call radix_sort_u32 (n, ks) }
//
// Keys are made where they are read first, twice: once for counting digits. That reads no more
// than keys in memory would, if the elements that they are made of are short.
//
// Where all of these go along with the keys and the sorted keys have no use, keys are no result of
// the kernel. They are made again for each digit, and the moved elements are shorter. (A map of
// the sorted keys stays outside: the last pass has no registers left for it, measured.)
#pragma once

#include <functional>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// A sort and the other statements of its kernel.
struct SortGroup {
  std::vector<core::Stm> stms;         // the sort, perhaps the gather by its order
  std::vector<core::ValueId> results;  // of these that are wanted
  size_t first, last;                  // in the body: the sort, and where the kernel will be called
};

// Iotas and replicates: kernels compute them. The kernel of a sort moves arrays in memory.
bool isComputed(const core::Body& body, core::ValueId array);

// Moves such a map of the body to the group. `are_computed`: the same for arrays around the body.
void takeKeys(core::Program& program, core::Body& body, SortGroup& group,
              const std::function<bool(core::ValueId)>& are_computed);

// The statements of a sort's kernel as parts.
struct SortParts {
  core::ValueId keys;                    // which it sorts by
  const core::Screma* making = nullptr;  // them, if they are not given
  std::vector<core::ValueId> beside;     // go along
  bool keeps_keys = true;                // sorted, as its first result
};
SortParts partsOfSort(const core::Program& program, const core::Function& kernel);

}  // namespace halo::gpu
