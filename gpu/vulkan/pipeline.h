// GLSL to SPIR-V to pipelines, with caches in memory and on disk.
//
// shaderc runs at optimisation level zero: its optimiser drops the decoration that `precise` makes
// (GPU.md 1.9). One compiler object lives as long as the process: making one costs 60 ms.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/vulkan/device.h"

namespace halo::gpu::vulkan {

// Failure: compile_failure with the compiler's messages as a note.
diag::Result<std::vector<uint32_t>> compileGlsl(const std::string& source, const std::string& name,
                                                bool use_disk_cache);
// SPIR-V as text, for `dump`.
diag::Result<std::string> disassemble(const std::string& source, const std::string& name);

struct Pipeline {
  VkPipeline handle = VK_NULL_HANDLE;
};

// Push constants of every pipeline: this many bytes at most; more arguments go through a buffer.
inline constexpr uint32_t kPushBytes = 128;

class PipelineCache {
 public:
  explicit PipelineCache(std::shared_ptr<Device> device, bool use_disk_cache);
  ~PipelineCache();
  PipelineCache(const PipelineCache&) = delete;
  PipelineCache& operator=(const PipelineCache&) = delete;

  // The same source gives the same pipeline.
  diag::Result<Pipeline> get(const std::string& source, const std::string& name);
  VkPipelineLayout layout() const { return layout_; }
  // Writes the driver's cache to disk if there is something new in it. The destructor does so too.
  void save();

 private:
  void load();

  std::shared_ptr<Device> device_;
  bool use_disk_cache_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  bool has_news_ = false;
  std::map<std::string, Pipeline> pipelines_;  // by source
};

// Disk caches are untrusted input: a file is its magic text, a checksum of the rest, and the rest.
// Empty if the file is absent, damaged or of another version.
std::string readCacheFile(const std::string& path, const std::string& magic);
// Appears whole or not at all, also with two processes at work; failures are ignored.
void writeCacheFile(const std::string& path, const std::string& magic, const std::string& content);

}  // namespace halo::gpu::vulkan
