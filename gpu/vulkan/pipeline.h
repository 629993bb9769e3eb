// GLSL to SPIR-V to pipelines, with caches in memory and on disk.
//
// shaderc runs at optimisation level zero: its optimiser drops the decoration that `precise` makes
// (gpu.md#rules). One compiler object lives as long as the process: making one costs 60 ms.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gpu/vulkan/device.h"

namespace halo::gpu::vulkan {

// Failure: compile_failure with the compiler's messages as a note.
diag::Result<std::vector<uint32_t>> compileGlsl(const std::string& source, const std::string& name,
                                                bool use_disk_cache);
// SPIR-V as text, for `dump`.
diag::Result<std::string> disassemble(const std::string& source, const std::string& name);

// Destroyed with its last user: the cache, a program, a stream that has work to do.
struct Pipeline {
  VkPipeline handle = VK_NULL_HANDLE;
  std::shared_ptr<void> owner;
  uint64_t id = 0;       // of no other pipeline of the process, also of those that are gone
  bool may_fail = true;  // its kernel may write the failure record
};

// Behind a source: the driver is not to optimise it. Optimisers fail where nothing else does.
inline constexpr char kUnoptimised[] = "// not optimised\n";

// Bytes of push constants of every pipeline: all devices have the former, kernels use the latter at
// most. More arguments go through a buffer.
inline constexpr uint32_t kPushBytes = 128, kMaxPushBytes = 256;
inline uint32_t pushBytes(const Features& features) {
  return std::clamp(features.push_bytes, kPushBytes, kMaxPushBytes);
}

// Without a user now; with a software device each takes up 0.8 MB of host memory.
inline constexpr size_t kMaxIdlePipelines = 64;

class PipelineCache {
 public:
  // With threads, sources named by prepare() are compiled in the background.
  explicit PipelineCache(std::shared_ptr<Device> device, bool use_disk_cache, size_t threads = 0);
  ~PipelineCache();
  PipelineCache(const PipelineCache&) = delete;
  PipelineCache& operator=(const PipelineCache&) = delete;

  bool hasThreads() const { return threads_ > 0; }
  // Ends the background work.
  void stop();
  // Starts to compile a kernel that a call will probably launch.
  void prepare(const std::string& source, const std::string& name);
  // The same source gives the same pipeline while that is in use or among the last idle ones.
  // Failure: compile_failure, also where the driver's own compiler gives up: another kernel may do.
  diag::Result<Pipeline> get(const std::string& source, const std::string& name);
  VkPipelineLayout layout() const { return layout_; }
  size_t size();

 private:
  struct Entry {
    std::string name;
    bool started = false;
    int waiting = 0;        // calls of get() that hold a reference
    uint64_t last_use = 0;  // by uses_
    std::optional<diag::Result<Pipeline>> made;
  };
  using Entries = std::map<std::string, Entry>;  // by source

  void work();
  void make(std::unique_lock<std::mutex>& lock, Entries::value_type& entry);
  diag::Result<std::vector<uint32_t>> spirvOf(const std::string& source,
                                              const std::string& name) const;
  diag::Result<Pipeline> compile(const std::string& source, const std::string& name);
  void setName(VkPipeline pipeline, const std::string& name);
  Pipeline owned(VkPipeline pipeline) const;
  void forgetIdle();

  std::shared_ptr<Device> device_;
  bool use_disk_cache_;
  size_t threads_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkResult layout_made_ = VK_SUCCESS;
  std::mutex mutex_;  // of the members below
  std::condition_variable changed_;
  bool ends_ = false;
  Entries entries_;
  uint64_t uses_ = 0;
  std::deque<Entries::value_type*> wanted_;
  std::vector<std::thread> workers_;
};

// Disk caches are untrusted input: a file is its magic text, a checksum of the rest, and the rest.
// Empty if the file is absent, damaged or of another version.
std::string readCacheFile(const std::string& path, const std::string& magic);
// Appears whole or not at all, also with two processes at work; failures are ignored.
void writeCacheFile(const std::string& path, const std::string& magic, const std::string& content);

}  // namespace halo::gpu::vulkan
