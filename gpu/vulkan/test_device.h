// A Vulkan device for the tests of this folder, one for all cases, with a shader written by hand.
// Cases are skipped where there is no device.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "gpu/vulkan/memory.h"
#include "gpu/vulkan/pipeline.h"
#include "gpu/vulkan/stream.h"

namespace halo::gpu::vulkan {

struct Gpu {
  std::shared_ptr<Device> device;
  std::unique_ptr<DeviceMemory> memory;
  std::unique_ptr<PipelineCache> pipelines;
  std::unique_ptr<Stream> stream;
};

template <typename T>
T must(diag::Result<T> result) {
  if (!result) FAIL(result.error().message);
  return std::move(*result);
}

// One for all cases: opening a device takes longer than they do. Null: there is none.
inline Gpu* context() {
  static std::unique_ptr<Gpu> made = []() -> std::unique_ptr<Gpu> {
    auto physical = choose("");
    if (!physical) return nullptr;
    auto gpu = std::make_unique<Gpu>();
    gpu->device = must(Device::open(*physical));
    gpu->memory = std::make_unique<DeviceMemory>(gpu->device);
    gpu->pipelines = std::make_unique<PipelineCache>(gpu->device, false);
    gpu->stream = must(Stream::make(gpu->device, *gpu->memory, gpu->pipelines->layout()));
    gpu->memory->setStream(gpu->stream.get());
    return gpu;
  }();
  if (made == nullptr) MESSAGE("skipped: no Vulkan device");
  return made.get();
}

inline const std::string kHeader =
    "#version 460\n"
    "#extension GL_EXT_buffer_reference2 : require\n"
    "#extension GL_EXT_scalar_block_layout : require\n"
    "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
    "layout(local_size_x = 64) in;\n"
    "layout(buffer_reference, scalar, buffer_reference_align = 4) buffer U32 { uint at[]; };\n";

// to[i] = from[i] * factor + i
inline const std::string kScale =
    kHeader +
    "layout(push_constant, scalar) uniform Arguments { U32 from; U32 to; "
    "uint n; uint factor; } arg;\n"
    "void main() {\n"
    "  uint i = gl_GlobalInvocationID.x;\n"
    "  if (i < arg.n) arg.to.at[i] = arg.from.at[i] * arg.factor + i;\n"
    "}\n";
struct ScaleArguments {
  uint64_t from, to;
  uint32_t n, factor;
};

template <typename T>
std::span<const std::byte> bytesOf(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

inline value::BufferRef upload(Gpu& gpu, const std::vector<uint32_t>& values) {
  value::BufferRef buffer = must(gpu.memory->allocate(values.size() * 4));
  must(gpu.stream->write(buffer->deviceAddress(), values.data(), values.size() * 4));
  return buffer;
}

inline std::vector<uint32_t> download(Gpu& gpu, const value::BufferRef& buffer) {
  std::vector<uint32_t> values(buffer->bytes() / 4);
  must(gpu.memory->read(*buffer, 0, values.data(), buffer->bytes()));
  return values;
}

inline void scale(Gpu& gpu, const value::BufferRef& from, const value::BufferRef& to,
                  uint32_t factor) {
  Pipeline pipeline = must(gpu.pipelines->get(kScale, "scale"));
  auto n = static_cast<uint32_t>(to->bytes() / 4);
  ScaleArguments arguments{from->deviceAddress(), to->deviceAddress(), n, factor};
  Access accesses[] = {{from->deviceAddress(), from->bytes(), false},
                       {to->deviceAddress(), to->bytes(), true}};
  uint32_t groups[3] = {(n + 63) / 64, 1, 1};
  must(gpu.stream->launch(pipeline, groups, bytesOf(arguments), accesses));
}

inline std::vector<uint32_t> counting(size_t n) {
  std::vector<uint32_t> values(n);
  std::iota(values.begin(), values.end(), 1u);
  return values;
}

}  // namespace halo::gpu::vulkan
