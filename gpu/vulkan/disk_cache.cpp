// Files that may be damaged, outdated or another user's: a doubtful one counts as absent.
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "gpu/vulkan/pipeline.h"
#include "lang/base/cache_folder.h"
#include "lang/base/files.h"

namespace halo::gpu::vulkan {

std::string readCacheFile(const std::string& path, const std::string& magic) {
  if (path.empty()) return "";
  const std::string bytes = base::readOwnFile(path);
  uint64_t checksum = 0;
  size_t header = magic.size() + sizeof checksum;
  if (bytes.size() < header || bytes.compare(0, magic.size(), magic) != 0) return "";
  std::memcpy(&checksum, bytes.data() + magic.size(), sizeof checksum);
  if (checksum != XXH3_64bits(bytes.data() + header, bytes.size() - header)) return "";
  return bytes.substr(header);
}

void writeCacheFile(const std::string& path, const std::string& magic, const std::string& content) {
  const uint64_t checksum = XXH3_64bits(content.data(), content.size());
  const std::string sum(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  (void)base::writeFile(path, magic + sum + content, base::NewFile::kPrivate);
  if (base::isTimeToTrim(checksum)) base::trimCacheFolder(path.substr(0, path.rfind('/')));
}

}  // namespace halo::gpu::vulkan
