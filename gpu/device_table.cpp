// Handles are device addresses. Launches choose the variant and are split where a grid exceeds the
// device's limit.
#include "gpu/device_table.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gpu/engine.h"
#include "gpu/large_copy.h"

namespace halo::gpu {

namespace {
bool refusals_fail = false;
}  // namespace

void failRefusals() { refusals_fail = true; }
bool refusalsFail() { return refusals_fail; }

using vulkan::Access;

jit::DeviceTable CallDevice::table() {
  jit::DeviceTable table;
  table.self = this;
  table.alloc = [](void* self, uint64_t bytes, imp::Holds holds, uint64_t* handle) {
    return static_cast<CallDevice*>(self)->alloc(bytes, holds, handle);
  };
  table.free = [](void* self, uint64_t handle) { static_cast<CallDevice*>(self)->free(handle); };
  table.copy = [](void* self, uint64_t dst, uint64_t dst_offset, uint64_t src, uint64_t src_offset,
                  uint64_t bytes) {
    return static_cast<CallDevice*>(self)->copy(dst + dst_offset, src + src_offset, bytes);
  };
  table.write = [](void* self, uint64_t handle, uint64_t offset, const void* from, uint64_t bytes) {
    return static_cast<CallDevice*>(self)->write(handle + offset, from, bytes);
  };
  table.launch = [](void* self, int32_t kernel, const int64_t groups[3], const uint64_t* buffers,
                    const uint64_t* scalars) {
    return static_cast<CallDevice*>(self)->launch(kernel, groups, buffers, scalars);
  };
  table.exit_flag = [](void* self) {
    return static_cast<CallDevice*>(self)->context_.stream->stopAddress();
  };
  table.read = [](void* self, uint64_t handle, uint64_t offset, void* to, uint64_t bytes) {
    return static_cast<CallDevice*>(self)->read(handle + offset, to, bytes);
  };
  return table;
}

void CallDevice::borrow(value::BufferRef buffer) {
  uint64_t address = buffer->deviceAddress();
  buffers_[address] = std::move(buffer);
}

value::BufferRef CallDevice::find(uint64_t handle) const {
  auto it = buffers_.upper_bound(handle);
  if (it == buffers_.begin()) return nullptr;
  const value::BufferRef& buffer = std::prev(it)->second;
  bool inside = handle <= buffer->deviceAddress() + buffer->bytes();
  return inside ? buffer : nullptr;
}

int32_t CallDevice::fail(const diag::Diagnostic& diagnostic) {
  if (!error_) error_ = diagnostic;
  return 1;
}

int32_t CallDevice::alloc(uint64_t bytes, imp::Holds holds, uint64_t* handle) {
  const auto allocate = [&] {
    return holds == imp::Holds::kAnything ? context_.memory->allocate(bytes)
                                          : context_.kept->allocate(bytes, holds);
  };
  auto buffer = allocate();
  const bool is_full = !buffer && buffer.error().code == diag::Code::out_of_memory;
  if (is_full && context_.kept->freeIdle()) buffer = allocate();
  if (!buffer) return fail(buffer.error());
  *handle = (*buffer)->deviceAddress();
  buffers_[*handle] = std::move(*buffer);
  return 0;
}

void CallDevice::free(uint64_t handle) { buffers_.erase(handle); }

int32_t CallDevice::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  if (isLargeCopy(to, from, bytes)) {
    auto done = copyByKernel(context_, to, from, bytes);
    if (done) return 0;
    if (done.error().code != diag::Code::compile_failure) return fail(done.error());
  }
  auto done = context_.stream->copy(to, from, bytes);
  return done ? 0 : fail(done.error());
}

int32_t CallDevice::write(uint64_t to, const void* from, uint64_t bytes) {
  auto done = context_.stream->write(to, from, bytes);
  return done ? 0 : fail(done.error());
}

int32_t CallDevice::readStop(void* to) {
  auto word = context_.stream->takeStop();
  if (!word) return fail(word.error());
  std::memcpy(to, &*word, sizeof *word);
  return afterWait();
}

int32_t CallDevice::read(uint64_t handle, void* to, uint64_t bytes) {
  if (handle == context_.stream->stopAddress()) return readStop(to);
  auto done = context_.stream->read(handle, to, bytes);
  if (!done) return fail(done.error());
  return afterWait();
}

int32_t CallDevice::afterWait() { return context_.stream->failure()[0] == 0 ? 0 : 1; }

MemorySizes CallDevice::memory() const {
  MemorySizes sizes;
  for (const auto& [address, buffer] : buffers_) sizes[address] = buffer->bytes();
  return sizes;
}

// Which memory the arguments are in, looked up once for each launch.
void CallDevice::findBuffers(size_t count, const uint64_t* buffers) {
  starts_.assign(count, 0);
  bytes_.assign(count, 0);
  for (size_t i = 0; i < count; ++i) {
    auto it = buffers_.upper_bound(buffers[i]);
    if (it == buffers_.begin()) continue;
    const value::Buffer& buffer = *std::prev(it)->second;
    if (buffers[i] > buffer.deviceAddress() + buffer.bytes()) continue;
    starts_[i] = buffer.deviceAddress();
    bytes_[i] = buffer.bytes();
  }
}

int32_t CallDevice::launch(int32_t index, const int64_t groups[3], const uint64_t* buffers,
                           const uint64_t* scalars) {
  bool alone = std::exchange(launched_, false) == false;
  if (groups[0] <= 0 || groups[1] <= 0 || groups[2] <= 0) return 0;
  launched_ = true;
  Kernel& kernel = kernels_[static_cast<size_t>(index)];
  findBuffers(kernel.element_bytes.size(), buffers);
  bool narrow = fitsNarrow(kernel, groups, scalars, bytes_);
  if (narrow && !kernel.wide.glsl.empty() && isRefused(kernel.narrow)) narrow = false;
  // Without 64-bit integers only the low half of an index counts.
  bool counts = context_.device->features().int64 || fitsWords(kernel, bytes_);
  if (!narrow && (kernel.wide.glsl.empty() || !counts)) {
    return fail(diag::fail(diag::Code::engine_unsupported, {},
                           "a launch too large for 32-bit indices on a device without 64-bit ones")
                    .value());
  }
  return launchVariant(kernel, narrow ? kernel.narrow : kernel.wide, groups, buffers, scalars,
                       alone);
}

void CallDevice::put(uint32_t at, const void* from, size_t size) {
  std::memcpy(arguments_.data() + at, from, size);
}

// All but the groups, and the memory that the launch uses. Returns whether it sets the exit flag.
bool CallDevice::putArguments(const Kernel& kernel, const KernelVariant& variant,
                              const uint64_t* buffers, const uint64_t* scalars) {
  const ArgumentLayout& layout = variant.layout;
  arguments_.assign(layout.bytes, std::byte{0});
  uint64_t failure = context_.stream->failureAddress();
  put(ArgumentLayout::kFailure, &failure, 8);
  accesses_.clear();
  uint64_t stop = context_.stream->stopAddress();
  bool sets_stop = false;
  for (size_t i = 0; i < layout.buffers.size(); ++i) {
    put(layout.buffers[i], &buffers[i], 8);
    sets_stop = sets_stop || (kernel.writes[i] && buffers[i] == stop);
    if (bytes_[i] > 0) accesses_.push_back({starts_[i], bytes_[i], kernel.writes[i]});
  }
  for (size_t i = 0; i < layout.scalars.size(); ++i) {
    const ScalarPart& part = variant.scalars[i];
    auto* from = reinterpret_cast<const std::byte*>(&scalars[part.scalar]) + part.byte;
    put(layout.scalars[i], from, layout.scalar_bytes[i]);
  }
  if (layout.first_site) put(*layout.first_site, &variant.first_site, 4);
  return sets_stop;
}

// By a compiler: the variant with 64-bit indices does the same.
bool CallDevice::isRefused(KernelVariant& variant) {
  if (variant.is_refused || makePipeline(variant) || !variant.is_refused) return variant.is_refused;
  refusals_.push_back(error_->message + ": its form with 64-bit indices runs instead");
  error_.reset();
  return true;
}

// No other variant is left.
bool CallDevice::makeLastPipeline(KernelVariant& variant) {
  if (makePipeline(variant)) return true;
  if (!variant.is_refused) return false;
  auto pipeline =
      context_.pipelines->get(variant.glsl + vulkan::kUnoptimised, variant.function.name);
  if (!pipeline) return false;
  variant.pipeline = *pipeline;
  variant.pipeline.may_fail = variant.may_fail;
  variant.is_refused = false;
  refusals_.push_back(error_->message + ": it runs as the driver makes it without optimising");
  error_.reset();
  return true;
}

bool CallDevice::makePipeline(KernelVariant& variant) {
  if (variant.pipeline.handle != VK_NULL_HANDLE) return true;
  if (before_compiling_) std::exchange(before_compiling_, nullptr)();
  auto pipeline = context_.pipelines->get(variant.glsl, variant.function.name);
  if (pipeline) {
    variant.pipeline = *pipeline;
    variant.pipeline.may_fail = variant.may_fail;
    return true;
  }
  variant.is_refused = !refusalsFail() && pipeline.error().code == diag::Code::compile_failure;
  fail(pipeline.error());
  return false;
}

int32_t CallDevice::launchVariant(Kernel& kernel, KernelVariant& variant, const int64_t groups[3],
                                  const uint64_t* buffers, const uint64_t* scalars, bool alone) {
  if (!makeLastPipeline(variant)) return 1;
  const bool sets_stop = putArguments(kernel, variant, buffers, scalars);
  // The launch before has waited for all that this one would wait for.
  if (variant.function.concurrent && !alone) accesses_.clear();
  uint32_t all[3];
  for (int d = 0; d < 3; ++d) all[d] = static_cast<uint32_t>(groups[d]);
  put(ArgumentLayout::kGroupCount, all, sizeof all);
  if (sets_stop) context_.stream->separate();
  if (sets_stop) context_.stream->expectStop();
  if (int32_t status = launchParts(variant, all); status != 0) return status;
  // A kernel that only checks something protects the kernels behind it.
  bool writes = std::find(kernel.writes.begin(), kernel.writes.end(), true) != kernel.writes.end();
  if (sets_stop || !writes) context_.stream->separate();
  return 0;
}

// As many launches as the device's limits want, of which most programs need one.
int32_t CallDevice::launchParts(const KernelVariant& variant, const uint32_t all[3]) {
  const auto& limit = context_.device->features().max_groups;
  uint32_t at[3];
  for (at[2] = 0; at[2] < all[2]; at[2] += limit[2]) {
    for (at[1] = 0; at[1] < all[1]; at[1] += limit[1]) {
      for (at[0] = 0; at[0] < all[0]; at[0] += limit[0]) {
        uint32_t part[3];
        for (int d = 0; d < 3; ++d) part[d] = std::min<uint32_t>(limit[d], all[d] - at[d]);
        put(ArgumentLayout::kGroupOffset, at, sizeof at);
        auto done = context_.stream->launch(variant.pipeline, part, arguments_, accesses_,
                                            variant.function.name.c_str());
        if (!done) return fail(done.error());
        if (all[0] - at[0] <= limit[0]) break;  // also where at + limit would overflow
      }
      if (all[1] - at[1] <= limit[1]) break;
    }
    if (all[2] - at[2] <= limit[2]) break;
  }
  return 0;
}

}  // namespace halo::gpu
