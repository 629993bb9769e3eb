// Pipelines by source. The driver's code of each kernel is a file of its own. One for all of them
// takes longer to load than most programs take to run (62 ms after some hundred kernels).
#include "gpu/vulkan/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "gpu/vulkan/matrices/khr_matrices.h"
#include "lang/base/cache_folder.h"
#include "lang/base/phase.h"
#include "lang/base/threads.h"

namespace halo::gpu::vulkan {
namespace {

constexpr char kPipelineMagic[] = "halo-pipelines-2\n";

// Other devices and drivers have other files.
std::string cacheFile(const PhysicalDevice& device, const std::string& source) {
  std::string folder = base::cacheFolder("pipelines");
  if (folder.empty()) return "";
  std::string key = device.name + "\n" + device.driver + "\n" + source;
  XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  return folder + "/" + fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// The driver compares vendor, device and its own version before it believes the bytes.
VkPipelineCache makeCache(const Device& device, const std::string& bytes) {
  VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  if (bytes.size() >= sizeof(VkPipelineCacheHeaderVersionOne)) {
    info.initialDataSize = bytes.size();
    info.pInitialData = bytes.data();
  }
  VkPipelineCache cache = VK_NULL_HANDLE;
  VkResult made = device.api().CreatePipelineCache(device.handle(), &info, nullptr, &cache);
  return made == VK_SUCCESS ? cache : VK_NULL_HANDLE;
}

std::string contents(const Device& device, VkPipelineCache cache) {
  size_t size = 0;
  device.api().GetPipelineCacheData(device.handle(), cache, &size, nullptr);
  std::string bytes(size, '\0');
  VkResult got = device.api().GetPipelineCacheData(device.handle(), cache, &size, bytes.data());
  bytes.resize(got == VK_SUCCESS ? size : 0);
  return bytes;
}

}  // namespace

PipelineCache::PipelineCache(std::shared_ptr<Device> device, bool use_disk_cache, size_t threads)
    : device_(std::move(device)), use_disk_cache_(use_disk_cache), threads_(threads) {
  VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, pushBytes(device_->features())};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  layout_made_ = device_->api().CreatePipelineLayout(device_->handle(), &info, nullptr, &layout_);
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
  entries_.clear();
  device_->api().DestroyPipelineLayout(device_->handle(), layout_, nullptr);
}

// For debuggers and profilers that attach to Vulkan.
void PipelineCache::setName(VkPipeline pipeline, const std::string& name) {
  if (device_->api().SetDebugUtilsObjectNameEXT == nullptr) return;
  VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
  info.objectType = VK_OBJECT_TYPE_PIPELINE;
  info.objectHandle = reinterpret_cast<uint64_t>(pipeline);
  info.pObjectName = name.c_str();
  device_->api().SetDebugUtilsObjectNameEXT(device_->handle(), &info);
}

void PipelineCache::prepare(const std::string& source, const std::string& name) {
  std::lock_guard lock(mutex_);
  if (threads_ == 0 || ends_) return;
  auto [entry, is_new] = entries_.try_emplace(source, Entry{.name = name, .made = {}});
  if (!is_new) return;
  wanted_.push_back(&*entry);
  if (workers_.size() < std::min(threads_, wanted_.size())) {
    std::thread worker = base::startThread([this] { work(); });
    if (worker.joinable()) workers_.push_back(std::move(worker));
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
  entry.second.made = std::move(made);
  changed_.notify_all();
}

diag::Result<Pipeline> PipelineCache::get(const std::string& source, const std::string& name) {
  std::unique_lock lock(mutex_);
  auto& entry = *entries_.try_emplace(source, Entry{.name = name, .made = {}}).first;
  entry.second.last_use = ++uses_;
  ++entry.second.waiting;
  if (!entry.second.started) make(lock, entry);
  changed_.wait(lock, [&] { return entry.second.made.has_value(); });
  diag::Result<Pipeline> made = *entry.second.made;
  --entry.second.waiting;
  if (made) {
    forgetIdle();
  } else if (entry.second.waiting == 0) {  // another try may do better: memory was short, say
    std::erase(wanted_, &entry);
    entries_.erase(source);
  }
  return made;
}

size_t PipelineCache::size() {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

// A quarter of them, so that it happens rarely.
void PipelineCache::forgetIdle() {
  const auto is_idle = [](const Entry& entry) {
    return entry.waiting == 0 && entry.made && *entry.made && (*entry.made)->owner.use_count() == 1;
  };
  std::vector<uint64_t> ages;
  for (const auto& [source, entry] : entries_) {
    if (is_idle(entry)) ages.push_back(entry.last_use);
  }
  if (ages.size() <= kMaxIdlePipelines) return;
  const auto limit = ages.begin() + static_cast<ptrdiff_t>(ages.size() / 4);
  std::nth_element(ages.begin(), limit, ages.end());
  std::erase_if(wanted_, [&](const Entries::value_type* entry) { return is_idle(entry->second); });
  std::erase_if(entries_, [&](const auto& item) {
    return is_idle(item.second) && item.second.last_use < *limit;
  });
}

Pipeline PipelineCache::owned(VkPipeline pipeline) const {
  static std::atomic<uint64_t> pipelines = 0;
  const auto destroy = [device = device_, pipeline](void*) {
    device->api().DestroyPipeline(device->handle(), pipeline, nullptr);
  };
  return {pipeline, std::shared_ptr<void>(nullptr, destroy), ++pipelines};
}

namespace {

// A driver may refuse any kernel, with any of its error codes.
diag::Failure refusal(VkResult result, const std::string& name) {
  diag::Diagnostic why = vulkanFailure(result, "compiling the kernel `" + name + "`").value();
  if (why.code != diag::Code::device_lost) why.code = diag::Code::compile_failure;
  return diag::Failure(std::move(why));
}

}  // namespace

// SPIR-V in the device's own form of cooperative matrices.
diag::Result<std::vector<uint32_t>> PipelineCache::spirvOf(const std::string& source,
                                                           const std::string& name) const {
  auto code = compileGlsl(source, name, use_disk_cache_);
  if (!code || device_->physical().matrices.form != MatrixForm::kKhr) return code;
  auto matrices = khrMatrices(*code);
  if (!matrices) return refusal(VK_ERROR_FORMAT_NOT_SUPPORTED, name);
  return std::move(*matrices);
}

diag::Result<Pipeline> PipelineCache::compile(const std::string& source, const std::string& name) {
  const base::Phase phase(name.c_str());
  if (refusesKernel(name)) return refusal(VK_ERROR_UNKNOWN, name);
  if (layout_made_ != VK_SUCCESS) return refusal(layout_made_, name);
  const auto code = spirvOf(source, name);
  if (!code) return diag::Failure(code.error());
  const DeviceApi& api = device_->api();
  VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module_info.codeSize = code->size() * 4;
  module_info.pCode = code->data();
  VkShaderModule module = VK_NULL_HANDLE;
  VkResult result = api.CreateShaderModule(device_->handle(), &module_info, nullptr, &module);
  if (result != VK_SUCCESS) return refusal(result, name);
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout_;
  std::string path = use_disk_cache_ ? cacheFile(device_->physical(), source) : "";
  const std::string known = readCacheFile(path, kPipelineMagic);
  VkPipelineCache cache = path.empty() ? VK_NULL_HANDLE : makeCache(*device_, known);
  VkPipeline pipeline = VK_NULL_HANDLE;
  const bool optimises = !source.ends_with(kUnoptimised);
  if (!optimises) info.flags = VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT;
  result = optimises && chokesOnKernel(name)
               ? VK_ERROR_UNKNOWN
               : api.CreateComputePipelines(device_->handle(), cache, 1, &info, nullptr, &pipeline);
  api.DestroyShaderModule(device_->handle(), module, nullptr);
  if (cache != VK_NULL_HANDLE) {
    if (known.empty()) writeCacheFile(path, kPipelineMagic, contents(*device_, cache));
    api.DestroyPipelineCache(device_->handle(), cache, nullptr);
  }
  if (result != VK_SUCCESS) return refusal(result, name);
  setName(pipeline, name);
  return owned(pipeline);
}

}  // namespace halo::gpu::vulkan
