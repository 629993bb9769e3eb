// The kernel of a product by cooperative matrices (docs/gpu.md#cooperative-matrices).
#pragma once

#include "gpu/templates/product/product_inputs.h"

namespace halo::gpu {

// Whether both inputs lie in memory as the kernel reads them, or as it copies them; host.
bool hasMatrixLines(const ReduceNest& nest, const ProductInputs& inputs);

// `inputs` have lines. Copies of inputs whose vectors are not aligned go before the launch.
TemplateResult emitMatrixProduct(const ReduceNest& nest, const ProductInputs& inputs,
                                 const MatrixProductSchedule& schedule);

}  // namespace halo::gpu
