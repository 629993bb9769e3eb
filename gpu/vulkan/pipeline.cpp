// Pipelines by source, and the driver's own cache on disk (checked by the driver's header).
#include "gpu/vulkan/pipeline.h"

#include <cctype>

#include "lang/base/cache_folder.h"
#include "lang/base/phase.h"

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

PipelineCache::PipelineCache(std::shared_ptr<Device> device, bool use_disk_cache, size_t threads)
    : device_(std::move(device)), use_disk_cache_(use_disk_cache), threads_(threads) {
  VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, kPushBytes};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  device_->api().CreatePipelineLayout(device_->handle(), &info, nullptr, &layout_);
  load();
}

void PipelineCache::stop() {
  {
    std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
}

PipelineCache::~PipelineCache() {
  stop();
  save();
  const DeviceApi& api = device_->api();
  for (auto& [source, entry] : entries_) {
    if (entry.made && *entry.made) {
      api.DestroyPipeline(device_->handle(), (*entry.made)->handle, nullptr);
    }
  }
  api.DestroyPipelineCache(device_->handle(), cache_, nullptr);
  api.DestroyPipelineLayout(device_->handle(), layout_, nullptr);
}

void PipelineCache::load() {
  const base::Phase phase("load pipeline cache");
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
  {
    std::lock_guard lock(mutex_);
    if (!use_disk_cache_ || !has_news_ || cache_ == VK_NULL_HANDLE) return;
    has_news_ = false;
  }
  const base::Phase phase("save pipeline cache");
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

// For debuggers and profilers that attach to Vulkan.
void PipelineCache::setName(Pipeline pipeline, const std::string& name) {
  if (device_->api().SetDebugUtilsObjectNameEXT == nullptr) return;
  VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
  info.objectType = VK_OBJECT_TYPE_PIPELINE;
  info.objectHandle = reinterpret_cast<uint64_t>(pipeline.handle);
  info.pObjectName = name.c_str();
  device_->api().SetDebugUtilsObjectNameEXT(device_->handle(), &info);
}

void PipelineCache::prepare(const std::string& source, const std::string& name) {
  std::lock_guard lock(mutex_);
  if (threads_ == 0 || ends_) return;
  auto [entry, is_new] = entries_.try_emplace(source, Entry{name, false, {}});
  if (!is_new) return;
  wanted_.push_back(&*entry);
  if (workers_.size() < std::min(threads_, wanted_.size())) {
    workers_.emplace_back([this] { work(); });
  }
  changed_.notify_one();
}

void PipelineCache::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !wanted_.empty(); });
    if (ends_) return;
    Entries::value_type* entry = wanted_.front();
    wanted_.pop_front();
    if (!entry->second.started) make(lock, *entry);
  }
}

// The lock is open while the compilers run.
void PipelineCache::make(std::unique_lock<std::mutex>& lock, Entries::value_type& entry) {
  entry.second.started = true;
  lock.unlock();
  auto made = compile(entry.first, entry.second.name);
  lock.lock();
  has_news_ = has_news_ || made.has_value();
  entry.second.made = std::move(made);
  changed_.notify_all();
}

diag::Result<Pipeline> PipelineCache::get(const std::string& source, const std::string& name) {
  std::unique_lock lock(mutex_);
  auto& entry = *entries_.try_emplace(source, Entry{name, false, {}}).first;
  if (!entry.second.started) make(lock, entry);
  changed_.wait(lock, [&] { return entry.second.made.has_value(); });
  if (*entry.second.made) return **entry.second.made;
  diag::Failure failed((*entry.second.made).error());
  std::erase(wanted_, &entry);
  entries_.erase(source);  // another try may do better: memory was short, say
  return failed;
}

diag::Result<Pipeline> PipelineCache::compile(const std::string& source, const std::string& name) {
  const base::Phase phase(name.c_str());
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
  setName(pipeline, name);
  return pipeline;
}

}  // namespace halo::gpu::vulkan
