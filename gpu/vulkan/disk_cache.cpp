// Files that may be damaged, outdated or somebody else's: whatever is doubtful counts as absent.
#include <unistd.h>

#include <cstdio>
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

}  // namespace halo::gpu::vulkan
