// Copies from the host to the device: through the staging buffer, or from the pages of the host.
//
// Where the device's memory is the host's, the staging copy would be half of an upload. The pages
// that hold a large array become a buffer there (VK_EXT_external_memory_host); the device copies
// from it. Other devices read their staging buffer while the next part is prepared.
#include <algorithm>
#include <bit>
#include <cstring>

#include "gpu/vulkan/stream.h"
#include "lang/base/check.h"

namespace halo::gpu::vulkan {
namespace {

using Done = diag::Result<std::monostate>;

// Below, a buffer of the pages and a wait cost more than the copy.
constexpr uint64_t kMinImported = 1ull << 20;
constexpr uintptr_t kPage = 4096;

}  // namespace

Done Stream::write(uint64_t to, const void* from, uint64_t bytes) {
  const Access whole{to, bytes, true};
  if (auto done = arrived({&whole, 1}); !done) return done;
  if (auto done = recordHeld(); !done) return done;
  if (bytes >= kMinImported && device_->sharesHostMemory()) {
    auto imported = writeFromPages(to, static_cast<const std::byte*>(from), bytes);
    if (!imported) return diag::Failure(imported.error());
    if (*imported) return std::monostate{};
  }
  return writeStaged(to, static_cast<const std::byte*>(from), bytes);
}

// False where the driver does not take these pages, as those of a file.
diag::Result<bool> Stream::writeFromPages(uint64_t to, const std::byte* from, uint64_t bytes) {
  const uintptr_t into_page = std::bit_cast<uintptr_t>(from) % kPage;
  const uint64_t covered = (into_page + bytes + kPage - 1) / kPage * kPage;
  // Only read: the type of the import is that of memory that both sides may change.
  auto pages = importPages(*device_, const_cast<std::byte*>(from) - into_page, covered);
  if (!pages) return false;
  auto done = copyPages(pages->buffer, into_page, to, bytes, "upload");
  if (done) done = finish();                         // the array may change or go behind this call
  if (isLost()) return diag::Failure(done.error());  // it may still read them
  forgetLists();                                     // they mention the buffer
  destroyStaging(*device_, *pages);
  if (!done) return diag::Failure(done.error());
  counts_.bytes_up += bytes;
  return true;
}

Done Stream::writeStaged(uint64_t to, const std::byte* from, uint64_t bytes) {
  if (auto done = enlarge(upload_, bytes, false); !done) return done;
  for (uint64_t done_bytes = 0; done_bytes < bytes;) {
    if (auto done = record(); !done) return done;
    if (upload_used_ == upload_.bytes) {
      if (auto done = wait(); !done) return done;  // also empties the staging buffer
    }
    uint64_t part = std::min(bytes - done_bytes, upload_.bytes - upload_used_);
    std::memcpy(upload_.mapped + upload_used_, from + done_bytes, part);
    if (auto done = copyPages(upload_.buffer, upload_used_, to + done_bytes, part, "upload"); !done)
      return done;
    counts_.bytes_up += part;
    counts_.bytes_staged += part;
    upload_used_ = std::min((upload_used_ + part + 63) / 64 * 64, upload_.bytes);
    done_bytes += part;
  }
  return std::monostate{};
}

// From a buffer in the host's memory, behind the commands that use the target so far.
Done Stream::copyPages(VkBuffer pages, uint64_t at, uint64_t to, uint64_t bytes, const char* name) {
  if (auto done = record(); !done) return done;
  const Access access{to, bytes, true};
  barrierFor({&access, 1});
  const Region target = memory_.find(to);
  HALO_CHECK(target.buffer != VK_NULL_HANDLE, "write to an unknown region");
  copyBuffer(pages, target.buffer, {at, target.offset, bytes}, name);
  return std::monostate{};
}

}  // namespace halo::gpu::vulkan
