// Finding and making the folder; keeping it small. Plain system calls: the iterators of the
// standard library throw when a folder changes or goes away below them.
#include "lang/base/cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <vector>

namespace halo::base {
namespace {

constexpr size_t kMaxEntries = size_t{1} << 19;  // others may add files faster than we read

struct Entry {
  int64_t seconds, nanoseconds;  // when it was written
  uint64_t bytes;
  std::string name;
  bool operator<(const Entry& other) const {
    return std::tie(seconds, nanoseconds, name) <
           std::tie(other.seconds, other.nanoseconds, other.name);
  }
};

// A directory that is open and locked, so that one process at a time trims it.
class LockedFolder {
 public:
  explicit LockedFolder(const std::string& path) : stream_(opendir(path.c_str())) {
    is_ours_ = stream_ != nullptr && flock(fd(), LOCK_EX | LOCK_NB) == 0;
  }
  ~LockedFolder() {
    if (stream_ != nullptr) closedir(stream_);
  }
  LockedFolder(const LockedFolder&) = delete;
  LockedFolder& operator=(const LockedFolder&) = delete;

  bool isOurs() const { return is_ours_; }

  std::vector<Entry> files() const {
    std::vector<Entry> found;
    for (size_t read = 0; read < kMaxEntries; ++read) {
      const dirent* entry = readdir(stream_);
      if (entry == nullptr) break;
      struct stat info {};
      if (fstatat(fd(), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;  // just removed
      if (!S_ISREG(info.st_mode)) continue;
      found.push_back({info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
                       static_cast<uint64_t>(info.st_blocks) * 512, entry->d_name});
    }
    return found;
  }
  void remove(const Entry& entry) const { unlinkat(fd(), entry.name.c_str(), 0); }

 private:
  int fd() const { return dirfd(stream_); }
  DIR* stream_;
  bool is_ours_ = false;
};

// A folder that only we can change; also where it is reached by a link, which must be ours as well.
bool isOurs(const std::string& folder) {
  struct stat link {
  }, info{};
  return lstat(folder.c_str(), &link) == 0 && link.st_uid == geteuid() &&
         stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

std::string cacheFolder(const std::string& name) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::string base;
  if (cache != nullptr && *cache == '/') {  // a relative one is to be ignored
    base = cache;
  } else if (home != nullptr) {
    base = std::string(home) + "/.cache";
  } else {
    return "";
  }
  const std::string all = base + "/halo", folder = all + "/" + name;
  for (const std::string& part : {base, all, folder}) mkdir(part.c_str(), 0700);
  return isOurs(all) && isOurs(folder) ? folder : "";
}

void trimCacheFolder(const std::string& folder, const CacheLimits& limits) {
  const LockedFolder locked(folder);
  if (!locked.isOurs()) return;
  std::vector<Entry> files = locked.files();
  uint64_t bytes = 0;
  for (const Entry& file : files) bytes += file.bytes;
  if (files.size() <= limits.files && bytes <= limits.bytes) return;
  const size_t most = std::min(limits.removals, files.size());
  std::partial_sort(files.begin(), files.begin() + static_cast<int64_t>(most), files.end());
  for (size_t k = 0; k < most; ++k) {
    if (files.size() - k <= limits.files / 4 * 3 && bytes <= limits.bytes / 4 * 3) return;
    locked.remove(files[k]);
    bytes -= files[k].bytes;
  }
}

}  // namespace halo::base
