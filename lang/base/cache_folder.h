// Where results that are worth keeping between processes lie on disk.
#pragma once

#include <cstdint>
#include <string>

namespace halo::base {

// A folder of our own below $XDG_CACHE_HOME (or ~/.cache), made with mode 0700. Empty if that
// fails, or if another user owns it or may write to it: its files are code.
std::string cacheFolder(const std::string& name);

// The tests of some hundred programs on all engines leave 3,000 shaders that take up 100 MB.
struct CacheLimits {
  size_t files = 32768;
  uint64_t bytes = uint64_t{512} << 20;  // that they take up on the disk
  size_t removals = 4096;                // in one call, which bounds its time
};

// Removes the oldest files of a folder that holds more than it may, until it holds three quarters
// of that or enough was removed. Nothing happens while another process does this; files that come
// and go meanwhile are no harm. About 0.3 s for 100,000 files on a busy machine.
void trimCacheFolder(const std::string& folder, const CacheLimits& limits = {});

// Whether to trim after writing the file with this hash: one time in 256, without a count that
// short processes would have to keep.
inline bool isTimeToTrim(uint64_t hash) { return hash % 256 == 0; }

}  // namespace halo::base
