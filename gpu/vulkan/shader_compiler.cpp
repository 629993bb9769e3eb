// shaderc behind a disk cache. A cache file holds the whole source as its key, so a hash collision
// or a damaged file is a miss, never a wrong shader.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <shaderc/shaderc.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "gpu/vulkan/pipeline.h"

namespace halo::gpu::vulkan {
namespace {

using diag::Code;

constexpr char kMagic[] = "halo-spirv-1\n";  // raise when options or the format change
constexpr uint32_t kSpirvMagic = 0x07230203;

std::mutex& compilerMutex() {
  static std::mutex mutex;
  return mutex;
}
shaderc::Compiler& compiler() {
  static auto* made = new shaderc::Compiler;  // lives as long as the process
  return *made;
}

shaderc::CompileOptions compileOptions() {
  shaderc::CompileOptions options;
  options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
  options.SetOptimizationLevel(shaderc_optimization_level_zero);
  return options;
}

std::string cachePath(const std::string& source) {
  std::string folder = cacheFolder("spirv");
  if (folder.empty()) return "";
  XXH128_hash_t hash = XXH3_128bits(source.data(), source.size());
  char name[40];
  std::snprintf(name, sizeof name, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return folder + "/" + name;
}

// File: magic, source length, source, checksum of the code, code.
bool readCache(const std::string& path, const std::string& source, std::vector<uint32_t>* code) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  size_t header = sizeof kMagic - 1 + 8 + source.size() + 8;
  if (bytes.size() < header + 4 || (bytes.size() - header) % 4 != 0) return false;
  uint64_t length = 0;
  uint64_t checksum = 0;
  std::memcpy(&length, bytes.data() + sizeof kMagic - 1, 8);
  std::memcpy(&checksum, bytes.data() + header - 8, 8);
  if (std::memcmp(bytes.data(), kMagic, sizeof kMagic - 1) != 0 || length != source.size() ||
      std::memcmp(bytes.data() + sizeof kMagic - 1 + 8, source.data(), source.size()) != 0 ||
      checksum != XXH3_64bits(bytes.data() + header, bytes.size() - header)) {
    return false;
  }
  code->resize((bytes.size() - header) / 4);
  std::memcpy(code->data(), bytes.data() + header, bytes.size() - header);
  return code->front() == kSpirvMagic;
}

void writeCache(const std::string& path, const std::string& source,
                const std::vector<uint32_t>& code) {
  std::string temporary = path + "." + std::to_string(getpid());
  std::ofstream out(temporary, std::ios::binary);
  uint64_t length = source.size();
  uint64_t checksum = XXH3_64bits(code.data(), code.size() * 4);
  out.write(kMagic, sizeof kMagic - 1);
  out.write(reinterpret_cast<const char*>(&length), 8);
  out.write(source.data(), static_cast<std::streamsize>(source.size()));
  out.write(reinterpret_cast<const char*>(&checksum), 8);
  out.write(reinterpret_cast<const char*>(code.data()),
            static_cast<std::streamsize>(code.size() * 4));
  out.close();
  // Renaming makes the file appear whole, also with two processes at work.
  if (!out || std::rename(temporary.c_str(), path.c_str()) != 0) std::remove(temporary.c_str());
}

}  // namespace

std::string cacheFolder(const std::string& name) {
  std::string base;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    base = cache;
  } else if (const char* home = std::getenv("HOME"); home != nullptr) {
    base = std::string(home) + "/.cache";
  } else {
    return "";
  }
  for (const std::string& folder : {base, base + "/halo", base + "/halo/" + name}) {
    mkdir(folder.c_str(), 0700);
  }
  struct stat info {};
  std::string folder = base + "/halo/" + name;
  if (stat(folder.c_str(), &info) != 0 || info.st_uid != geteuid()) return "";
  return folder;
}

diag::Result<std::vector<uint32_t>> compileGlsl(const std::string& source, const std::string& name,
                                                bool use_disk_cache) {
  std::string path = use_disk_cache ? cachePath(source) : "";
  std::vector<uint32_t> code;
  if (!path.empty() && readCache(path, source, &code)) return code;
  std::lock_guard lock(compilerMutex());
  auto result = compiler().CompileGlslToSpv(source, shaderc_compute_shader, name.c_str(), "main",
                                            compileOptions());
  if (result.GetCompilationStatus() != shaderc_compilation_status_success) {
    return diag::fail(Code::compile_failure, {}, "the kernel `" + name + "` is no valid GLSL",
                      {result.GetErrorMessage(), "this is a bug in halo"});
  }
  code.assign(result.cbegin(), result.cend());
  if (!path.empty()) writeCache(path, source, code);
  return code;
}

diag::Result<std::string> disassemble(const std::string& source, const std::string& name) {
  std::lock_guard lock(compilerMutex());
  auto result = compiler().CompileGlslToSpvAssembly(source, shaderc_compute_shader, name.c_str(),
                                                    compileOptions());
  if (result.GetCompilationStatus() != shaderc_compilation_status_success) {
    return diag::fail(Code::compile_failure, {}, "the kernel `" + name + "` is no valid GLSL",
                      {result.GetErrorMessage()});
  }
  return std::string(result.cbegin(), result.cend());
}

}  // namespace halo::gpu::vulkan
