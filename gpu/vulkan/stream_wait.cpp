// Submitting and waiting: the host's findings when the device is done, and its steps when it is
// told to stop waiting.
#include <algorithm>
#include <chrono>
#include <cstring>

#include "gpu/vulkan/stream.h"
#include "lang/base/check.h"

namespace halo::gpu::vulkan {
namespace {

using diag::Code;
using Done = diag::Result<std::monostate>;

constexpr auto kSpin = std::chrono::microseconds(100);  // before other threads go first
constexpr uint64_t kSliceNs = 20'000'000;               // between polls of the cancel flag
// After a cancellation only running kernels should take time. A kernel that goes on for longer
// is not waited for: the device is given up.
constexpr uint64_t kGraceNs = 10'000'000'000;

}  // namespace

Done Stream::finish() {
  // After a read there is often nothing more to wait for.
  const bool is_idle =
      !recording_ && waited_ == timeline_.submitted() && !starts_call_ && held_.isEmpty();
  if (is_idle && (host_sees_ || !host_reads_)) return std::monostate{};
  return wait();
}

diag::Result<uint32_t> Stream::takeStop() {
  if (auto done = wait(); !done) return diag::Failure(done.error());
  if (last_stop_ == 0) return 0;
  if (auto done = openBuffer(); !done) return diag::Failure(done.error());
  Access word{stopAddress(), sizeof last_stop_, true};
  barrierFor({&word, 1});
  list_.clear(failure_.buffer, 4, sizeof last_stop_);
  separate();
  return last_stop_;
}

// A command buffer that holds the list and that the device does not execute.
diag::Result<VkCommandBuffer> Stream::recordedBuffer() {
  uint64_t reached = std::max(timeline_.reached(), waited_);
  if (const uint64_t free = commands_->firstFree(); free > reached) {
    if (auto done = waitFor(free); !done) return diag::Failure(done.error());
    reached = free;
  }
  auto buffer = commands_->recorded(list_, timeline_.submitted() + 1, reached);
  if (!buffer) lost_ = lost_ || buffer.error().code == Code::device_lost;
  return buffer;
}

Done Stream::submit() {
  if (!recording_) return std::monostate{};
  auto buffer = recordedBuffer();
  list_.reset();
  recording_ = false;
  recorded_ = 0;
  if (!buffer) return diag::Failure(buffer.error());
  constexpr VkPipelineStageFlags kStages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  const VkResult result = timeline_.submit(device_->queue(), *buffer, behind_, kStages);
  if (result != VK_SUCCESS) {
    lost_ = lost_ || result == VK_ERROR_DEVICE_LOST;
    return vulkanFailure(result, "submitting work");
  }
  behind_ = {};
  ++submits_;
  ++counts_.submits;
  counts_.repeats = commands_->repeats();
  return std::monostate{};
}

diag::Result<uint64_t> Stream::flush(bool to_host) {
  if (auto done = recordHeld(); !done) return diag::Failure(done.error());
  if (to_host) {
    if (auto done = openBuffer(); !done) return diag::Failure(done.error());
    list_.barrier(CommandList::Barrier::kHost);
  }
  is_holding_ = false;
  if (auto done = submit(); !done) return diag::Failure(done.error());
  return timeline_.submitted();
}

Done Stream::comeBehind(VkSemaphore semaphore, uint64_t value, bool from_host) {
  if (auto done = submit(); !done) return done;
  behind_ = {semaphore, value};
  if (!from_host) return std::monostate{};
  if (auto done = openBuffer(); !done) return done;
  list_.barrier(CommandList::Barrier::kFromHost);
  return std::monostate{};
}

// The failure record and the end time come along with a wait. The host looks at the record itself
// where it can, else at a copy; not at all where no kernel can have written it. A barrier for the
// host costs 1.6 us: only if it reads something.
void Stream::recordEnd() {
  if (!is_clean_ && failure_.mapped == nullptr) {
    Access failure_access{failureAddress(), sizeof(FailureRecord), false};
    separate();  // kernels may have written it without saying so
    barrierFor({&failure_access, 1});
    list_.copy(failure_.buffer, download_.buffer, {0, 0, sizeof(FailureRecord)});
  }
  host_sees_ = !is_clean_ || host_reads_;
  if (host_sees_) list_.barrier(CommandList::Barrier::kHost);
  if (!has_begun_) return;  // a later wait moves the end
  list_.resetQueries(queries_, 1, 1);
  list_.stamp(queries_, 1, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
}

// Reading memory of the device over the bus takes 1 us for a word: the rest only if it matters.
void Stream::fetchRecord() {
  last_stop_ = 0;
  last_failure_ = {};
  if (is_clean_) return;
  const std::byte* record = failure_.mapped != nullptr ? failure_.mapped : download_.mapped;
  uint64_t first = 0;
  std::memcpy(&first, record, sizeof first);
  last_stop_ = static_cast<uint32_t>(first >> 32);
  if (static_cast<uint32_t>(first) != 0) {
    std::memcpy(last_failure_.data(), record, sizeof(FailureRecord));
  }
  last_failure_[0] = static_cast<uint32_t>(first);
  is_clean_ = first == 0;
}

Done Stream::wait() {
  if (auto done = recordHeld(); !done) return done;
  if (auto done = openBuffer(); !done) return done;
  recordEnd();
  if (auto done = submit(); !done) return done;
  if (auto done = waitFor(timeline_.submitted()); !done) return done;
  ++counts_.waits;
  waited_ = timeline_.submitted();
  pending_.clear();
  used_.clear();
  separates_ = false;
  host_reads_ = false;
  submits_ = 0;
  upload_used_ = 0;
  arguments_used_ = 0;
  if (!download_.is_coherent) {
    VkMappedMemoryRange range{VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE};
    range.memory = download_.memory;
    range.size = VK_WHOLE_SIZE;
    device_->api().InvalidateMappedMemoryRanges(device_->handle(), 1, &range);
  }
  fetchRecord();
  fetchTimes();
  if (timer_ != nullptr) timer_->fetch();
  return std::monostate{};
}

// Kernels that are queued but have not started see the word that a cancellation sets; those that
// run must end by themselves.
Done Stream::waitFor(uint64_t value) {
  auto isCancelled = [&] { return cancel_ != nullptr && cancel_->isSet(); };
  uint64_t cancelled_ns = 0;
  const Settle settle = settle_;  // which may take itself away
  if (auto done = settle ? settle() : Done(std::monostate{}); !done) return done;
  if (timeline_.isReachedSoon(value, kSpin) && !isCancelled()) return std::monostate{};
  VkResult result = timeline_.wait(value, kSliceNs);
  while (result == VK_TIMEOUT) {
    if (isCancelled()) {
      uint32_t word = kCancelled;
      if (failure_.mapped != nullptr) std::memcpy(failure_.mapped, &word, sizeof word);
      is_clean_ = false;
      cancelled_ns += kSliceNs;
      if (cancelled_ns > kGraceNs) {
        lost_ = true;
        return diag::fail(Code::device_lost, {}, "the device did not stop and was given up",
                          {"a kernel was still running 10 s after the call was cancelled"});
      }
    }
    result = timeline_.wait(value, kSliceNs);
  }
  if (result != VK_SUCCESS) {
    // Kernels may still run, in memory that the call is about to free.
    const bool has_ended = device_->api().DeviceWaitIdle(device_->handle()) == VK_SUCCESS;
    lost_ = lost_ || result == VK_ERROR_DEVICE_LOST || !has_ended;
    return vulkanFailure(result, "waiting for the device");
  }
  if (isCancelled()) return diag::fail(Code::interrupted, {}, "interrupted");
  return std::monostate{};
}

void Stream::fetchTimes() {
  if (!has_begun_) return;
  uint64_t ticks[2] = {};
  VkResult result =
      device_->api().GetQueryPoolResults(device_->handle(), queries_, 0, 2, sizeof ticks, ticks,
                                         sizeof ticks[0], VK_QUERY_RESULT_64_BIT);
  if (result != VK_SUCCESS) return;
  uint64_t elapsed = elapsedTicks(*device_, ticks[0], ticks[1]);
  device_ms_ = static_cast<double>(elapsed) * device_->features().timestamp_ns * 1e-6;
}

}  // namespace halo::gpu::vulkan
