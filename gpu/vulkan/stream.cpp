// Recording, hazards, submitting and waiting.
#include "gpu/vulkan/stream.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>

#include "lang/base/check.h"
#include "lang/base/phase.h"

namespace halo::gpu::vulkan {
namespace {

using diag::Code;
using Done = diag::Result<std::monostate>;

constexpr size_t kCommandBuffers = 4;
// The device starts while the host still records, on the first few commands already. Submissions of
// 1024 commands made loops of small kernels 1.4 times slower: the device was done before the next.
constexpr int kFirstSubmit = 16;
constexpr int kCommandsPerSubmit = 128;
constexpr size_t kMaxPending = 256;  // accesses to compare with; beyond, a barrier is cheaper
// Staging buffers begin small, as pinning memory takes 0.3 ms for each MiB.
constexpr uint64_t kFirstStagingBytes = 256ull << 10;
constexpr uint64_t kMostStagingBytes = 32ull << 20;
constexpr uint64_t kArgumentBytes = 1ull << 20;
// Most small calls are over before the driver would have put the thread to sleep and woken it.
constexpr auto kSpin = std::chrono::microseconds(100);
constexpr uint64_t kSliceNs = 20'000'000;  // how often a wait looks at the cancel flag
// After a cancellation only what runs already should take time. A kernel that goes on for longer
// is not waited for: the device is given up.
constexpr uint64_t kGraceNs = 10'000'000'000;

bool overlaps(const Access& a, const Access& b) {
  return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

}  // namespace

diag::Result<std::unique_ptr<Stream>> Stream::make(std::shared_ptr<Device> device,
                                                   DeviceMemory& memory, VkPipelineLayout layout) {
  std::unique_ptr<Stream> stream(new Stream(std::move(device), memory, layout));
  if (auto done = stream->setUp(); !done) return diag::Failure(done.error());
  return stream;
}

Done Stream::setUp() {
  const base::Phase phase("set up stream");
  const DeviceApi& api = device_->api();
  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = device_->physical().queue_family;
  VkResult result = api.CreateCommandPool(device_->handle(), &pool, nullptr, &pool_);
  if (result != VK_SUCCESS) return vulkanFailure(result, "creating a command pool");
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool_;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = kCommandBuffers;
  buffers_.resize(kCommandBuffers);
  buffer_done_.assign(kCommandBuffers, 0);
  result = api.AllocateCommandBuffers(device_->handle(), &allocate, buffers_.data());
  if (result != VK_SUCCESS) return vulkanFailure(result, "allocating command buffers");
  VkSemaphoreTypeCreateInfo timeline{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  timeline.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  semaphore.pNext = &timeline;
  result = api.CreateSemaphore(device_->handle(), &semaphore, nullptr, &semaphore_);
  if (result != VK_SUCCESS) return vulkanFailure(result, "creating a semaphore");
  if (device_->features().timestamp_ns > 0) {
    VkQueryPoolCreateInfo queries{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
    queries.queryCount = 2;
    api.CreateQueryPool(device_->handle(), &queries, nullptr, &queries_);
  }
  auto upload = makeStaging(*device_, kFirstStagingBytes, false);
  if (!upload) return diag::Failure(upload.error());
  upload_ = *upload;
  auto download = makeStaging(*device_, kFirstStagingBytes, true);
  if (!download) return diag::Failure(download.error());
  download_ = *download;
  auto arguments = makeStaging(*device_, kArgumentBytes, false);
  if (!arguments) return diag::Failure(arguments.error());
  arguments_ = *arguments;
  auto failure = makeShared(*device_, sizeof(FailureRecord));
  if (!failure) return diag::Failure(failure.error());
  failure_ = *failure;
  return std::monostate{};
}

Stream::~Stream() {
  const DeviceApi& api = device_->api();
  if (!lost_) api.DeviceWaitIdle(device_->handle());
  timer_.reset();
  for (Staging* staging : {&upload_, &download_, &arguments_, &failure_}) {
    destroyStaging(*device_, *staging);
  }
  if (queries_ != VK_NULL_HANDLE) api.DestroyQueryPool(device_->handle(), queries_, nullptr);
  if (semaphore_ != VK_NULL_HANDLE) api.DestroySemaphore(device_->handle(), semaphore_, nullptr);
  if (pool_ != VK_NULL_HANDLE) api.DestroyCommandPool(device_->handle(), pool_, nullptr);
}

void Stream::begin(const base::CancelFlag* cancel) {
  cancel_ = cancel;
  starts_call_ = true;
  last_failure_ = {};
  device_ms_ = 0;
}

void Stream::setProfiling(bool on) {
  if (on && timer_ == nullptr) timer_ = CommandTimer::make(device_);
  if (!on) timer_.reset();
}

std::vector<TimedCommand> Stream::takeTimes() {
  return timer_ == nullptr ? std::vector<TimedCommand>{} : timer_->take();
}

// Before each command: there is a buffer that records.
Done Stream::record() {
  if (timer_ != nullptr && timer_->isFull()) {
    if (auto done = wait(); !done) return done;
  }
  return openBuffer();
}

Done Stream::openBuffer() {
  if (recording_ && recorded_ >= (submits_ == 0 ? kFirstSubmit : kCommandsPerSubmit)) {
    if (auto done = submit(); !done) return done;
  }
  if (!recording_) {
    if (auto done = startRecording(); !done) return done;
  }
  if (starts_call_) startCall();
  recorded_++;
  return std::monostate{};
}

Done Stream::startRecording() {
  if (lost_) return diag::fail(Code::device_lost, {}, "the Vulkan device was lost");
  const DeviceApi& api = device_->api();
  current_ = (current_ + 1) % buffers_.size();
  // The buffer may still run: wait for that submission only.
  if (auto done = waitFor(buffer_done_[current_]); !done) return done;
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  VkResult result = api.BeginCommandBuffer(buffers_[current_], &begin);
  if (result != VK_SUCCESS) {
    lost_ = result == VK_ERROR_DEVICE_LOST;
    return vulkanFailure(result, "recording commands");
  }
  recording_ = true;
  recorded_ = 0;
  return std::monostate{};
}

void Stream::startCall() {
  const DeviceApi& api = device_->api();
  VkCommandBuffer commands = buffers_[current_];
  starts_call_ = false;
  if (queries_ != VK_NULL_HANDLE) {
    api.CmdResetQueryPool(commands, queries_, 0, 2);
    // Bottom of pipe: when what was recorded before, an upload say, is done.
    api.CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, 0);
    has_begun_ = true;
  }
  if (is_clean_) return;
  // Launches do not list the failure word: barriers before (kernels of the last call may have
  // written it) and at once after.
  Access word{failureAddress(), sizeof(FailureRecord), true};
  pending_.push_back(word);
  barrierFor({&word, 1});
  api.CmdFillBuffer(commands, failure_.buffer, 0, sizeof(FailureRecord), 0);
  word.writes = false;
  barrierFor({&word, 1});
}

void Stream::barrierFor(std::span<const Access> accesses) {
  bool hazard = separates_ || pending_.size() > kMaxPending;
  separates_ = false;
  for (const Access& access : accesses) {
    for (const Access& earlier : pending_) {
      hazard |= (access.writes || earlier.writes) && overlaps(access, earlier);
    }
  }
  if (hazard) {
    VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                            VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    VkPipelineStageFlags stages =
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    device_->api().CmdPipelineBarrier(buffers_[current_], stages, stages, 0, 1, &barrier, 0,
                                      nullptr, 0, nullptr);
    counts_.barriers++;
    pending_.clear();
  }
  pending_.insert(pending_.end(), accesses.begin(), accesses.end());
}

Done Stream::launch(Pipeline pipeline, const uint32_t groups[3],
                    std::span<const std::byte> arguments, std::span<const Access> accesses,
                    const char* name) {
  std::array<std::byte, 8> pointer{};
  if (arguments.size() > kPushBytes) {
    uint64_t needed = (arguments.size() + 63) / 64 * 64;
    HALO_CHECK(needed <= arguments_.bytes, "too many kernel arguments");
    if (arguments_used_ + needed > arguments_.bytes) {
      if (auto done = wait(); !done) return done;  // also empties the argument buffer
    }
    std::memcpy(arguments_.mapped + arguments_used_, arguments.data(), arguments.size());
    uint64_t address = arguments_.address + arguments_used_;
    arguments_used_ += needed;
    std::memcpy(pointer.data(), &address, 8);
    arguments = pointer;
  }
  if (auto done = record(); !done) return done;
  barrierFor(accesses);
  const DeviceApi& api = device_->api();
  VkCommandBuffer commands = buffers_[current_];
  api.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle);
  if (!arguments.empty()) {
    api.CmdPushConstants(commands, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                         static_cast<uint32_t>(arguments.size()), arguments.data());
  }
  if (timer_ != nullptr) timer_->begin(commands, name, 0);
  api.CmdDispatch(commands, groups[0], groups[1], groups[2]);
  is_clean_ = false;
  if (timer_ != nullptr) timer_->end(commands);
  counts_.launches++;
  return std::monostate{};
}

Done Stream::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  if (bytes == 0) return std::monostate{};
  if (auto done = record(); !done) return done;
  Access accesses[2] = {{from, bytes, false}, {to, bytes, true}};
  barrierFor(accesses);
  Region source = memory_.find(from);
  Region target = memory_.find(to);
  HALO_CHECK(source.buffer != VK_NULL_HANDLE && target.buffer != VK_NULL_HANDLE,
             "copy between unknown regions");
  copyBuffer(source.buffer, target.buffer, {source.offset, target.offset, bytes}, "copy");
  counts_.copies++;
  return std::monostate{};
}

void Stream::copyBuffer(VkBuffer from, VkBuffer to, const VkBufferCopy& region, const char* name) {
  VkCommandBuffer commands = buffers_[current_];
  if (timer_ != nullptr) timer_->begin(commands, name, region.size);
  device_->api().CmdCopyBuffer(commands, from, to, 1, &region);
  if (timer_ != nullptr) timer_->end(commands);
}

// One that holds `bytes` at once, if that is not too much.
Done Stream::enlarge(Staging& staging, uint64_t bytes, bool for_reading) {
  uint64_t wanted = std::min(std::bit_ceil(std::max<uint64_t>(bytes, 1)), kMostStagingBytes);
  if (wanted <= staging.bytes) return std::monostate{};
  if (auto done = wait(); !done) return done;  // what is recorded uses the old one
  auto larger = makeStaging(*device_, wanted, for_reading);
  if (!larger) return diag::Failure(larger.error());
  destroyStaging(*device_, staging);
  staging = *larger;
  return std::monostate{};
}

Done Stream::write(uint64_t to, const void* from, uint64_t bytes) {
  auto source = static_cast<const std::byte*>(from);
  if (auto done = enlarge(upload_, bytes, false); !done) return done;
  for (uint64_t done_bytes = 0; done_bytes < bytes;) {
    if (upload_used_ == upload_.bytes) {
      if (auto done = wait(); !done) return done;  // also empties the staging buffer
    }
    uint64_t part = std::min(bytes - done_bytes, upload_.bytes - upload_used_);
    std::memcpy(upload_.mapped + upload_used_, source + done_bytes, part);
    if (auto done = record(); !done) return done;
    Access access{to + done_bytes, part, true};
    barrierFor({&access, 1});
    Region target = memory_.find(to + done_bytes);
    HALO_CHECK(target.buffer != VK_NULL_HANDLE, "write to an unknown region");
    copyBuffer(upload_.buffer, target.buffer, {upload_used_, target.offset, part}, "upload");
    counts_.bytes_up += part;
    upload_used_ = std::min((upload_used_ + part + 63) / 64 * 64, upload_.bytes);
    done_bytes += part;
  }
  return std::monostate{};
}

Done Stream::read(uint64_t from, void* to, uint64_t bytes) {
  auto target = static_cast<std::byte*>(to);
  if (auto done = enlarge(download_, bytes + sizeof(FailureRecord), true); !done) return done;
  for (uint64_t done_bytes = 0; done_bytes < bytes;) {
    uint64_t part = std::min(bytes - done_bytes, download_.bytes - sizeof(FailureRecord));
    if (auto done = record(); !done) return done;
    Access access{from + done_bytes, part, false};
    barrierFor({&access, 1});
    Region source = memory_.find(from + done_bytes);
    HALO_CHECK(source.buffer != VK_NULL_HANDLE, "read from an unknown region");
    copyBuffer(source.buffer, download_.buffer, {source.offset, sizeof(FailureRecord), part},
               "download");
    counts_.bytes_down += part;
    if (auto done = wait(); !done) return done;
    std::memcpy(target + done_bytes, download_.mapped + sizeof(FailureRecord), part);
    done_bytes += part;
  }
  return std::monostate{};
}

Done Stream::readAll(std::span<const Fetch> pieces) {
  uint64_t at = sizeof(FailureRecord);
  for (const Fetch& piece : pieces) {
    HALO_CHECK(at + piece.bytes <= download_.bytes, "too much to read at once");
    if (auto done = record(); !done) return done;
    Access access{piece.from, piece.bytes, false};
    barrierFor({&access, 1});
    Region source = memory_.find(piece.from);
    HALO_CHECK(source.buffer != VK_NULL_HANDLE, "read from an unknown region");
    copyBuffer(source.buffer, download_.buffer, {source.offset, at, piece.bytes}, "download");
    counts_.bytes_down += piece.bytes;
    at += piece.bytes;
  }
  if (auto done = wait(); !done) return done;
  at = sizeof(FailureRecord);
  for (const Fetch& piece : pieces) {
    std::memcpy(piece.to, download_.mapped + at, piece.bytes);
    at += piece.bytes;
  }
  return std::monostate{};
}

Done Stream::finish() {
  // After a read there is often nothing more to wait for.
  if (!recording_ && waited_ == submitted_ && !starts_call_) return std::monostate{};
  return wait();
}

diag::Result<uint32_t> Stream::takeStop() {
  if (auto done = wait(); !done) return diag::Failure(done.error());
  if (last_stop_ == 0) return 0;
  if (auto done = openBuffer(); !done) return diag::Failure(done.error());
  Access word{stopAddress(), sizeof last_stop_, true};
  barrierFor({&word, 1});
  device_->api().CmdFillBuffer(buffers_[current_], failure_.buffer, 4, sizeof last_stop_, 0);
  separate();
  return last_stop_;
}

Done Stream::submit() {
  if (!recording_) return std::monostate{};
  const DeviceApi& api = device_->api();
  recording_ = false;
  VkResult result = api.EndCommandBuffer(buffers_[current_]);
  uint64_t value = submitted_ + 1;
  VkTimelineSemaphoreSubmitInfo timeline{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  timeline.signalSemaphoreValueCount = 1;
  timeline.pSignalSemaphoreValues = &value;
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.pNext = &timeline;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &buffers_[current_];
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore_;
  if (result == VK_SUCCESS) result = api.QueueSubmit(device_->queue(), 1, &info, VK_NULL_HANDLE);
  if (result != VK_SUCCESS) {
    lost_ = lost_ || result == VK_ERROR_DEVICE_LOST;
    return vulkanFailure(result, "submitting work");
  }
  submits_++;
  counts_.submits++;
  submitted_ = value;
  buffer_done_[current_] = value;
  return std::monostate{};
}

// The failure record and the end time come along with every wait. The host looks at the record
// itself where it can, else at a copy.
void Stream::recordEnd() {
  const DeviceApi& api = device_->api();
  VkCommandBuffer commands = buffers_[current_];
  VkPipelineStageFlags stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
  if (failure_.mapped == nullptr) {
    Access failure_access{failureAddress(), sizeof(FailureRecord), false};
    separate();  // kernels may have written it without saying so
    barrierFor({&failure_access, 1});
    VkBufferCopy copy{0, 0, sizeof(FailureRecord)};
    api.CmdCopyBuffer(commands, failure_.buffer, download_.buffer, 1, &copy);
  } else {
    stages |= VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  }
  VkMemoryBarrier to_host{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  to_host.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  if (failure_.mapped == nullptr) to_host.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  to_host.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  api.CmdPipelineBarrier(commands, stages, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, nullptr,
                         0, nullptr);
  if (!has_begun_) return;  // a later wait moves the end
  api.CmdResetQueryPool(commands, queries_, 1, 1);
  api.CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, 1);
}

// Reading memory of the device over the bus takes 1 us for a word: the rest only if it matters.
void Stream::fetchRecord() {
  const std::byte* record = failure_.mapped != nullptr ? failure_.mapped : download_.mapped;
  uint64_t first = 0;
  std::memcpy(&first, record, sizeof first);
  last_stop_ = static_cast<uint32_t>(first >> 32);
  last_failure_ = {};
  if (static_cast<uint32_t>(first) != 0) {
    std::memcpy(last_failure_.data(), record, sizeof(FailureRecord));
  }
  last_failure_[0] = static_cast<uint32_t>(first);
  is_clean_ = first == 0;
}

Done Stream::wait() {
  if (auto done = openBuffer(); !done) return done;
  recordEnd();
  if (auto done = submit(); !done) return done;
  if (auto done = waitFor(submitted_); !done) return done;
  counts_.waits++;
  waited_ = submitted_;
  pending_.clear();
  separates_ = false;
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

// A software device works on the processors that would spin.
bool Stream::isDoneSoon(uint64_t value) const {
  auto end = std::chrono::steady_clock::now() + kSpin;
  uint64_t reached = 0;
  do {
    VkResult result =
        device_->api().GetSemaphoreCounterValue(device_->handle(), semaphore_, &reached);
    if (result != VK_SUCCESS) return false;
    if (reached >= value) return true;
  } while (device_->features().is_hardware && std::chrono::steady_clock::now() < end);
  return false;
}

// Kernels that are queued but have not started see the word that a cancellation sets; those that
// run must end by themselves.
Done Stream::waitFor(uint64_t value) {
  VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &semaphore_;
  info.pValues = &value;
  auto isCancelled = [&] { return cancel_ != nullptr && cancel_->isSet(); };
  uint64_t cancelled_ns = 0;
  if (isDoneSoon(value) && !isCancelled()) return std::monostate{};
  VkResult result = device_->api().WaitSemaphores(device_->handle(), &info, kSliceNs);
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
    result = device_->api().WaitSemaphores(device_->handle(), &info, kSliceNs);
  }
  if (result != VK_SUCCESS) {
    lost_ = lost_ || result == VK_ERROR_DEVICE_LOST;
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
