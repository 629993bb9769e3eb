// Files by the hash of their key.
#include "jit/runtime/object_cache.h"

#include <cstring>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include "lang/base/build_id.h"
#include "lang/base/cache_folder.h"
#include "lang/base/files.h"

namespace halo::jit {
namespace {

constexpr const char kMagic[] = "halo object 1\n";

struct Header {
  uint64_t checksum;  // of the key and the object
  uint64_t key_bytes;
};

uint64_t hashOf(const std::string& bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace

// No version number has to be maintained.
std::string compilerKey() {
  const std::string build = base::buildId();
  return build.empty() ? "" : fmt::format("{}|{}", kMagic, build);
}

ObjectCache::ObjectCache() : folder_(base::cacheFolder("objects")) {}

std::string ObjectCache::path(const std::string& key) const {
  return fmt::format("{}/{:016x}.o", folder_, hashOf(key));
}

std::string ObjectCache::find(const std::string& key) const {
  if (folder_.empty()) return "";
  const std::string bytes = base::readOwnFile(path(key));
  constexpr size_t kMagicBytes = sizeof kMagic - 1;
  Header header{};
  if (bytes.size() < kMagicBytes + sizeof header) return "";
  if (bytes.compare(0, kMagicBytes, kMagic) != 0) return "";
  std::memcpy(&header, bytes.data() + kMagicBytes, sizeof header);
  std::string rest = bytes.substr(kMagicBytes + sizeof header);
  bool is_it = hashOf(rest) == header.checksum && header.key_bytes == key.size() &&
               rest.compare(0, key.size(), key) == 0;
  return is_it ? rest.substr(key.size()) : "";
}

void ObjectCache::store(const std::string& key, const std::string& object) const {
  if (folder_.empty()) return;
  std::string rest = key + object;
  Header header{hashOf(rest), key.size()};
  std::string content(kMagic);
  content.append(reinterpret_cast<const char*>(&header), sizeof header);
  content += rest;
  (void)base::writeFile(path(key), content, base::NewFile::kPrivate);
  if (base::isTimeToTrim(header.checksum)) base::trimCacheFolder(folder_);
}

}  // namespace halo::jit
