#include "gpu/windows.h"

#include <unistd.h>

#include <algorithm>

namespace halo::gpu {
namespace {

constexpr auto kFile = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

std::array<uint8_t, 16> nameOf(const vulkan::PhysicalDevice& device) {
  VkPhysicalDeviceIDProperties names{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  properties.pNext = &names;
  vulkan::instance()->api.GetPhysicalDeviceProperties2(device.handle, &properties);
  std::array<uint8_t, 16> uuid{};
  std::copy_n(names.deviceUUID, uuid.size(), uuid.begin());
  return uuid;
}

VkResult makeBuffer(const vulkan::Device& device, uint64_t bytes, VkBuffer* buffer) {
  VkExternalMemoryBufferCreateInfo external{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = kFile;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.pNext = &external;
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  return device.api().CreateBuffer(device.handle(), &info, nullptr, buffer);
}

}  // namespace

std::unique_ptr<Windows> Windows::open(std::shared_ptr<vulkan::Device> device,
                                       vulkan::Stream& stream) {
  if (!device->physical().takes_files) return nullptr;
  auto link = cuda::Link::open(nameOf(device->physical()));
  if (link == nullptr) return nullptr;
  return std::unique_ptr<Windows>(new Windows(std::move(device), stream, std::move(link)));
}

Windows::~Windows() {
  if (!stream_.isLost()) (void)stream_.finish();
  stream_.forgetLists();
  for (auto& [name, window] : windows_) destroy(window);
}

int Windows::make(const std::byte* name, uint64_t bytes) {
  Window window;
  if (!makeLocal(window, bytes)) return -1;
  const int file = link_->fileOf(window.local);
  if (file >= 0) {
    windows_[name] = window;
  } else {
    destroy(window);
  }
  return file;
}

bool Windows::take(const std::byte* name, int file, uint64_t bytes) {
  auto other = link_->open(file, bytes);
  if (!other) return false;
  Window window;
  window.other = *other;
  if (!makeLocal(window, bytes)) {
    destroy(window);
    return false;
  }
  windows_[name] = window;
  return true;
}

// On failure nothing of it is left.
bool Windows::makeLocal(Window& window, uint64_t bytes) {
  const auto local = link_->make(bytes);
  if (!local) return false;
  window.local = *local;
  const int file = link_->fileOf(*local);
  if (file >= 0 && import(window, file)) return true;
  destroy(window);
  return false;
}

// The driver owns the file once it has taken it.
bool Windows::import(Window& window, int file) {
  const vulkan::DeviceApi& api = device_->api();
  VkMemoryRequirements needs{};
  bool is_fit = makeBuffer(*device_, window.local.bytes, &window.buffer) == VK_SUCCESS;
  if (is_fit) api.GetBufferMemoryRequirements(device_->handle(), window.buffer, &needs);
  const int type = device_->memoryType(needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  is_fit = is_fit && type >= 0 && needs.size <= window.local.bytes;
  VkImportMemoryFdInfoKHR import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR};
  import.handleType = kFile;
  import.fd = file;
  VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.pNext = &import;
  allocate.allocationSize = window.local.bytes;
  allocate.memoryTypeIndex = static_cast<uint32_t>(std::max(type, 0));
  const bool is_taken = is_fit && api.AllocateMemory(device_->handle(), &allocate, nullptr,
                                                     &window.memory) == VK_SUCCESS;
  if (!is_taken) close(file);
  return is_taken &&
         api.BindBufferMemory(device_->handle(), window.buffer, window.memory, 0) == VK_SUCCESS;
}

void Windows::destroy(Window& window) noexcept {
  const vulkan::DeviceApi& api = device_->api();
  if (window.buffer != VK_NULL_HANDLE) {
    api.DestroyBuffer(device_->handle(), window.buffer, nullptr);
  }
  if (window.memory != VK_NULL_HANDLE) api.FreeMemory(device_->handle(), window.memory, nullptr);
  link_->free(window.local);
  link_->free(window.other);
  window = {};
}

void Windows::forget(const std::byte* name) noexcept {
  const auto found = windows_.find(name);
  if (found == windows_.end()) return;
  if (!stream_.isLost()) (void)stream_.finish();
  stream_.forgetLists();
  destroy(found->second);
  windows_.erase(found);
}

Windows::Done Windows::out(const std::byte* name, std::span<const Copy> copies) {
  for (const Copy& copy : copies) {
    const VkBuffer buffer = windows_.at(name).buffer;
    if (auto done = stream_.copyOut(buffer, copy.at, copy.address, copy.bytes); !done) return done;
  }
  return std::monostate{};
}

Windows::Done Windows::in(const std::byte* name, std::span<const Copy> copies) {
  const Window& window = windows_.at(name);
  bool has_come = true;
  for (const Copy& copy : copies) {
    has_come = has_come && link_->copy(window.local.address + copy.at,
                                       window.other.address + copy.at, copy.bytes);
  }
  if (!has_come || !link_->wait()) {
    return diag::fail(diag::Code::device_failure, {}, "CUDA does not copy from another device");
  }
  for (const Copy& copy : copies) {
    auto done = stream_.copyIn(window.buffer, copy.at, copy.address, copy.bytes);
    if (!done) return done;
  }
  return std::monostate{};
}

}  // namespace halo::gpu
