// The part of a radix sort that moves the keys. One workgroup orders a tile by one digit and writes
// each digit's keys behind those of earlier tiles.
#pragma once

#include "gpu/templates/sort/sort_pass.h"

namespace halo::gpu {

// Adds the kernel and its launch.
void emitSortTile(imp::Program& program, imp::Builder& host, const KernelCall& call,
                  const SortSchedule& shape, const SortPass& pass);

}  // namespace halo::gpu
