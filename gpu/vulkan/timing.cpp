// A pool of queries, two for each command.
#include "gpu/vulkan/timing.h"

#include <iterator>

namespace halo::gpu::vulkan {
namespace {

constexpr uint32_t kCommands = 1024;

}  // namespace

uint64_t elapsedTicks(const Device& device, uint64_t from, uint64_t to) {
  int unused = 64 - static_cast<int>(device.physical().timestamp_bits);
  return (to - from) << unused >> unused;
}

std::unique_ptr<CommandTimer> CommandTimer::make(std::shared_ptr<Device> device) {
  if (device->features().timestamp_ns <= 0) return nullptr;
  std::unique_ptr<CommandTimer> timer(new CommandTimer(device));
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = 2 * kCommands;
  VkResult made = device->api().CreateQueryPool(device->handle(), &info, nullptr, &timer->queries_);
  return made == VK_SUCCESS ? std::move(timer) : nullptr;
}

CommandTimer::~CommandTimer() {
  device_->api().DestroyQueryPool(device_->handle(), queries_, nullptr);
}

bool CommandTimer::isFull() const { return running_.size() == kCommands; }

void CommandTimer::begin(CommandList& commands, std::string name, uint64_t bytes) {
  auto query = static_cast<uint32_t>(running_.size() * 2);
  running_.push_back({std::move(name), bytes, 0, 0});
  commands.resetQueries(queries_, query, 2);
  commands.stamp(queries_, query, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
}

void CommandTimer::end(CommandList& commands) {
  auto query = static_cast<uint32_t>(running_.size() * 2 - 1);
  commands.stamp(queries_, query, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
}

void CommandTimer::fetch() {
  if (running_.empty()) return;
  std::vector<uint64_t> ticks(running_.size() * 2);
  VkResult result = device_->api().GetQueryPoolResults(
      device_->handle(), queries_, 0, static_cast<uint32_t>(ticks.size()), ticks.size() * 8,
      ticks.data(), 8, VK_QUERY_RESULT_64_BIT);
  if (result == VK_SUCCESS) {
    if (origin_ == 0) origin_ = ticks[0];
    double us_per_tick = device_->features().timestamp_ns * 1e-3;
    for (size_t i = 0; i < running_.size(); ++i) {
      uint64_t begin = elapsedTicks(*device_, origin_, ticks[2 * i]);
      uint64_t length = elapsedTicks(*device_, ticks[2 * i], ticks[2 * i + 1]);
      running_[i].begin_us = static_cast<double>(begin) * us_per_tick;
      running_[i].us = static_cast<double>(length) * us_per_tick;
    }
    std::move(running_.begin(), running_.end(), std::back_inserter(done_));
  }
  running_.clear();
}

std::vector<TimedCommand> CommandTimer::take() { return std::exchange(done_, {}); }

}  // namespace halo::gpu::vulkan
