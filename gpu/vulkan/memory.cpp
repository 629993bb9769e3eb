// Blocks, free lists and staging buffers.
#include "gpu/vulkan/memory.h"

#include <algorithm>

#include "gpu/vulkan/stream.h"
#include "lang/base/check.h"

namespace halo::gpu::vulkan {
namespace {

using diag::Code;

constexpr uint64_t kBlockBytes = 64ull << 20;  // small programs share one block
constexpr uint64_t kAlignment = 256;           // every vector width and cache line
constexpr uint64_t kSparsePart = 1ull << 30;   // bytes of an allocation under a sparse buffer
constexpr uint64_t kMaxBytes = 1ull << 40;     // no device has as much
constexpr uint64_t kBindWaitNs = 10'000'000'000;
constexpr uint64_t kPadding = 64;  // vector reads may pass the end
// Scalars and arrays that are no longer are adjacent, so that a call's results share a line.
constexpr uint64_t kScalarBytes = 16;
constexpr uint64_t kScalarBlockBytes = 64ull << 10;

uint64_t roundUp(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

VkBufferCreateInfo bufferInfo(const Device& device, uint64_t bytes) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = bytes;
  if (device.copyQueue() != VK_NULL_HANDLE) {
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = device.physical().families;
  }
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  return info;
}

uint64_t addressOf(Device& device, VkBuffer buffer) {
  VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  info.buffer = buffer;
  return device.api().GetBufferDeviceAddress(device.handle(), &info);
}

// Memory of the first fitting type, bound to the buffer; destroys the buffer on failure.
VkResult bindMemory(Device& device, VkBuffer buffer, VkMemoryPropertyFlags wanted,
                    VkMemoryPropertyFlags preferred, VkDeviceMemory* memory, int* type) {
  const DeviceApi& api = device.api();
  VkMemoryRequirements needs{};
  api.GetBufferMemoryRequirements(device.handle(), buffer, &needs);
  *type = device.memoryType(needs.memoryTypeBits, wanted, preferred);
  if (*type < 0) return VK_ERROR_FEATURE_NOT_PRESENT;
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.pNext = &flags;
  info.allocationSize = needs.size;
  info.memoryTypeIndex = static_cast<uint32_t>(*type);
  VkResult result = api.AllocateMemory(device.handle(), &info, nullptr, memory);
  if (result != VK_SUCCESS) return result;
  return api.BindBufferMemory(device.handle(), buffer, *memory, 0);
}

// A buffer with memory of its own; the caller destroys its existing parts on failure.
VkResult makeBuffer(Device& device, uint64_t bytes, VkMemoryPropertyFlags wanted,
                    VkMemoryPropertyFlags preferred, Staging* staging, int* type) {
  staging->bytes = bytes;
  VkBufferCreateInfo info = bufferInfo(device, bytes);
  VkResult result = device.api().CreateBuffer(device.handle(), &info, nullptr, &staging->buffer);
  if (result != VK_SUCCESS) return result;
  return bindMemory(device, staging->buffer, wanted, preferred, &staging->memory, type);
}

// Waits until the memory is bound: this is rare and takes microseconds.
VkResult bindSparse(Device& device, VkBuffer buffer, const std::vector<VkSparseMemoryBind>& binds) {
  const DeviceApi& api = device.api();
  VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  VkResult result = api.CreateFence(device.handle(), &fence_info, nullptr, &fence);
  if (result != VK_SUCCESS) return result;
  VkSparseBufferMemoryBindInfo buffer_info{buffer, static_cast<uint32_t>(binds.size()),
                                           binds.data()};
  VkBindSparseInfo info{VK_STRUCTURE_TYPE_BIND_SPARSE_INFO};
  info.bufferBindCount = 1;
  info.pBufferBinds = &buffer_info;
  result = api.QueueBindSparse(device.queue(), 1, &info, fence);
  if (result == VK_SUCCESS) {
    result = api.WaitForFences(device.handle(), 1, &fence, VK_TRUE, kBindWaitNs);
  }
  api.DestroyFence(device.handle(), fence, nullptr);
  return result;
}

}  // namespace

diag::Result<Staging> makeShared(Device& device, uint64_t bytes) {
  const DeviceApi& api = device.api();
  Staging staging;
  int type = 0;
  VkResult result = makeBuffer(
      device, bytes, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, &staging, &type);
  if (result != VK_SUCCESS) {
    destroyStaging(device, staging);
    return vulkanFailure(result, "allocating device memory");
  }
  void* mapped = nullptr;
  if (device.isCoherent(type) &&
      api.MapMemory(device.handle(), staging.memory, 0, VK_WHOLE_SIZE, 0, &mapped) == VK_SUCCESS) {
    staging.mapped = static_cast<std::byte*>(mapped);
  }
  staging.address = addressOf(device, staging.buffer);
  return staging;
}

diag::Result<Staging> makeStaging(Device& device, uint64_t bytes, bool for_reading) {
  const DeviceApi& api = device.api();
  Staging staging;
  int type = 0;
  // Reading write-combined memory is 20 times slower than cached (gpu.md#device-facts).
  VkResult result = makeBuffer(
      device, bytes, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
      for_reading ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
      &staging, &type);
  void* mapped = nullptr;
  if (result == VK_SUCCESS) {
    result = api.MapMemory(device.handle(), staging.memory, 0, VK_WHOLE_SIZE, 0, &mapped);
  }
  if (result != VK_SUCCESS) {
    destroyStaging(device, staging);
    return vulkanFailure(result, "allocating a staging buffer");
  }
  staging.mapped = static_cast<std::byte*>(mapped);
  staging.address = addressOf(device, staging.buffer);
  staging.is_coherent = device.isCoherent(type);
  return staging;
}

namespace {

constexpr auto kHostPages = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;

VkResult makePageBuffer(Device& device, uint64_t bytes, VkBuffer* buffer) {
  VkExternalMemoryBufferCreateInfo external{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = kHostPages;
  VkBufferCreateInfo info = bufferInfo(device, bytes);
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  info.pNext = &external;
  return device.api().CreateBuffer(device.handle(), &info, nullptr, buffer);
}

// The buffer's memory becomes the pages.
VkResult bindPages(Device& device, std::byte* pages, Staging& staging) {
  const DeviceApi& api = device.api();
  VkMemoryRequirements needs{};
  api.GetBufferMemoryRequirements(device.handle(), staging.buffer, &needs);
  VkMemoryHostPointerPropertiesEXT types{VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
  VkResult result =
      api.GetMemoryHostPointerPropertiesEXT(device.handle(), kHostPages, pages, &types);
  if (result != VK_SUCCESS) return result;
  const int type = device.memoryType(needs.memoryTypeBits & types.memoryTypeBits, 0,
                                     VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  if (type < 0 || needs.size > staging.bytes) return VK_ERROR_FEATURE_NOT_PRESENT;
  VkImportMemoryHostPointerInfoEXT import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT};
  import.handleType = kHostPages;
  import.pHostPointer = pages;
  VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.pNext = &import;
  allocate.allocationSize = staging.bytes;
  allocate.memoryTypeIndex = static_cast<uint32_t>(type);
  result = api.AllocateMemory(device.handle(), &allocate, nullptr, &staging.memory);
  if (result != VK_SUCCESS) return result;
  return api.BindBufferMemory(device.handle(), staging.buffer, staging.memory, 0);
}

}  // namespace

diag::Result<Staging> importPages(Device& device, std::byte* pages, uint64_t bytes) {
  const bool has_pages =
      device.features().host_pages && device.api().GetMemoryHostPointerPropertiesEXT != nullptr;
  Staging staging;
  staging.bytes = bytes;
  VkResult result =
      has_pages ? makePageBuffer(device, bytes, &staging.buffer) : VK_ERROR_EXTENSION_NOT_PRESENT;
  if (result == VK_SUCCESS) result = bindPages(device, pages, staging);
  if (result != VK_SUCCESS) {
    destroyStaging(device, staging);
    return vulkanFailure(result, "importing pages of the host");
  }
  staging.mapped = pages;
  return staging;
}

void destroyStaging(Device& device, Staging& staging) {
  if (staging.buffer != VK_NULL_HANDLE) {
    device.api().DestroyBuffer(device.handle(), staging.buffer, nullptr);
  }
  if (staging.memory != VK_NULL_HANDLE) {
    device.api().FreeMemory(device.handle(), staging.memory, nullptr);
  }
  staging = {};
}

DeviceMemory::~DeviceMemory() {
  device_->api().DeviceWaitIdle(device_->handle());
  for (auto& [address, block] : blocks_) destroyBlock(*block);
}

void DeviceMemory::destroyBlock(Block& block) {
  device_->api().DestroyBuffer(device_->handle(), block.buffer, nullptr);
  for (VkDeviceMemory memory : block.memory) {
    device_->api().FreeMemory(device_->handle(), memory, nullptr);
  }
}

VkResult DeviceMemory::makeDense(Block& block) {
  VkBufferCreateInfo info = bufferInfo(*device_, block.bytes);
  VkResult result = device_->api().CreateBuffer(device_->handle(), &info, nullptr, &block.buffer);
  if (result != VK_SUCCESS) return result;
  int type = 0;
  block.memory.resize(1);
  return bindMemory(*device_, block.buffer, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0,
                    block.memory.data(), &type);
}

VkResult DeviceMemory::makeSparse(Block& block) {
  const DeviceApi& api = device_->api();
  VkBufferCreateInfo info = bufferInfo(*device_, block.bytes);
  info.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
  VkResult result = api.CreateBuffer(device_->handle(), &info, nullptr, &block.buffer);
  if (result != VK_SUCCESS) return result;
  VkMemoryRequirements needs{};
  api.GetBufferMemoryRequirements(device_->handle(), block.buffer, &needs);
  int type = device_->memoryType(needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  if (type < 0) return VK_ERROR_FEATURE_NOT_PRESENT;
  uint64_t most = device_->features().max_allocation / needs.alignment * needs.alignment;
  uint64_t part = std::min(kSparsePart / needs.alignment * needs.alignment, most);
  std::vector<VkSparseMemoryBind> binds;
  for (uint64_t at = 0; at < needs.size; at += part) {
    VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.pNext = &flags;
    allocate.allocationSize = std::min(part, needs.size - at);
    allocate.memoryTypeIndex = static_cast<uint32_t>(type);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    result = api.AllocateMemory(device_->handle(), &allocate, nullptr, &memory);
    if (result != VK_SUCCESS) return result;
    block.memory.push_back(memory);
    binds.push_back({at, allocate.allocationSize, memory, 0, 0});
  }
  // The queue binds behind its commands, which may wait for the host.
  if (stream_ != nullptr) (void)stream_->finish();
  return bindSparse(*device_, block.buffer, binds);
}

diag::Result<DeviceMemory::Block*> DeviceMemory::addBlock(uint64_t bytes) {
  const Features& features = device_->features();
  diag::Failure too_much =
      diag::fail(Code::out_of_memory, {}, value::outOfMemoryText(bytes),
                 {"the memory of `" + device_->physical().name + "` was asked for them"});
  auto block = std::make_unique<Block>();
  block->bytes = std::max(roundUp(bytes, kAlignment), kBlockBytes);
  bool is_large = bytes > features.max_allocation;
  if (is_large && (!features.sparse || bytes > kMaxBytes)) return too_much;
  if (!is_large) block->bytes = std::min(block->bytes, features.max_allocation);
  VkResult result = is_large ? makeSparse(*block) : makeDense(*block);
  if (result != VK_SUCCESS) {
    destroyBlock(*block);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY) return too_much;
    return vulkanFailure(result, "allocating device memory");
  }
  block->address = addressOf(*device_, block->buffer);
  block->free[0] = block->bytes;
  return keep(std::move(block));
}

diag::Result<DeviceMemory::Block*> DeviceMemory::addScalarBlock() {
  auto shared = makeShared(*device_, kScalarBlockBytes + kPadding);
  if (!shared) return diag::Failure(shared.error());
  auto block = std::make_unique<Block>();
  block->buffer = shared->buffer;
  block->memory = {shared->memory};
  block->address = shared->address;
  block->bytes = kScalarBlockBytes;
  block->is_for_scalars = true;
  block->mapped = shared->mapped;
  block->free[0] = block->bytes;
  return keep(std::move(block));
}

DeviceMemory::Block* DeviceMemory::keep(std::unique_ptr<Block> block) {
  Block* kept = block.get();
  blocks_[kept->address] = std::move(block);
  ++blocks_made_;
  return kept;
}

// Best fit over all blocks; a new block when nothing fits.
diag::Result<uint64_t> DeviceMemory::allocateAddress(uint64_t bytes, bool is_scalar) {
  Block* best = nullptr;
  uint64_t best_offset = 0;
  uint64_t best_bytes = ~0ull;
  for (auto& [address, block] : blocks_) {
    if (block->is_for_scalars != is_scalar) continue;
    for (auto& [offset, size] : block->free) {
      if (size < bytes || size >= best_bytes) continue;
      best = block.get();
      best_offset = offset;
      best_bytes = size;
    }
  }
  if (best == nullptr) {
    auto add = [&] { return is_scalar ? addScalarBlock() : addBlock(bytes); };
    auto added = add();
    if (!added && dropIdleBlocks()) added = add();
    if (!added) return diag::Failure(added.error());
    best = *added;
    best_offset = 0;
    best_bytes = best->bytes;
  }
  best->free.erase(best_offset);
  if (best_bytes > bytes) best->free[best_offset + bytes] = best_bytes - bytes;
  best->used[best_offset] = bytes;
  return best->address + best_offset;
}

// Gives wholly free blocks back to the driver; true if there was one.
bool DeviceMemory::dropIdleBlocks() {
  bool dropped = false;
  bool waited = false;
  for (auto it = blocks_.begin(); it != blocks_.end();) {
    if (!it->second->used.empty()) {
      ++it;
      continue;
    }
    // Queued work may still touch it. The stream does not call back here: the mutex is taken.
    if (!waited && stream_ != nullptr) (void)stream_->finish();
    if (!waited && stream_ != nullptr) stream_->forgetLists();
    waited = true;
    destroyBlock(*it->second);
    it = blocks_.erase(it);
    dropped = true;
  }
  return dropped;
}

diag::Result<value::BufferRef> DeviceMemory::allocate(size_t bytes) {
  std::lock_guard lock(mutex_);
  const bool is_scalar = bytes <= kScalarBytes;
  auto address =
      allocateAddress(is_scalar ? kScalarBytes : roundUp(bytes + kPadding, kAlignment), is_scalar);
  if (!address) return diag::Failure(address.error());
  return std::make_shared<value::Buffer>(*this, nullptr, *address, bytes, nullptr);
}

void DeviceMemory::release(value::Buffer& buffer) noexcept {
  std::lock_guard lock(mutex_);
  auto it = blocks_.upper_bound(buffer.deviceAddress());
  HALO_CHECK(it != blocks_.begin(), "released memory is in no block");
  Block& block = *std::prev(it)->second;
  uint64_t offset = buffer.deviceAddress() - block.address;
  uint64_t bytes = block.used.at(offset);
  block.used.erase(offset);
  auto next = block.free.lower_bound(offset);
  if (next != block.free.end() && next->first == offset + bytes) {
    bytes += next->second;
    next = block.free.erase(next);
  }
  if (next != block.free.begin() && std::prev(next)->first + std::prev(next)->second == offset) {
    std::prev(next)->second += bytes;
  } else {
    block.free[offset] = bytes;
  }
}

diag::Result<std::monostate> DeviceMemory::read(const value::Buffer& from, size_t offset, void* to,
                                                size_t bytes) {
  HALO_CHECK(stream_ != nullptr, "device memory without a stream");
  return stream_->read(from.deviceAddress() + offset, to, bytes);
}

Region DeviceMemory::find(uint64_t address) const {
  std::lock_guard lock(mutex_);
  auto it = blocks_.upper_bound(address);
  if (it == blocks_.begin()) return {};
  const Block& block = *std::prev(it)->second;
  uint64_t offset = address - block.address;
  auto used = block.used.upper_bound(offset);
  if (used == block.used.begin()) return {};
  --used;
  if (offset >= used->first + used->second) return {};
  return {block.buffer, offset, used->first + used->second - offset,
          block.mapped == nullptr ? nullptr : block.mapped + offset};
}

}  // namespace halo::gpu::vulkan
