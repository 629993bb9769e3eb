// Cooperative matrices: which products of small matrices the subgroups of a device compute, by
// VK_NV_cooperative_matrix or VK_KHR_cooperative_matrix. Both say the same, by other numbers.
#pragma once

#include <string>
#include <vector>

#include "gpu/vulkan/api.h"
#include "gpu/vulkan/features.h"

namespace halo::gpu::vulkan {

// The extension that a device's cooperative matrices come from. GLSL is printed for kNv; modules
// for kKhr are rewritten (khr_matrices.h).
enum class MatrixForm : uint8_t { kNone, kNv, kKhr };

// One product of the device's list: rows x columns sums of `depth` products each.
struct MatrixShape {
  uint32_t rows = 0, columns = 0, depth = 0;
  VkComponentTypeNV a, b, sum, result;  // the numbers of VkComponentTypeKHR are the same
  bool saturates = false;               // the sums stop at the ends of their type
  VkScopeNV scope = VK_SCOPE_SUBGROUP_NV;
};

// `16x16x16 f16 f16 f32 f32 subgroup`
std::string nameOf(const MatrixShape& shape);

// Sets the features of cooperative matrices: the depths of these shapes by element type.
void takeMatrices(const std::vector<MatrixShape>& shapes, Features& features);

struct Matrices {
  MatrixForm form = MatrixForm::kNone;
  std::vector<MatrixShape> shapes;
  std::vector<std::string> extensions = {};  // all that the device lists
};
// Asks the device, and prefers kKhr, which several vendors have.
Matrices matricesOf(VkPhysicalDevice device);
const char* extensionName(MatrixForm form);
// The features to be enabled; both forms have a structure of these fields.
VkPhysicalDeviceCooperativeMatrixFeaturesNV matrixFeatures(MatrixForm form);

}  // namespace halo::gpu::vulkan
