// Recording: commands, staged copies, and barriers where hazards need them.
#include "gpu/vulkan/stream.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "lang/base/check.h"
#include "lang/base/phase.h"

namespace halo::gpu::vulkan {
namespace {

using diag::Code;
using Done = diag::Result<std::monostate>;

// The device starts while the host still records, on the first few commands already. Submissions of
// 1024 commands made loops of small kernels 1.4 times slower: the device was done before the next.
constexpr int kFirstSubmit = 16;
constexpr int kCommandsPerSubmit = 128;
constexpr size_t kMaxPending = 256;  // accesses to compare with; beyond, a barrier is cheaper
// Staging buffers begin small, as pinning memory takes 0.3 ms for each MiB.
constexpr uint64_t kFirstStagingBytes = 256ull << 10;
constexpr uint64_t kMaxStagingBytes = 32ull << 20;
constexpr uint64_t kArgumentBytes = 1ull << 20;
constexpr uint64_t kMappedSpan = 128;

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
  auto commands = CommandBuffers::make(device_, layout_);
  if (!commands) return diag::Failure(commands.error());
  commands_ = std::move(*commands);
  if (auto done = timeline_.make(); !done) return done;
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
  // In device memory if the host writes there: each workgroup reads them.
  auto arguments = makeShared(*device_, kArgumentBytes);
  if (arguments && arguments->mapped == nullptr) {
    destroyStaging(*device_, *arguments);
    arguments = makeStaging(*device_, kArgumentBytes, false);
  }
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
}

void Stream::begin(const base::CancelFlag* cancel, bool timed) {
  cancel_ = cancel;
  is_timed_ = timed && queries_ != VK_NULL_HANDLE;
  has_begun_ = false;
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

// Before each command: there is a buffer that records. It may wait, which empties the buffers of
// uploads and of arguments: bytes that a timed command reads come there behind it.
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
  if (lost_) return diag::fail(Code::device_lost, {}, "the Vulkan device was lost");
  recording_ = true;
  host_sees_ = false;
  if (starts_call_) startCall();
  ++recorded_;
  return std::monostate{};
}

void Stream::startCall() {
  starts_call_ = false;
  if (is_timed_) {
    list_.resetQueries(queries_, 0, 2);
    // Bottom of pipe: when earlier commands, an upload say, are done.
    list_.stamp(queries_, 0, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
    has_begun_ = true;
  }
  if (is_clean_) return;
  // Launches do not list the failure word: barriers before (kernels of the last call may have
  // written it) and at once after.
  Access word{failureAddress(), sizeof(FailureRecord), true};
  pending_.push_back(word);
  barrierFor({&word, 1});
  list_.clear(failure_.buffer, 0, sizeof(FailureRecord));
  word.writes = false;
  barrierFor({&word, 1});
}

void Stream::barrierFor(std::span<const Access> accesses) {
  bool hazard = separates_ || pending_.size() > kMaxPending;
  separates_ = false;
  for (const Access& access : accesses) {
    for (const Access& earlier : pending_) {
      hazard |= conflicts(access, earlier);
    }
  }
  if (hazard) {
    list_.barrier(CommandList::Barrier::kDevice);
    ++counts_.barriers;
    pending_.clear();
  }
  pending_.insert(pending_.end(), accesses.begin(), accesses.end());
}

Done Stream::launch(const Pipeline& pipeline, const uint32_t groups[3],
                    std::span<const std::byte> arguments, std::span<const Access> accesses,
                    const char* name) {
  if (auto done = arrived(accesses); !done) return done;
  if (timer_ != nullptr) {
    if (auto done = record(); !done) return done;
  }
  std::array<std::byte, 8> pointer{};
  if (arguments.size() > pushBytes(device_->features())) {
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
  if (!holds()) {
    auto done = recordHeld();
    return done ? recordLaunch(pipeline, groups, arguments, accesses, name) : done;
  }
  is_clean_ = is_clean_ && !pipeline.may_fail;
  HeldCommand command{pipeline, {groups[0], groups[1], groups[2]}};
  command.pushed.assign(arguments.begin(), arguments.end());
  command.accesses.assign(accesses.begin(), accesses.end());
  command.name = name;
  return hold(std::move(command));
}

Done Stream::recordLaunch(const Pipeline& pipeline, const uint32_t groups[3],
                          std::span<const std::byte> pushed, std::span<const Access> accesses,
                          const char* name) {
  if (auto done = record(); !done) return done;
  barrierFor(accesses);
  used_.try_emplace(pipeline.handle, pipeline.owner);
  if (timer_ != nullptr) timer_->begin(list_, name, 0);
  list_.launch(pipeline, groups, pushed);
  if (timer_ != nullptr) timer_->end(list_);
  is_clean_ = is_clean_ && !pipeline.may_fail;
  ++counts_.launches;
  return std::monostate{};
}

Done Stream::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  if (bytes == 0) return std::monostate{};
  const Access accesses[2] = {{from, bytes, false}, {to, bytes, true}};
  if (auto done = arrived(accesses); !done) return done;
  const Region source = memory_.find(from);
  const Region target = memory_.find(to);
  HALO_CHECK(source.buffer != VK_NULL_HANDLE && target.buffer != VK_NULL_HANDLE,
             "copy between unknown regions");
  const VkBufferCopy region{source.offset, target.offset, bytes};
  if (!holds()) {
    auto done = recordHeld();
    return done ? recordCopy(source.buffer, target.buffer, region, accesses) : done;
  }
  HeldCommand command;
  command.from = source.buffer;
  command.to = target.buffer;
  command.region = region;
  command.accesses.assign(std::begin(accesses), std::end(accesses));
  return hold(std::move(command));
}

Done Stream::recordCopy(VkBuffer from, VkBuffer to, const VkBufferCopy& region,
                        std::span<const Access> accesses) {
  if (auto done = record(); !done) return done;
  barrierFor(accesses);
  copyBuffer(from, to, region, "copy");
  ++counts_.copies;
  return std::monostate{};
}

void Stream::copyBuffer(VkBuffer from, VkBuffer to, const VkBufferCopy& region, const char* name) {
  if (timer_ != nullptr) timer_->begin(list_, name, region.size);
  list_.copy(from, to, region);
  if (timer_ != nullptr) timer_->end(list_);
}

// One that holds `bytes` at once, if that is not too much.
Done Stream::enlarge(Staging& staging, uint64_t bytes, bool for_reading) {
  uint64_t wanted = std::min(std::bit_ceil(std::max<uint64_t>(bytes, 1)), kMaxStagingBytes);
  if (wanted <= staging.bytes) return std::monostate{};
  if (auto done = wait(); !done) return done;  // recorded commands use the old one
  auto larger = makeStaging(*device_, wanted, for_reading);
  if (!larger) return diag::Failure(larger.error());
  forgetLists();
  destroyStaging(*device_, staging);
  staging = *larger;
  return std::monostate{};
}

Done Stream::read(uint64_t from, void* to, uint64_t bytes) {
  const Fetch piece{from, to, bytes};
  const Access whole{from, bytes, false};
  if (auto done = arrived({&whole, 1}); !done) return done;
  if (auto done = recordHeld(); !done) return done;
  if (isMapped(piece)) return readAll({&piece, 1});
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
    ++counts_.downloads;
    host_reads_ = true;
    counts_.bytes_down += part;
    if (auto done = wait(); !done) return done;
    std::memcpy(target + done_bytes, download_.mapped + sizeof(FailureRecord), part);
    done_bytes += part;
  }
  return std::monostate{};
}

bool Stream::isMapped(const Fetch& piece) const {
  const Region region = memory_.find(piece.from);
  return region.mapped != nullptr && piece.bytes <= region.bytes;
}

// Memory that the host sees needs no command, and no wait without records since the last.
Done Stream::readAll(std::span<const Fetch> pieces) {
  if (auto done = recordHeld(); !done) return done;
  uint64_t at = sizeof(FailureRecord);
  for (const Fetch& piece : pieces) {
    counts_.bytes_down += piece.bytes;
    host_reads_ = true;
    if (isMapped(piece)) continue;
    HALO_CHECK(at + piece.bytes <= download_.bytes, "too much to read at once");
    if (auto done = record(); !done) return done;
    Access access{piece.from, piece.bytes, false};
    barrierFor({&access, 1});
    Region source = memory_.find(piece.from);
    HALO_CHECK(source.buffer != VK_NULL_HANDLE, "read from an unknown region");
    copyBuffer(source.buffer, download_.buffer, {source.offset, at, piece.bytes}, "download");
    ++counts_.downloads;
    host_reads_ = true;
    at += piece.bytes;
  }
  if (auto done = finish(); !done) return done;
  host_reads_ = false;
  at = sizeof(FailureRecord);
  for (const Fetch& piece : pieces) {
    if (isMapped(piece)) continue;
    std::memcpy(piece.to, download_.mapped + at, piece.bytes);
    at += piece.bytes;
  }
  readMapped(pieces);
  return std::monostate{};
}

// Each access to memory of the device takes 1 us, however much of a line it is for: neighbours
// come together.
void Stream::readMapped(std::span<const Fetch> pieces) const {
  std::array<std::byte, kMappedSpan> line;
  uint64_t begin = 0, end = 0;  // of its contents, as addresses
  for (const Fetch& piece : pieces) {
    if (!isMapped(piece)) continue;
    if (piece.from < begin || piece.from + piece.bytes > end) {
      begin = end = piece.from;
      const std::byte* mapped = memory_.find(begin).mapped;
      for (const Fetch& other : pieces) {
        const bool is_near = other.from >= begin && other.from + other.bytes <= begin + kMappedSpan;
        if (!is_near || memory_.find(other.from).mapped != mapped + (other.from - begin)) continue;
        end = std::max(end, other.from + other.bytes);
      }
      std::memcpy(line.data(), mapped, end - begin);
    }
    std::memcpy(piece.to, line.data() + (piece.from - begin), piece.bytes);
  }
}

}  // namespace halo::gpu::vulkan
