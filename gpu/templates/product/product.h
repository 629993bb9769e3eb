// Matrix products and everything shaped like them (docs/gpu.md#products).
#pragma once

#include "gpu/schedule/condition.h"
#include "gpu/templates/product/product_inputs.h"
#include "gpu/templates/reduce/two_stage.h"

namespace halo::gpu {

TemplateResult emitProduct(const ReduceNest& nest, const ProductInputs& inputs,
                           const ProductSchedule& schedule);
// Tiles of chunks of lines, then the sum of the chunks.
TemplateResult emitSplitProduct(const ReduceNest& nest, const ProductInputs& inputs,
                                const SplitProductSchedule& schedule);

// A quantity of guards that only products have; host.
imp::Operand productQuantity(const ReduceNest& nest, Quantity which);

}  // namespace halo::gpu
