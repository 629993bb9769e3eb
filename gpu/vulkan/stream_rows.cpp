// Rows of other ranks: commands that run while they arrive, and those that overlap the commands
// that need them.
#include <algorithm>
#include <utility>

#include "gpu/vulkan/stream.h"
#include "lang/base/check.h"

namespace halo::gpu::vulkan {
namespace {

using Done = diag::Result<std::monostate>;

// Each is compared with all others that are held.
constexpr size_t kMaxHeld = 256;

}  // namespace

void Stream::expect(std::vector<Access> rows, std::function<Done()> arrive) {
  is_holding_ = !rows.empty();
  expected_ = std::move(rows);
  arrive_ = std::move(arrive);
}

Done Stream::arrived(std::span<const Access> accesses) {
  if (expected_.empty()) return std::monostate{};
  const bool touches = std::any_of(expected_.begin(), expected_.end(), [&](const Access& rows) {
    return std::any_of(accesses.begin(), accesses.end(),
                       [&](const Access& access) { return overlaps(rows, access); });
  });
  if (!touches) return std::monostate{};
  expected_.clear();  // first: to bring them touches them
  const bool has_more = held_.levels() > ahead_levels_;
  if (auto done = recordAll(held_.take(ahead_levels_)); !done) return done;
  if (auto done = submit(); !done) return done;  // this work goes on meanwhile
  const uint64_t ahead = timeline_.submitted();
  auto done = std::exchange(arrive_, nullptr)();
  if (has_more && timeline_.reached() >= ahead) ++ahead_levels_;  // the device had too little to do
  return done;
}

// A concurrent launch stays with the one before.
Done Stream::hold(HeldCommand command) {
  const bool is_beside = command.accesses.empty();
  if (held_.count() >= kMaxHeld && !is_beside) {
    if (auto done = recordAll(held_.take(1)); !done) return done;
  }
  held_.add(std::move(command));
  return std::monostate{};
}

// Before commands that are not held, and where a caller needs all commands recorded.
Done Stream::recordHeld() {
  if (held_.isEmpty()) return std::monostate{};
  return recordAll(held_.takeAll());
}

Done Stream::recordAll(const std::vector<HeldCommand>& commands) {
  for (const HeldCommand& command : commands) {
    const bool is_copy = command.pipeline.handle == VK_NULL_HANDLE;
    auto done = is_copy ? recordCopy(command.from, command.to, command.region, command.accesses)
                        : recordLaunch(command.pipeline, command.groups.data(), command.pushed,
                                       command.accesses, command.name.c_str());
    if (!done) return done;
  }
  return std::monostate{};
}

Done Stream::copyOut(VkBuffer pages, uint64_t at, uint64_t from, uint64_t bytes) {
  if (auto done = recordHeld(); !done) return done;
  if (auto done = record(); !done) return done;
  const Access access{from, bytes, false};
  barrierFor({&access, 1});
  const Region source = memory_.find(from);
  HALO_CHECK(source.buffer != VK_NULL_HANDLE, "rows of an unknown region");
  copyBuffer(source.buffer, pages, {source.offset, at, bytes}, "rows out");
  host_reads_ = true;
  return std::monostate{};
}

Done Stream::copyIn(VkBuffer pages, uint64_t at, uint64_t to, uint64_t bytes) {
  return copyPages(pages, at, to, bytes, "rows in");
}

}  // namespace halo::gpu::vulkan
