// Where results that are worth keeping between processes lie on disk.
#pragma once

#include <string>

namespace halo::base {

// A folder of our own below $XDG_CACHE_HOME (or ~/.cache), made with mode 0700; empty if that
// fails, or if it belongs to somebody else or others may write to it: what lies there is code.
std::string cacheFolder(const std::string& name);

}  // namespace halo::base
