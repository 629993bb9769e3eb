// Files that may be damaged, outdated or somebody else's: whatever is doubtful counts as absent.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "gpu/vulkan/pipeline.h"
#include "lang/base/cache_folder.h"

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
  // Two processes, or two threads of one, may write the same file.
  static std::atomic<uint64_t> count{0};
  const std::string temporary =
      path + "." + std::to_string(getpid()) + "." + std::to_string(count++);
  std::ofstream out(temporary, std::ios::binary);
  uint64_t checksum = XXH3_64bits(content.data(), content.size());
  out << magic;
  out.write(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  out << content;
  out.close();
  if (!out || std::rename(temporary.c_str(), path.c_str()) != 0) std::remove(temporary.c_str());
  if (base::isTimeToTrim(checksum)) base::trimCacheFolder(path.substr(0, path.rfind('/')));
}

}  // namespace halo::gpu::vulkan
