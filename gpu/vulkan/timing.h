// Timestamps around single commands, for `--profile`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/vulkan/command_list.h"

namespace halo::gpu::vulkan {

struct TimedCommand {
  std::string name;  // of the kernel, or `copy`, `upload`, `download`
  uint64_t bytes = 0;
  double begin_us = 0;  // since the first command that was ever timed
  double us = 0;
};

class CommandTimer {
 public:
  // Null without timestamps.
  static std::unique_ptr<CommandTimer> make(std::shared_ptr<Device> device);
  ~CommandTimer();
  CommandTimer(const CommandTimer&) = delete;
  CommandTimer& operator=(const CommandTimer&) = delete;

  void begin(CommandList& commands, std::string name, uint64_t bytes);
  void end(CommandList& commands);
  // Wait and fetch before the next command.
  bool isFull() const;
  // After a wait: everything has run.
  void fetch();
  std::vector<TimedCommand> take();

 private:
  explicit CommandTimer(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  std::shared_ptr<Device> device_;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  std::vector<TimedCommand> running_, done_;
  uint64_t origin_ = 0;  // ticks
};

// Ticks from one timestamp to a later one: counters may have fewer than 64 bits and wrap.
uint64_t elapsedTicks(const Device& device, uint64_t from, uint64_t to);

}  // namespace halo::gpu::vulkan
