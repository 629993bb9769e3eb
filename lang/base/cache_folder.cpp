// Finding and making the folder.
#include "lang/base/cache_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace halo::base {

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
  std::string folder = base + "/halo/" + name;
  for (const std::string& part : {base, base + "/halo", folder}) mkdir(part.c_str(), 0700);
  struct stat info {};
  bool is_ours = stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
                 info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  return is_ours ? folder : "";
}

}  // namespace halo::base
