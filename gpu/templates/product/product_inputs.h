// How the inputs of a product vary, and where their lines lie.
#pragma once

#include "gpu/templates/product/lines.h"
#include "gpu/templates/reduce/reduce_nest.h"

namespace halo::gpu {

struct ProductInputs {
  enum class Along : uint8_t { kRows, kColumns, kNeither };
  std::vector<Along> along;         // by input
  std::vector<bool> is_contiguous;  // neighbouring elements of a line lie together
  bool is_affine = true;            // offsets are sums of products of indices
};

// Nothing where an input varies along both, is made in the cell, or where none varies along one of
// both.
std::optional<ProductInputs> productInputs(const ReduceNest& nest);

// The lines of an input in memory; host code. Nothing where these cannot be read by vectors.
std::optional<Lines> linesOf(const ReduceNest& nest, const ProductInputs& inputs, size_t input,
                             int64_t bytes = 4);

}  // namespace halo::gpu
