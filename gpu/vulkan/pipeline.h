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

 private:
  void load();
  void save() const;

  std::shared_ptr<Device> device_;
  bool use_disk_cache_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  std::map<std::string, Pipeline> pipelines_;  // by source
};

// A folder of our own below $XDG_CACHE_HOME (or ~/.cache), made with mode 0700; empty if that
// fails or it belongs to somebody else.
std::string cacheFolder(const std::string& name);

}  // namespace halo::gpu::vulkan
