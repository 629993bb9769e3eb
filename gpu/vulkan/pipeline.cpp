// Pipelines by source, and the driver's own cache on disk (checked by the driver's header).
#include "gpu/vulkan/pipeline.h"

#include <cctype>

#include "lang/base/cache_folder.h"

namespace halo::gpu::vulkan {
namespace {

constexpr char kMagic[] = "halo-pipelines-1\n";

std::string cacheFile(const PhysicalDevice& device) {
  std::string folder = base::cacheFolder("pipelines");
  if (folder.empty()) return "";
  std::string name = device.name + "-" + device.driver;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return folder + "/" + name;
}

}  // namespace

PipelineCache::PipelineCache(std::shared_ptr<Device> device, bool use_disk_cache)
    : device_(std::move(device)), use_disk_cache_(use_disk_cache) {
  VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, kPushBytes};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  device_->api().CreatePipelineLayout(device_->handle(), &info, nullptr, &layout_);
  load();
}

PipelineCache::~PipelineCache() {
  save();
  const DeviceApi& api = device_->api();
  for (auto& [source, pipeline] : pipelines_) {
    api.DestroyPipeline(device_->handle(), pipeline.handle, nullptr);
  }
  api.DestroyPipelineCache(device_->handle(), cache_, nullptr);
  api.DestroyPipelineLayout(device_->handle(), layout_, nullptr);
}

void PipelineCache::load() {
  std::string bytes;
  if (use_disk_cache_) bytes = readCacheFile(cacheFile(device_->physical()), kMagic);
  VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  // The driver compares vendor, device and its own version before it believes the rest.
  if (bytes.size() >= sizeof(VkPipelineCacheHeaderVersionOne)) {
    info.initialDataSize = bytes.size();
    info.pInitialData = bytes.data();
  }
  device_->api().CreatePipelineCache(device_->handle(), &info, nullptr, &cache_);
}

void PipelineCache::save() {
  if (!use_disk_cache_ || !has_news_ || cache_ == VK_NULL_HANDLE) return;
  has_news_ = false;
  std::string path = cacheFile(device_->physical());
  if (path.empty()) return;
  size_t size = 0;
  device_->api().GetPipelineCacheData(device_->handle(), cache_, &size, nullptr);
  std::string bytes(size, '\0');
  if (device_->api().GetPipelineCacheData(device_->handle(), cache_, &size, bytes.data()) ==
      VK_SUCCESS) {
    bytes.resize(size);
    writeCacheFile(path, kMagic, bytes);
  }
}

diag::Result<Pipeline> PipelineCache::get(const std::string& source, const std::string& name) {
  auto found = pipelines_.find(source);
  if (found != pipelines_.end()) return found->second;
  auto code = compileGlsl(source, name, use_disk_cache_);
  if (!code) return diag::Failure(code.error());
  const DeviceApi& api = device_->api();
  VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module_info.codeSize = code->size() * 4;
  module_info.pCode = code->data();
  VkShaderModule module = VK_NULL_HANDLE;
  VkResult result = api.CreateShaderModule(device_->handle(), &module_info, nullptr, &module);
  if (result != VK_SUCCESS) return vulkanFailure(result, "loading the kernel `" + name + "`");
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout_;
  Pipeline pipeline;
  result =
      api.CreateComputePipelines(device_->handle(), cache_, 1, &info, nullptr, &pipeline.handle);
  api.DestroyShaderModule(device_->handle(), module, nullptr);
  if (result != VK_SUCCESS) return vulkanFailure(result, "compiling the kernel `" + name + "`");
  has_news_ = true;
  return pipelines_[source] = pipeline;
}

}  // namespace halo::gpu::vulkan
