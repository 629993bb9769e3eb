// The one ordered stream of work of a device: launches and copies are recorded, and submitted at a
// wait or when enough has gathered. Barriers are put only where regions of memory overlap
// with earlier unfinished work and one of the two writes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "gpu/vulkan/command_buffers.h"
#include "gpu/vulkan/held_commands.h"
#include "gpu/vulkan/memory.h"
#include "gpu/vulkan/timeline.h"
#include "gpu/vulkan/timing.h"
#include "lang/base/cancel.h"

namespace halo::gpu::vulkan {

// The failure word of the call (reliability.md#failures): [0] 0, or 1 + the site; then operands.
inline constexpr int kFailureWords = 16;
using FailureRecord = std::array<int64_t, kFailureWords>;
// In [0]: the host has cancelled the call, so that queued kernels return at once.
inline constexpr uint32_t kCancelled = 0xfffffffe;

// The work of a stream so far.
struct StreamCounts {
  uint64_t launches = 0, copies = 0, barriers = 0, submits = 0, waits = 0;
  uint64_t bytes_up = 0, bytes_down = 0;
  uint64_t bytes_staged = 0;  // of those up, through the staging buffer
  uint64_t downloads = 0;     // commands that fetch something
  uint64_t repeats = 0;       // submissions of commands recorded before
};

class Stream {
 public:
  static diag::Result<std::unique_ptr<Stream>> make(std::shared_ptr<Device> device,
                                                    DeviceMemory& memory, VkPipelineLayout layout);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Starts a call, after all that is recorded already: clears the failure word, starts the clock if
  // the call is `timed`. `cancel` is polled while waiting, until end().
  void begin(const base::CancelFlag* cancel, bool timed = false);
  void end() { cancel_ = nullptr; }

  // `arguments` are the bytes of the kernel's argument block: pushed if they fit, else
  // put into a buffer whose address is pushed. Groups must be within the device's limits.
  // `name` is for profiles.
  diag::Result<std::monostate> launch(const Pipeline& pipeline, const uint32_t groups[3],
                                      std::span<const std::byte> arguments,
                                      std::span<const Access> accesses, const char* name = "");
  diag::Result<std::monostate> copy(uint64_t to, uint64_t from, uint64_t bytes);
  diag::Result<std::monostate> write(uint64_t to, const void* from, uint64_t bytes);
  // Submits, waits, fetches. Scalars that the host sees are fetched without a command.
  diag::Result<std::monostate> read(uint64_t from, void* to, uint64_t bytes);
  // The same for several small pieces at once.
  struct Fetch {
    uint64_t from;
    void* to;
    uint64_t bytes;
  };
  diag::Result<std::monostate> readAll(std::span<const Fetch> pieces);
  // The next command runs after all commands before it have ended, also if they share no memory.
  void separate() { separates_ = true; }
  // Behind its next wait the host reads mapped memory without a command.
  void expectRead() { host_reads_ = true; }
  // No command so far can have failed, or set the exit flag.
  bool isClean() const { return is_clean_; }
  // The last launch may have set the exit flag.
  void expectStop() { is_clean_ = false; }
  // Before a buffer is destroyed: command lists that are not executing may mention it.
  void forgetLists() { commands_->forgetLists(); }
  // Submits the recorded commands; returns the value that semaphore() has when they are done.
  // `to_host`: the host sees the stores of all commands so far then.
  diag::Result<uint64_t> flush(bool to_host = false);
  // Until semaphore() has that value.
  diag::Result<std::monostate> waitFor(uint64_t value);
  // Submitted commands may wait for the host, which calls `settle` before it waits for them.
  // Null: they do not.
  using Settle = std::function<diag::Result<std::monostate>()>;
  void beforeWaits(Settle settle) { settle_ = std::move(settle); }
  VkSemaphore semaphore() const { return timeline_.semaphore(); }
  // Commands from now on come behind that value of another queue's semaphore. `from_host`: they
  // see the contents that pages of the host have then.
  diag::Result<std::monostate> comeBehind(VkSemaphore semaphore, uint64_t value,
                                          bool from_host = false);
  // Rows of device memory that other ranks send. Before the first command that touches one of them
  // `arrive` is called, once: it writes them, or names the submission to wait for. None: no rows
  // are expected. Launches and copies are held until the next flush or wait. The first of them
  // run while the rows arrive; the others overlap those that need the rows.
  void expect(std::vector<Access> rows, std::function<diag::Result<std::monostate>()> arrive);
  // Between device memory and pages of the host, in order with all other commands.
  diag::Result<std::monostate> copyOut(VkBuffer pages, uint64_t at, uint64_t from, uint64_t bytes);
  diag::Result<std::monostate> copyIn(VkBuffer pages, uint64_t at, uint64_t to, uint64_t bytes);
  // Submits and waits for everything.
  diag::Result<std::monostate> finish();

  uint64_t failureAddress() const { return failure_.address; }
  // Of the exit flag (imp::ExitFlag), the second half of the failure word's first 8 bytes.
  uint64_t stopAddress() const { return failure_.address + 4; }
  // Submits and waits; the word becomes 0.
  diag::Result<uint32_t> takeStop();
  // As of the last wait; [0] == 0 if nothing has failed.
  const FailureRecord& failure() const { return last_failure_; }
  // Device time from begin() to the last wait, by timestamps; 0 if the device has none, or the call
  // is not timed.
  double deviceMilliseconds() const { return device_ms_; }
  const StreamCounts& counts() const { return counts_; }
  // From now on every command is timed, or no longer.
  void setProfiling(bool on);
  std::vector<TimedCommand> takeTimes();
  // The device was lost or given up: later commands fail.
  bool isLost() const { return lost_; }

 private:
  Stream(std::shared_ptr<Device> device, DeviceMemory& memory, VkPipelineLayout layout)
      : device_(std::move(device)), memory_(memory), layout_(layout), timeline_(device_) {}

  diag::Result<std::monostate> setUp();
  diag::Result<std::monostate> record();
  diag::Result<std::monostate> openBuffer();
  diag::Result<std::monostate> arrived(std::span<const Access> accesses);
  bool holds() const { return is_holding_ && !separates_ && timer_ == nullptr; }
  diag::Result<std::monostate> hold(HeldCommand command);
  diag::Result<std::monostate> recordHeld();
  diag::Result<std::monostate> recordAll(const std::vector<HeldCommand>& commands);
  diag::Result<std::monostate> recordLaunch(const Pipeline& pipeline, const uint32_t groups[3],
                                            std::span<const std::byte> pushed,
                                            std::span<const Access> accesses, const char* name);
  diag::Result<std::monostate> recordCopy(VkBuffer from, VkBuffer to, const VkBufferCopy& region,
                                          std::span<const Access> accesses);
  void copyBuffer(VkBuffer from, VkBuffer to, const VkBufferCopy& region, const char* name);
  diag::Result<VkCommandBuffer> recordedBuffer();
  void startCall();
  void barrierFor(std::span<const Access> accesses);
  diag::Result<bool> writeFromPages(uint64_t to, const std::byte* from, uint64_t bytes);
  diag::Result<std::monostate> writeStaged(uint64_t to, const std::byte* from, uint64_t bytes);
  diag::Result<std::monostate> copyPages(VkBuffer pages, uint64_t at, uint64_t to, uint64_t bytes,
                                         const char* name);
  bool isMapped(const Fetch& piece) const;
  void readMapped(std::span<const Fetch> pieces) const;
  diag::Result<std::monostate> submit();
  diag::Result<std::monostate> wait();
  void recordEnd();
  void fetchRecord();
  diag::Result<std::monostate> enlarge(Staging& staging, uint64_t bytes, bool for_reading);
  void fetchTimes();

  std::shared_ptr<Device> device_;
  DeviceMemory& memory_;
  VkPipelineLayout layout_;
  std::unique_ptr<CommandBuffers> commands_;
  CommandList list_;  // recorded since the last submission
  Timeline timeline_;
  uint64_t waited_ = 0;  // the value that the last wait has seen
  VkQueryPool queries_ = VK_NULL_HANDLE;
  Staging upload_, download_, arguments_, failure_;
  uint64_t upload_used_ = 0, arguments_used_ = 0;
  FailureRecord last_failure_{};
  uint32_t last_stop_ = 0;
  const base::CancelFlag* cancel_ = nullptr;
  bool recording_ = false;
  bool starts_call_ = false;
  bool is_timed_ = false;        // the call
  bool has_begun_ = false;       // the first timestamp is written
  bool is_clean_ = false;        // the failure record is 0, whatever has been submitted
  bool host_reads_ = false;      // after the next wait, results in mapped memory
  bool host_sees_ = false;       // it may: the last wait came behind a barrier for the host
  int recorded_ = 0;             // commands in the list
  int submits_ = 0;              // since the last wait
  std::vector<Access> pending_;  // since the last barrier
  std::unordered_map<VkPipeline, std::shared_ptr<void>> used_;  // since the last wait
  bool separates_ = false;                                      // a barrier comes next
  std::vector<Access> expected_;
  std::function<diag::Result<std::monostate>()> arrive_;
  HeldCommands held_;
  bool is_holding_ = false;  // since expect(), until the next flush
  int ahead_levels_ = 1;     // of held commands, for the time in which rows come
  Timeline::Point behind_;   // the next submission waits for it
  Settle settle_;
  std::unique_ptr<CommandTimer> timer_;
  StreamCounts counts_;
  double device_ms_ = 0;
  bool lost_ = false;
};

}  // namespace halo::gpu::vulkan
