// The headers of Vulkan 1.3.239 lack VK_KHR_cooperative_matrix: the part that is needed is declared
// here, with the values of the specification's registry (extension 507).
#include "gpu/vulkan/matrices/matrices.h"

#include <fmt/format.h>

#include <algorithm>

namespace halo::gpu::vulkan {
namespace {

constexpr char kKhrName[] = "VK_KHR_cooperative_matrix";
constexpr auto kKhrFeatures = static_cast<VkStructureType>(1000506000);
constexpr auto kKhrProperties = static_cast<VkStructureType>(1000506001);

struct KhrProperties {
  VkStructureType type = kKhrProperties;
  void* next = nullptr;
  uint32_t rows, columns, depth;
  VkComponentTypeNV a, b, sum, result;
  VkBool32 saturates;
  VkScopeNV scope;
};
using GetKhrProperties = VkResult(VKAPI_PTR*)(VkPhysicalDevice, uint32_t*, KhrProperties*);

const char* typeName(VkComponentTypeNV type) {
  static constexpr const char* kNames[] = {"f16", "f32", "f64", "i8",  "i16", "i32",
                                           "i64", "u8",  "u16", "u32", "u64"};
  const auto number = static_cast<size_t>(type);
  return number < std::size(kNames) ? kNames[number] : "other";
}

std::vector<std::string> matrixExtensions(const InstanceApi& api, VkPhysicalDevice device) {
  uint32_t count = 0;
  api.EnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> all(count);
  api.EnumerateDeviceExtensionProperties(device, nullptr, &count, all.data());
  std::vector<std::string> names;
  for (const VkExtensionProperties& one : all) {
    const std::string name = one.extensionName;
    if (name.find("cooperative_matrix") != std::string::npos) names.push_back(name);
  }
  return names;
}

bool isOffered(const InstanceApi& api, VkPhysicalDevice device,
               const std::vector<std::string>& extensions, MatrixForm form) {
  const std::string name = extensionName(form);
  if (std::find(extensions.begin(), extensions.end(), name) == extensions.end()) return false;
  VkPhysicalDeviceCooperativeMatrixFeaturesNV matrices = matrixFeatures(form);
  matrices.cooperativeMatrix = VK_FALSE;
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  features.pNext = &matrices;
  api.GetPhysicalDeviceFeatures2(device, &features);
  return matrices.cooperativeMatrix == VK_TRUE;
}

std::vector<MatrixShape> shapesOfNv(const InstanceApi& api, VkPhysicalDevice device) {
  const auto get = api.GetPhysicalDeviceCooperativeMatrixPropertiesNV;
  uint32_t count = 0;
  if (get == nullptr || get(device, &count, nullptr) != VK_SUCCESS) return {};
  std::vector<VkCooperativeMatrixPropertiesNV> all(
      count, {VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_NV});
  if (get(device, &count, all.data()) != VK_SUCCESS) return {};
  std::vector<MatrixShape> shapes;
  for (const auto& p : all) {
    shapes.push_back(
        {p.MSize, p.NSize, p.KSize, p.AType, p.BType, p.CType, p.DType, false, p.scope});
  }
  return shapes;
}

std::vector<MatrixShape> shapesOfKhr(const InstanceApi& api, VkPhysicalDevice device) {
  const auto get =
      reinterpret_cast<GetKhrProperties>(api.GetPhysicalDeviceCooperativeMatrixPropertiesKHR);
  uint32_t count = 0;
  if (get == nullptr || get(device, &count, nullptr) != VK_SUCCESS) return {};
  std::vector<KhrProperties> all(count);
  if (get(device, &count, all.data()) != VK_SUCCESS) return {};
  std::vector<MatrixShape> shapes;
  for (const KhrProperties& p : all) {
    shapes.push_back(
        {p.rows, p.columns, p.depth, p.a, p.b, p.sum, p.result, p.saturates == VK_TRUE, p.scope});
  }
  return shapes;
}

// Of 16 rows and 16 columns the deepest; 0: none. Sums of the integers' bits are the same whether
// they have a sign or not.
uint32_t depthOf(const std::vector<MatrixShape>& shapes, VkComponentTypeNV element,
                 VkComponentTypeNV sum) {
  uint32_t depth = 0;
  for (const MatrixShape& s : shapes) {
    const bool fits = s.rows == 16 && s.columns == 16 && s.depth % 16 == 0 && s.a == element &&
                      s.b == element && s.sum == sum && s.result == sum && !s.saturates &&
                      s.scope == VK_SCOPE_SUBGROUP_NV;
    if (fits) depth = std::max(depth, s.depth);
  }
  return depth;
}

}  // namespace

std::string nameOf(const MatrixShape& shape) {
  return fmt::format("{}x{}x{} {} {} {} {}{}{}", shape.rows, shape.columns, shape.depth,
                     typeName(shape.a), typeName(shape.b), typeName(shape.sum),
                     typeName(shape.result), shape.saturates ? " saturating" : "",
                     shape.scope == VK_SCOPE_SUBGROUP_NV ? "" : " not of subgroups");
}

void takeMatrices(const std::vector<MatrixShape>& shapes, Features& features) {
  features.matrix_depth_f16 =
      depthOf(shapes, VK_COMPONENT_TYPE_FLOAT16_NV, VK_COMPONENT_TYPE_FLOAT32_NV);
  features.matrix_depth_i8 =
      depthOf(shapes, VK_COMPONENT_TYPE_SINT8_NV, VK_COMPONENT_TYPE_SINT32_NV);
  features.matrix_depth_u8 =
      depthOf(shapes, VK_COMPONENT_TYPE_UINT8_NV, VK_COMPONENT_TYPE_UINT32_NV);
}

Matrices matricesOf(VkPhysicalDevice device) {
  const InstanceApi& api = instance()->api;
  const std::vector<std::string> extensions = matrixExtensions(api, device);
  if (isOffered(api, device, extensions, MatrixForm::kKhr)) {
    return {MatrixForm::kKhr, shapesOfKhr(api, device), extensions};
  }
  if (isOffered(api, device, extensions, MatrixForm::kNv)) {
    return {MatrixForm::kNv, shapesOfNv(api, device), extensions};
  }
  return {MatrixForm::kNone, {}, extensions};
}

const char* extensionName(MatrixForm form) {
  return form == MatrixForm::kKhr ? kKhrName : VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME;
}

VkPhysicalDeviceCooperativeMatrixFeaturesNV matrixFeatures(MatrixForm form) {
  VkPhysicalDeviceCooperativeMatrixFeaturesNV features{
      form == MatrixForm::kKhr ? kKhrFeatures
                               : VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV};
  features.cooperativeMatrix = VK_TRUE;
  return features;
}

}  // namespace halo::gpu::vulkan
