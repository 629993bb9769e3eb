// Files that may be damaged, outdated or somebody else's: whatever is doubtful counts as absent.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "gpu/vulkan/pipeline.h"

namespace halo::gpu::vulkan {

std::string readCacheFile(const std::string& path, const std::string& magic) {
  if (path.empty()) return "";
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  uint64_t checksum = 0;
  size_t header = magic.size() + sizeof checksum;
  if (bytes.size() < header || bytes.compare(0, magic.size(), magic) != 0) return "";
  std::memcpy(&checksum, bytes.data() + magic.size(), sizeof checksum);
  if (checksum != XXH3_64bits(bytes.data() + header, bytes.size() - header)) return "";
  return bytes.substr(header);
}

void writeCacheFile(const std::string& path, const std::string& magic, const std::string& content) {
  std::string temporary = path + "." + std::to_string(getpid());
  std::ofstream out(temporary, std::ios::binary);
  uint64_t checksum = XXH3_64bits(content.data(), content.size());
  out << magic;
  out.write(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  out << content;
  out.close();
  if (!out || std::rename(temporary.c_str(), path.c_str()) != 0) std::remove(temporary.c_str());
}

std::string cacheFolder(const std::string& name) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::string base;
  if (cache != nullptr && *cache == '/') {  // a relative one is to be ignored, by its specification
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

}  // namespace halo::gpu::vulkan
