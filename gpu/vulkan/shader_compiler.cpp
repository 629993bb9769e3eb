// shaderc behind a disk cache. A cache file holds the whole source as its key, so a hash collision
// or a damaged file is a miss, never a wrong shader.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <shaderc/shaderc.hpp>
#include <unordered_set>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "gpu/vulkan/matrices/spirv.h"
#include "gpu/vulkan/pipeline.h"
#include "lang/base/cache_folder.h"

namespace halo::gpu::vulkan {
namespace {

using diag::Code;

constexpr char kSpirvMagic[] = "halo-spirv-2\n";  // raise when options or the format change

// May be used by several threads at once.
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
  std::string folder = base::cacheFolder("spirv");
  if (folder.empty()) return "";
  XXH128_hash_t hash = XXH3_128bits(source.data(), source.size());
  char name[40];
  std::snprintf(name, sizeof name, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return folder + "/" + name;
}

// Content: length of the source, source, code.
std::vector<uint32_t> readCode(const std::string& path, const std::string& source) {
  std::string content = readCacheFile(path, kSpirvMagic);
  uint64_t length = 0;
  size_t header = sizeof length + source.size();
  if (content.size() < header + 4 || (content.size() - header) % 4 != 0) return {};
  std::memcpy(&length, content.data(), sizeof length);
  if (length != source.size() || content.compare(sizeof length, source.size(), source) != 0) {
    return {};
  }
  std::vector<uint32_t> code((content.size() - header) / 4);
  std::memcpy(code.data(), content.data() + header, content.size() - header);
  return code;
}

void writeCode(const std::string& path, const std::string& source,
               const std::vector<uint32_t>& code) {
  uint64_t length = source.size();
  std::string content(reinterpret_cast<const char*>(&length), sizeof length);
  content += source;
  content.append(reinterpret_cast<const char*>(code.data()), code.size() * 4);
  writeCacheFile(path, kSpirvMagic, content);
}

// Functions of repeated code (raise/outline_repeats.h) stay functions: GLSL has no word for it.
void keepFunctions(std::vector<uint32_t>& code) {
  constexpr uint32_t kOpName = 5, kOpFunction = 54, kDontInline = 2;
  constexpr char kPrefix[] = "halo_repeat_";
  std::unordered_set<uint32_t> kept;
  forEachInstruction(code, [&](uint32_t op, std::span<uint32_t> words) {
    if (op == kOpName && words.size() * 4 > 8 + sizeof kPrefix) {
      const bool is_kept = std::memcmp(&words[2], kPrefix, sizeof kPrefix - 1) == 0;
      if (is_kept) kept.insert(words[1]);
    } else if (op == kOpFunction && words.size() == 5 && kept.contains(words[2])) {
      words[3] |= kDontInline;
    }
  });
}

}  // namespace

diag::Result<std::vector<uint32_t>> compileGlsl(const std::string& source, const std::string& name,
                                                bool use_disk_cache) {
  std::string path = use_disk_cache ? cachePath(source) : "";
  std::vector<uint32_t> code;
  if (!path.empty()) code = readCode(path, source);
  if (!code.empty()) return code;
  auto result = compiler().CompileGlslToSpv(source, shaderc_compute_shader, name.c_str(), "main",
                                            compileOptions());
  if (result.GetCompilationStatus() != shaderc_compilation_status_success) {
    return diag::fail(Code::compile_failure, {}, "the kernel `" + name + "` is no valid GLSL",
                      {result.GetErrorMessage(), "this is a bug in halo"});
  }
  code.assign(result.cbegin(), result.cend());
  keepFunctions(code);
  if (!path.empty()) writeCode(path, source, code);
  return code;
}

diag::Result<std::string> disassemble(const std::string& source, const std::string& name) {
  auto result = compiler().CompileGlslToSpvAssembly(source, shaderc_compute_shader, name.c_str(),
                                                    compileOptions());
  if (result.GetCompilationStatus() != shaderc_compilation_status_success) {
    return diag::fail(Code::compile_failure, {}, "the kernel `" + name + "` is no valid GLSL",
                      {result.GetErrorMessage()});
  }
  return std::string(result.cbegin(), result.cend());
}

}  // namespace halo::gpu::vulkan
