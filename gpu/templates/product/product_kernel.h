// The kernel of a product's tile.
#pragma once

#include "gpu/templates/product/product_inputs.h"
#include "gpu/templates/reduce/two_stage.h"

namespace halo::gpu {

// Where the cells of a tile go, if lines are cut.
struct ProductChunks {
  const SegmentChunks& chunks;
  ChunkValues& values;
};

// Emits the kernel and its launch; copies of inputs whose vectors are not aligned go before it.
// False: the code calls itself.
bool emitProductKernel(const ReduceNest& nest, const ProductInputs& inputs,
                       const ProductSchedule& tile, const std::string& name,
                       const ProductChunks* chunks);

}  // namespace halo::gpu
