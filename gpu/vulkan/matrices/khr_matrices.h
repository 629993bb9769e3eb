// Cooperative matrices as SPV_KHR_cooperative_matrix has them. GLSL of glslang 12 has the form of
// SPV_NV_cooperative_matrix alone, whose types do not say which operand of a product they are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace halo::gpu::vulkan {

// The same module in the KHR form; a module without matrices stays as it is. None where a matrix is
// two operands of products, or an instruction is unknown.
std::optional<std::vector<uint32_t>> khrMatrices(const std::vector<uint32_t>& code);

}  // namespace halo::gpu::vulkan
